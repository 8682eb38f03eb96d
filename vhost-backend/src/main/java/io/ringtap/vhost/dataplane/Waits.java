package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.events.StallEvent;

/** Why frames of one direction of a queue have to wait: for the other side, because of the operator's limit, or because
 * the guest wasted its workers' time. */
final class Waits
{
    /** Shorter stalls come many a second on a busy port; counters tell of them. */
    private static final long LEAST_NS = 1_000_000;

    private final String port;
    private final int queue;
    private final StallEvent.Reason reason;
    private final RateLimit rate;
    private final FruitlessTime fruitless;
    private final CounterSet<WorkerCounter> counters;
    private long sinceNs;
    private boolean isStalled;
    private boolean isLimited;
    private boolean isResting;
    /** A chain without a frame was seen here: the time of all that follow is taken. */
    private boolean isSuspected;

    /** @param reason what a stall is a wait for. */
    Waits(
        final String port,
        final int queue,
        final StallEvent.Reason reason,
        final RateLimit rate,
        final FruitlessTime fruitless,
        final CounterSet<WorkerCounter> counters)
    {
        this.port = port;
        this.queue = queue;
        this.reason = reason;
        this.rate = rate;
        this.fruitless = fruitless;
        this.counters = counters;
    }

    /** Frames wait for the other side, or do not any more; the clock is read only when that changes. */
    void stalled(final boolean mustWait)
    {
        if (mustWait != isStalled)
        {
            isStalled = mustWait;
            final long nowNs = System.nanoTime();
            if (!mustWait && LEAST_NS <= nowNs - sinceNs)
            {
                StallEvent.tell(port, queue, reason, nowNs - sinceNs);
            }
            sinceNs = nowNs;
        }
    }

    /** Whether no more may be taken for the moment, because what went already was as much as may go. */
    boolean mustHoldOff()
    {
        final boolean mustWait = rate.mustWait();
        if (mustWait && !isLimited)
        {
            counters.increment(WorkerCounter.RATE_LIMITED);
        }
        isLimited = mustWait;
        return mustWait;
    }

    /** What {@link #mustHoldOff()} and {@link #mustRest()} said last. */
    boolean isHoldingOff()
    {
        return isLimited || isResting;
    }

    /** Whether the ring has to be left alone for the moment, because too much of its guest's chains carried nothing. */
    boolean mustRest()
    {
        final boolean mustRest = fruitless.mustRest();
        if (mustRest && !isResting)
        {
            counters.increment(WorkerCounter.RESTED);
        }
        isResting = mustRest;
        return mustRest;
    }

    /** What {@link #mustRest()} said last. */
    boolean isResting()
    {
        return isResting;
    }

    /** Before chains are taken: a time for {@link #took}. Rings that never wasted any cost no reading of the clock. */
    long beginNs()
    {
        return isSuspected ? System.nanoTime() : 0;
    }

    /**
     * Chains were taken.
     *
     * @param beganNs of {@link #beginNs()}.
     * @param chains  how many.
     * @param barren  those of them that carried no frame, or cost more than a frame may.
     */
    void took(final long beganNs, final int chains, final int barren)
    {
        if (0 < barren)
        {
            if (isSuspected)
            {
                final long nowNs = System.nanoTime();
                fruitless.spent((nowNs - beganNs) * barren / chains, nowNs);
            }
            isSuspected = true;
        }
    }

    /** So many bytes went. */
    void went(final long bytes)
    {
        rate.take(bytes);
    }
}
