package io.ringtap.port;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/** What a thread takes from the Java heap for work that is done over and over. */
final class Allocations
{
    private static final int ATTEMPTS = 3;

    private Allocations()
    {
    }

    /**
     * Work that allocates does so each time. What the JVM links on the way, when a place in the code is reached for the
     * first time, comes once, and may come late.
     *
     * @return bytes, the least of some runs after the first one.
     */
    static long least(final Runnable work)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        work.run();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            work.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
