package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.counters.Histogram;
import io.ringtap.flow.FrameBatch;

import java.util.concurrent.TimeUnit;

/** What a worker counts of one direction: events, how long batches are, and how long frames take. */
public final class DirectionCounters
{
    /** Up to 256 frames, and longer. */
    private static final int BATCH_BUCKETS = 10;
    /** Up to a microsecond, and so on to half a second, and longer. */
    private static final int TIME_BUCKETS = 21;

    private final CounterSet<WorkerCounter> counters;
    private final Histogram batches = new Histogram(BATCH_BUCKETS);
    private final Histogram times = new Histogram(TIME_BUCKETS);

    DirectionCounters(final String scope)
    {
        counters = new CounterSet<>(scope, WorkerCounter.class);
    }

    public CounterSet<WorkerCounter> counters()
    {
        return counters;
    }

    /** Frames of each batch. */
    public Histogram batches()
    {
        return batches;
    }

    /** Microseconds from a frame's arrival in its batch until the batch is done, a value for each frame. */
    public Histogram times()
    {
        return times;
    }

    /** What is left of a batch goes nowhere, because its ring or port went away. */
    void drop(final FrameBatch frames)
    {
        counters.add(WorkerCounter.DROP_STOPPED, frames.readyCount() - frames.sent());
        frames.sent(frames.readyCount());
    }

    /** A batch is done. */
    void took(final long sinceNs, final long untilNs, final int frames)
    {
        if (0 < frames)
        {
            times.record(TimeUnit.NANOSECONDS.toMicros(untilNs - sinceNs), frames);
        }
    }
}
