package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;

/** How an AF_PACKET port is opened: fluent, each setting with its default. */
public final class PacketOptions
{
    /** A number that was not given: what is found stays. */
    public static final int UNSET = -1;

    /** A whole batch: see docs/decisions.md for what other numbers cost. */
    public static final int DEFAULT_FLUSH_THRESHOLD = 64;

    /** The flusher finds out by itself how long looking for more pays. */
    public static final int ADAPTIVE_LINGER = -1;

    private String name;
    private int queues = 1;
    private int mtu = UNSET;
    private int batch = DEFAULT_FLUSH_THRESHOLD;
    private int flushThreshold = DEFAULT_FLUSH_THRESHOLD;
    private boolean hasDoorbell;
    private int lingerUs = ADAPTIVE_LINGER;
    private int offloads = Offloads.ALL;
    private int transmitSlots = 512;
    private int receiveSlots = 2048;
    private boolean bypassesQdisc = true;
    private int netHeader = FrameLayout.NET_HEADER;

    /** Interface name; it must exist. */
    public String name()
    {
        return name;
    }

    public PacketOptions name(final String interfaceName)
    {
        name = interfaceName;
        return this;
    }

    public int queues()
    {
        return queues;
    }

    public PacketOptions queues(final int count)
    {
        queues = count;
        return this;
    }

    /** MTU to set, or {@link #UNSET}. */
    public int mtu()
    {
        return mtu;
    }

    public PacketOptions mtu(final int bytes)
    {
        mtu = bytes;
        return this;
    }

    /** The most frames that one call of transmit or receive will see. */
    public int batch()
    {
        return batch;
    }

    public PacketOptions batch(final int frames)
    {
        batch = frames;
        return this;
    }

    /** Frames written into the ring before the kernel is told, at the latest at the end of a batch. */
    public int flushThreshold()
    {
        return flushThreshold;
    }

    public PacketOptions flushThreshold(final int frames)
    {
        flushThreshold = frames;
        return this;
    }

    /** Whether a thread of its own tells the kernel, so that the worker makes no system call to send. */
    public boolean hasDoorbell()
    {
        return hasDoorbell;
    }

    public PacketOptions doorbell(final boolean on)
    {
        hasDoorbell = on;
        return this;
    }

    /** Microseconds that the flusher looks for more frames before it sleeps, or {@link #ADAPTIVE_LINGER}. */
    public int lingerUs()
    {
        return lingerUs;
    }

    public PacketOptions lingerUs(final int microseconds)
    {
        lingerUs = microseconds;
        return this;
    }

    /** The most that sending and receiving may use, as {@link Offloads} bits. */
    public int offloads()
    {
        return offloads;
    }

    public PacketOptions offloads(final int bits)
    {
        offloads = bits;
        return this;
    }

    /** Frames that the ring towards the kernel holds, at least. */
    public int transmitSlots()
    {
        return transmitSlots;
    }

    public PacketOptions transmitSlots(final int frames)
    {
        transmitSlots = frames;
        return this;
    }

    /** Frames that the ring from the kernel holds, at least: what may come while the worker is not scheduled. */
    public int receiveSlots()
    {
        return receiveSlots;
    }

    public PacketOptions receiveSlots(final int frames)
    {
        receiveSlots = frames;
        return this;
    }

    /** Whether frames go to the driver past the interface's queueing discipline. */
    public boolean bypassesQdisc()
    {
        return bypassesQdisc;
    }

    public PacketOptions bypassesQdisc(final boolean on)
    {
        bypassesQdisc = on;
        return this;
    }

    /** The longest net header to ask the kernel for. */
    int netHeader()
    {
        return netHeader;
    }

    /** Behaves as on a kernel before 6.5 when told so. */
    PacketOptions netHeader(final int length)
    {
        netHeader = length;
        return this;
    }
}
