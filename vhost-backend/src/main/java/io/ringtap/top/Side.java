package io.ringtap.top;

import java.util.Map;

/**
 * What was counted of one direction of a queue, up to a moment or within a time.
 *
 * @param counters  the worker's, by their labels; those that are 0 may be missing.
 * @param port      of the port's queue.
 * @param ring      of the guest's ring.
 * @param batches   batches by their length, in buckets of doubling width.
 * @param latencies frames by their time in microseconds, in such buckets.
 */
record Side(
    Map<String, Long> counters,
    Map<String, Long> port,
    Map<String, Long> ring,
    Distribution batches,
    Distribution latencies)
{
    static final Side NONE = new Side(Map.of(), Map.of(), Map.of(), Distribution.EMPTY, Distribution.EMPTY);

    long count(final String label)
    {
        return counters.getOrDefault(label, 0L);
    }

    long ofPort(final String label)
    {
        return port.getOrDefault(label, 0L);
    }

    /** What came since an earlier moment; everything when a counter went back, because the backend is another. */
    Side since(final Side earlier)
    {
        return new Side(Maths.since(counters, earlier.counters), Maths.since(port, earlier.port),
            Maths.since(ring, earlier.ring), batches.since(earlier.batches), latencies.since(earlier.latencies));
    }

    Side plus(final Side other)
    {
        return new Side(Maths.plus(counters, other.counters), Maths.plus(port, other.port),
            Maths.plus(ring, other.ring), batches.plus(other.batches), latencies.plus(other.latencies));
    }
}
