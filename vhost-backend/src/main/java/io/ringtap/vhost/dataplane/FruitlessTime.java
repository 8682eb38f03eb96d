package io.ringtap.vhost.dataplane;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that the workers of a NIC spent on chains that carried no frame. A little of it is forgiven, for a driver that
 * errs; beyond that the NIC's rings rest fifteen times as long as they wasted, so that whoever shows nothing but broken
 * or endless chains has a sixteenth of one thread's time, and its neighbours have the rest, on a thread that they share
 * as on a CPU that they share.
 * <p>
 * Kept as the time at which all is atoned for, so that taking from it is one atomic step of any of the workers. Nothing
 * of this costs a NIC without fruitless time anything but a read.
 */
public final class FruitlessTime
{
    /** Of one nanosecond wasted: itself and the rest after it. */
    static final int FACTOR = 16;
    /** Rest that is forgiven: the time of a thousand bad chains. */
    static final long FORGIVEN_NS = 2_000_000;

    private static final long NOTHING = 0;

    private final AtomicLong atonedAtNs = new AtomicLong();

    /** Nothing was wasted so far. */
    public FruitlessTime()
    {
    }

    /** So much time brought nothing. */
    void spent(final long ns, final long nowNs)
    {
        long before = atonedAtNs.get();
        while (!atonedAtNs.compareAndSet(before, after(before, nowNs, ns * FACTOR)))
        {
            before = atonedAtNs.get();
        }
    }

    private static long after(final long atonedAtNs, final long nowNs, final long costNs)
    {
        final long from = atonedAtNs == NOTHING || atonedAtNs - nowNs < 0 ? nowNs : atonedAtNs;
        return from + costNs == NOTHING ? 1 : from + costNs;
    }

    /** Whether the NIC's rings have to be left alone for the moment. */
    boolean mustRest()
    {
        return atonedAtNs.get() != NOTHING && mustRest(System.nanoTime());
    }

    boolean mustRest(final long nowNs)
    {
        final long atonedAt = atonedAtNs.get();
        if (atonedAt == NOTHING)
        {
            return false;
        }
        if (atonedAt - nowNs < 0)
        {
            // Lost against a worker that just wasted more: it is asked again in its next turn.
            atonedAtNs.compareAndSet(atonedAt, NOTHING);
            return false;
        }
        return FORGIVEN_NS < atonedAt - nowNs;
    }
}
