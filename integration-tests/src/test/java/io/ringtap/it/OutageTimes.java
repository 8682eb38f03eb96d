package io.ringtap.it;

import java.util.ArrayList;
import java.util.List;

/**
 * How long traffic was away, time after time. Reported and counted, never judged: on a busy machine any of them may be
 * long, and what must hold is that it comes back.
 */
final class OutageTimes
{
    private static final long NS_PER_MS = 1_000_000;

    private final List<Long> times = new ArrayList<>();
    private final long goalMs;

    /** @param goalMs what is aimed at; those within it are counted. */
    OutageTimes(final long goalMs)
    {
        this.goalMs = goalMs;
    }

    void add(final long ns)
    {
        times.add(ns / NS_PER_MS);
    }

    @Override
    public String toString()
    {
        if (times.isEmpty())
        {
            return "no outage";
        }
        final List<Long> sorted = times.stream().sorted().toList();
        return "least " + sorted.get(0) + ", median " + at(sorted, 50) + ", p99 " + at(sorted, 99) + ", greatest " +
            sorted.get(sorted.size() - 1) + " ms; " + sorted.stream().filter((ms) -> ms < goalMs).count() + " of " +
            sorted.size() + " within " + goalMs + " ms";
    }

    /** The least value that so many in a hundred do not exceed. */
    private static long at(final List<Long> sorted, final int percent)
    {
        return sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }
}
