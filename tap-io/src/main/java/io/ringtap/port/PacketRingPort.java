package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Affinity;
import io.ringtap.sys.Ethtool;
import io.ringtap.sys.LinkWatch;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * An interface of this host, used through packet sockets with mapped rings (packet(7), AF_PACKET): frames of the guest
 * go out of it, and what it receives goes to the guest. The host's own traffic on the interface and the guest's do not
 * see each other. What was found of the interface (MTU, up or down) is put back at the end.
 */
public final class PacketRingPort implements PacketPort
{
    private static final Logger LOG = LoggerFactory.getLogger(PacketRingPort.class);

    /** What a frame may be longer than the MTU: Ethernet header and two VLAN tags. */
    private static final int OVER_MTU = 22;

    /** The longest frame that gets slots of the ring of its length; longer ones repay a system call. */
    private static final int MOST_CONTENT = 16 * 1024;

    /** UDP_L4 in a net header (virtio_net_hdr_to_skb) is as old as a TAP's USO. */
    private static final int USO_MAJOR = 6;
    private static final int USO_MINOR = 2;

    private final PacketOptions options;
    private final PacketLink link;
    private final PacketFanout fanout;
    private final boolean hasDoorbell;
    private final int received;
    private final PortProbe probe;
    private final List<PacketRingQueue> queues = new ArrayList<>();
    private volatile int transmittable;
    private volatile ReceiveLayout layout;
    private boolean isClosed;

    private PacketRingPort(
        final PacketOptions options,
        final PacketLink link,
        final UnsafeBuffer arena,
        final IntFunction<FragAllocator> allocators)
    {
        this.options = options;
        this.link = link;
        fanout = new PacketFanout(options.queues());
        hasDoorbell = options.hasDoorbell() && Affinity.current().length > 1;
        received = options.offloads() & (hasUso() ? Offloads.ALL : Offloads.ALL & ~(Offloads.USO4 | Offloads.USO6)) &
            ~Offloads.UFO;
        lookAtDevice();
        try
        {
            for (int i = 0; i < options.queues(); i++)
            {
                queues.add(new PacketRingQueue(this, i, arena, allocators.apply(i)));
                queues.get(i).open(link.index());
            }
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietCloseAll(queues);
            throw e;
        }
        probe = new PortProbe(
            options.name(), options.queues(), options.queues() > 1, 0, transmittable, describe());
    }

    /**
     * Opens the interface in the network namespace of the calling thread.
     *
     * @param arena      where the fragments of received frames lie; native memory.
     * @param allocators the allocator of each queue, used by the queue's worker alone.
     * @throws PortException when it cannot be had: one line for the user.
     */
    public static PacketRingPort open(
        final PacketOptions options, final UnsafeBuffer arena, final IntFunction<FragAllocator> allocators)
    {
        final PacketLink link = new PacketLink(options.name());
        try
        {
            PacketSockets.open(options.name()).close();
            link.configure(options.mtu());
            return new PacketRingPort(options, link, arena, allocators);
        }
        catch (final RuntimeException e)
        {
            link.close();
            throw e;
        }
    }

    @Override
    public String name()
    {
        return options.name();
    }

    @Override
    public int queueCount()
    {
        return queues.size();
    }

    @Override
    public PortQueue queue(final int index)
    {
        return queues.get(index);
    }

    @Override
    public int transmitOffloads()
    {
        return transmittable;
    }

    /** Nobody can tell an interface what not to receive; what the guest does not take is cut on its way there. */
    @Override
    public int receiveOffloads(final int wanted)
    {
        return wanted & received;
    }

    @Override
    public int supportedReceiveOffloads()
    {
        return received;
    }

    @Override
    public int mtu()
    {
        return link.mtu();
    }

    @Override
    public synchronized void mtu(final int bytes)
    {
        link.mtu(bytes);
        lookAtDevice();
    }

    /** The interface's link is not ours to show anything with. */
    @Override
    public void carrier(final boolean up)
    {
    }

    /** What was found when the port was opened, for one line at start. */
    public PortProbe probe()
    {
        return probe;
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            CloseHelper.quietCloseAll(queues);
            link.close();
        }
    }

    PacketOptions options()
    {
        return options;
    }

    boolean hasDoorbell()
    {
        return hasDoorbell;
    }

    int interfaceIndex()
    {
        return link.index();
    }

    boolean hasCarrier()
    {
        return link.hasCarrier();
    }

    /** The longest frame that is not a super-frame. */
    int longestFrame()
    {
        return link.mtu() + OVER_MTU;
    }

    ReceiveLayout receiveLayout()
    {
        return layout;
    }

    TransmitRing transmitRing(final int index)
    {
        return TransmitRing.open(options, index, Math.min(MOST_CONTENT, longestFrame()));
    }

    ReceiveRing receiveRing(final int index)
    {
        // What a slot holds a fragment holds too; everything longer comes through the socket.
        final int most = layout.readLength() - FrameLayout.NET_HEADER;
        return ReceiveRing.open(options, index, Math.min(most, longestFrame()), fanout);
    }

    @Override
    public LinkWatch watch()
    {
        return LinkWatch.ofChanges(link.index());
    }

    /** Also after a frame longer than the MTU allows. */
    @Override
    public synchronized void refresh()
    {
        if (link.refreshMtu())
        {
            LOG.info("{}: the MTU is {} now", name(), link.mtu());
            lookAtDevice();
        }
    }

    /** An interface that was deleted may be there again. @return its index. */
    synchronized int reconfigure()
    {
        final int mtu = link.mtu();
        final int index = link.configure(mtu);
        lookAtDevice();
        return index;
    }

    private void lookAtDevice()
    {
        layout = new ReceiveLayout(ReceiveLayout.of(link.mtu(), Offloads.NONE).slotLength(), true);
        transmittable = options.offloads() & (options.bypassesQdisc() ? ofDevice() : ofKernel());
    }

    /** Past the queueing discipline nobody cuts what the device cannot; checksums the kernel completes anyhow. */
    private int ofDevice()
    {
        final Set<String> features = Ethtool.activeFeatures(options.name());
        int bits = Offloads.CSUM;
        bits |= features.contains("tx-tcp-segmentation") ? Offloads.TSO4 : 0;
        bits |= features.contains("tx-tcp6-segmentation") ? Offloads.TSO6 : 0;
        bits |= features.contains("tx-tcp-ecn-segmentation") ? Offloads.ECN : 0;
        bits |= features.contains("tx-udp-segmentation") && hasUso() ? Offloads.USO4 | Offloads.USO6 : 0;
        return bits;
    }

    private static int ofKernel()
    {
        final int all = Offloads.ALL & ~Offloads.UFO;
        return hasUso() ? all : all & ~(Offloads.USO4 | Offloads.USO6);
    }

    private static boolean hasUso()
    {
        final String[] numbers = System.getProperty("os.version", "").split("\\D+");
        final int major = numbers.length > 0 && !numbers[0].isEmpty() ? Integer.parseInt(numbers[0]) : 0;
        final int minor = numbers.length > 1 ? Integer.parseInt(numbers[1]) : 0;
        return major > USO_MAJOR || USO_MAJOR == major && minor >= USO_MINOR;
    }

    private String describe()
    {
        final String flushing = hasDoorbell ? "doorbell" :
            options.hasDoorbell() ? "no doorbell (one CPU)" : "a flush every " + options.flushThreshold() + " frames";
        return "AF_PACKET rings (TPACKET_V2), MTU " + link.mtu() + (link.hasCarrier() ? "" : ", no carrier") + ", " +
            flushing;
    }
}
