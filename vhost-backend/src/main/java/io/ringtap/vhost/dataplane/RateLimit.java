package io.ringtap.vhost.dataplane;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast the frames of one direction of a NIC may go, over all its queues: a token bucket, kept as the time at which
 * it will be full again, so that taking from it is one atomic step and no thread fills it. Batches go whole: what they
 * take too much is waited for afterwards.
 */
public final class RateLimit
{
    /** No limit. */
    public static final long NONE = 0;
    /** Slower would keep a super-frame waiting for more than half a second. */
    public static final long MIN_BITS = 1_000_000;
    /** Beyond what one process can do. */
    public static final long MAX_BITS = 1_000_000_000_000L;

    /** What may go at once after a pause, as time: long enough that sleeps of a millisecond cost nothing. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double BITS_A_BYTE_A_SECOND_NS = 8e9;

    private final AtomicLong fullAtNs = new AtomicLong();
    private volatile long bitsPerSecond;

    /** Without a limit. */
    public RateLimit()
    {
    }

    /** Any thread, at any time; {@link #NONE} takes the limit away. */
    public void bitsPerSecond(final long bits)
    {
        fullAtNs.set(System.nanoTime());
        bitsPerSecond = bits;
    }

    public long bitsPerSecond()
    {
        return bitsPerSecond;
    }

    /** Whether frames have to wait. Without a limit it costs a read. */
    boolean mustWait()
    {
        return NONE != bitsPerSecond && mustWait(System.nanoTime());
    }

    boolean mustWait(final long nowNs)
    {
        return BURST_NS < fullAtNs.get() - nowNs;
    }

    /** So many bytes went. */
    void take(final long bytes)
    {
        if (NONE != bitsPerSecond)
        {
            take(bytes, System.nanoTime());
        }
    }

    void take(final long bytes, final long nowNs)
    {
        final long costNs = (long)(bytes * BITS_A_BYTE_A_SECOND_NS / Math.max(1, bitsPerSecond));
        long full = fullAtNs.get();
        while (!fullAtNs.compareAndSet(full, (full - nowNs < 0 ? nowNs : full) + costNs))
        {
            full = fullAtNs.get();
        }
    }
}
