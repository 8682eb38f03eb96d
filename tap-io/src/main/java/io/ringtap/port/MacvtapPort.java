package io.ringtap.port;

import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.LinkWatch;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.function.IntFunction;

/**
 * A macvtap: a TAP whose other end is not an interface of the host but the wire below one. Its queues are a TAP's; it
 * carries frames to and from one address only, its own, which is therefore the guest's.
 */
public final class MacvtapPort implements PacketPort
{
    private final TapPort tap;
    private final String guestMac;

    private MacvtapPort(final TapPort tap)
    {
        this.tap = tap;
        try (Interfaces interfaces = Interfaces.open())
        {
            final StringBuilder text = new StringBuilder();
            for (final byte part : interfaces.mac(tap.name()))
            {
                text.append(text.isEmpty() ? "" : ":").append(String.format("%02x", part));
            }
            guestMac = text.toString();
        }
        catch (final RuntimeException e)
        {
            tap.close();
            throw e;
        }
    }

    /**
     * Opens a macvtap in the network namespace of the calling thread, or makes one.
     *
     * @param options name: a macvtap that exists, or the interface below; mac: the guest's.
     * @param mode    of one that is made; null for bridge.
     * @throws PortException when it cannot be had: one line for the user.
     */
    public static MacvtapPort open(
        final TapOptions options,
        final MacvtapMode mode,
        final UnsafeBuffer arena,
        final IntFunction<FragAllocator> allocators)
    {
        return new MacvtapPort(TapPort.open(options, new MacvtapSource(options, mode), arena, allocators));
    }

    /** What was found, and what the guest has to be told. */
    public String probeText()
    {
        return tap.probe() + ", for the guest address " + guestMac;
    }

    @Override
    public String name()
    {
        return tap.name();
    }

    @Override
    public int queueCount()
    {
        return tap.queueCount();
    }

    @Override
    public PortQueue queue(final int index)
    {
        return tap.queue(index);
    }

    @Override
    public int transmitOffloads()
    {
        return tap.transmitOffloads();
    }

    @Override
    public int receiveOffloads(final int wanted)
    {
        return tap.receiveOffloads(wanted);
    }

    @Override
    public int supportedReceiveOffloads()
    {
        return tap.supportedReceiveOffloads();
    }

    @Override
    public int mtu()
    {
        return tap.mtu();
    }

    @Override
    public LinkWatch watch()
    {
        return tap.watch();
    }

    @Override
    public void refresh()
    {
        tap.refresh();
    }

    @Override
    public void mtu(final int mtu)
    {
        tap.mtu(mtu);
    }

    /** The cable is the lower interface's: a macvtap has no request to take it out. */
    @Override
    public void carrier(final boolean up)
    {
        tap.carrier(up);
    }

    @Override
    public void close()
    {
        tap.close();
    }
}
