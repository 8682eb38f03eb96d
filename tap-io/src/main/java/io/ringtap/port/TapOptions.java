package io.ringtap.port;

import io.ringtap.flow.Offloads;
import io.ringtap.frag.PageArena;

import java.util.List;

/** How a TAP is opened: fluent, each setting with its default. {@code x()} reads, {@code x(value)} sets. */
public final class TapOptions
{
    /** A number that was not given: what is found stays. */
    public static final int UNSET = -1;

    /** The frames of a batch; one submission takes them all. */
    public static final int DEFAULT_FLUSH_THRESHOLD = 64;

    /** Unlimited: a condition of the kernel's build_skb path, which copies a small frame once (drivers/net/tun.c). */
    public static final int DEFAULT_SEND_BUFFER = Integer.MAX_VALUE;

    private String name = "tap%d";
    private List<Integer> descriptors = List.of();
    private int queues = 1;
    private int mtu = UNSET;
    private long mac = UNSET;
    private String bridge;
    private PortIo io = PortIo.AUTO;
    private int flushThreshold = DEFAULT_FLUSH_THRESHOLD;
    private int batch = DEFAULT_FLUSH_THRESHOLD;
    private int sendBuffer = DEFAULT_SEND_BUFFER;
    private int offloads = Offloads.ALL;
    private PageArena registeredArena;

    /** Interface name; may hold %d for the kernel to number. */
    public String name()
    {
        return name;
    }

    public TapOptions name(final String interfaceName)
    {
        name = interfaceName;
        return this;
    }

    /** Open TAP descriptors of a privileged parent, one a queue; empty when the TAP is opened by name. */
    public List<Integer> descriptors()
    {
        return descriptors;
    }

    /** The port owns them from {@link TapPort#open} on, also when that fails. */
    public TapOptions descriptors(final List<Integer> numbers)
    {
        descriptors = List.copyOf(numbers);
        return this;
    }

    public int queues()
    {
        return descriptors.isEmpty() ? queues : descriptors.size();
    }

    public TapOptions queues(final int count)
    {
        queues = count;
        return this;
    }

    /** MTU to set, or {@link #UNSET}. */
    public int mtu()
    {
        return mtu;
    }

    public TapOptions mtu(final int bytes)
    {
        mtu = bytes;
        return this;
    }

    /** Address of the host's interface (not the guest's), first byte in the low bits, or {@link #UNSET}. */
    public long mac()
    {
        return mac;
    }

    public TapOptions mac(final long address)
    {
        mac = address;
        return this;
    }

    /** Bridge that the TAP joins; null for none. */
    public String bridge()
    {
        return bridge;
    }

    public TapOptions bridge(final String bridgeName)
    {
        bridge = bridgeName;
        return this;
    }

    public PortIo io()
    {
        return io;
    }

    public TapOptions io(final PortIo mode)
    {
        io = mode;
        return this;
    }

    /** Frames after which a submission is made, at the latest at the end of a batch; 1 is a call a frame. */
    public int flushThreshold()
    {
        return flushThreshold;
    }

    public TapOptions flushThreshold(final int frames)
    {
        flushThreshold = frames;
        return this;
    }

    /** The most frames that one call of transmit or receive will see. */
    public int batch()
    {
        return batch;
    }

    public TapOptions batch(final int frames)
    {
        batch = frames;
        return this;
    }

    /** Bytes the kernel may hold of ours before it answers EAGAIN. */
    public int sendBuffer()
    {
        return sendBuffer;
    }

    public TapOptions sendBuffer(final int bytes)
    {
        sendBuffer = bytes;
        return this;
    }

    /** The most that receiving may engage, as {@link Offloads} bits. */
    public int offloads()
    {
        return offloads;
    }

    public TapOptions offloads(final int bits)
    {
        offloads = bits;
        return this;
    }

    /** The arena of the fragments when it is to be registered with io_uring, else null. */
    public PageArena registeredArena()
    {
        return registeredArena;
    }

    /**
     * Registers the arena once with each queue's ring, so that the kernel need not look up a small frame's page. Costs
     * residence: all of the arena is pinned, and counts against RLIMIT_MEMLOCK; where that refuses it is left out.
     */
    public TapOptions registeredArena(final PageArena arena)
    {
        registeredArena = arena;
        return this;
    }
}
