package io.ringtap.port;

/** How an AF_XDP port is opened: fluent, each setting with its default. {@code x()} reads, {@code x(value)} sets. */
public final class XskOptions
{
    /** Frames that may lie in front of the guest: about what a TAP's queue holds. */
    static final int DEFAULT_RING = 1024;

    private String name;
    private int queues = 1;
    private int mtu = TapOptions.UNSET;
    private XskMode mode = XskMode.AUTO;
    private int batch = TapOptions.DEFAULT_FLUSH_THRESHOLD;
    private int flushThreshold = TapOptions.DEFAULT_FLUSH_THRESHOLD;
    private int ring = DEFAULT_RING;

    public String name()
    {
        return name;
    }

    public XskOptions name(final String interfaceName)
    {
        name = interfaceName;
        return this;
    }

    /** Queues of the device, from 0 on. */
    public int queues()
    {
        return queues;
    }

    public XskOptions queues(final int count)
    {
        queues = count;
        return this;
    }

    /** MTU to set, or {@link TapOptions#UNSET}. */
    public int mtu()
    {
        return mtu;
    }

    public XskOptions mtu(final int bytes)
    {
        mtu = bytes;
        return this;
    }

    public XskMode mode()
    {
        return mode;
    }

    public XskOptions mode(final XskMode wanted)
    {
        mode = wanted;
        return this;
    }

    /** The most frames that one call of transmit or receive will see. */
    public int batch()
    {
        return batch;
    }

    public XskOptions batch(final int frames)
    {
        batch = frames;
        return this;
    }

    /** Frames after which the kernel is called, at the latest at the end of a batch. */
    public int flushThreshold()
    {
        return flushThreshold;
    }

    public XskOptions flushThreshold(final int frames)
    {
        flushThreshold = frames;
        return this;
    }

    /** Entries of each ring, a power of two. */
    public int ring()
    {
        return ring;
    }

    public XskOptions ring(final int entries)
    {
        ring = entries;
        return this;
    }
}
