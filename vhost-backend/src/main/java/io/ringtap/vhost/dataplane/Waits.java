package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.events.StallEvent;

/** Why frames of one direction of a queue have to wait: for the other side, or because of the operator's limit. */
final class Waits
{
    /** Shorter stalls come many a second on a busy port; counters tell of them. */
    private static final long LEAST_NS = 1_000_000;

    private final String port;
    private final int queue;
    private final StallEvent.Reason reason;
    private final RateLimit rate;
    private final CounterSet<WorkerCounter> counters;
    private long sinceNs;
    private boolean isStalled;
    private boolean isLimited;

    /** @param reason what a stall is a wait for. */
    Waits(
        final String port,
        final int queue,
        final StallEvent.Reason reason,
        final RateLimit rate,
        final CounterSet<WorkerCounter> counters)
    {
        this.port = port;
        this.queue = queue;
        this.reason = reason;
        this.rate = rate;
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

    /** What {@link #mustHoldOff()} said last. */
    boolean isHoldingOff()
    {
        return isLimited;
    }

    /** So many bytes went. */
    void went(final long bytes)
    {
        rate.take(bytes);
    }
}
