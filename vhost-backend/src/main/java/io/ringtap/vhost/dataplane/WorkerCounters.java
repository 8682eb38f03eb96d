package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;

import java.util.List;

/** What one worker counts: by direction where there is one, and all together. */
public final class WorkerCounters
{
    private final DirectionCounters fromGuest;
    private final DirectionCounters toGuest;
    private final CounterSet<WorkerCounter> all;

    WorkerCounters(final int pair)
    {
        fromGuest = new DirectionCounters("worker-" + pair + " from the guest");
        toGuest = new DirectionCounters("worker-" + pair + " to the guest");
        all = new CounterSet<>("worker-" + pair, WorkerCounter.class,
            List.of(fromGuest.counters(), toGuest.counters()));
    }

    public DirectionCounters fromGuest()
    {
        return fromGuest;
    }

    public DirectionCounters toGuest()
    {
        return toGuest;
    }

    /** Both directions, and what belongs to none. */
    public CounterSet<WorkerCounter> all()
    {
        return all;
    }
}
