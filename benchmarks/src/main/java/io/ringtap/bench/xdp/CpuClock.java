package io.ringtap.bench.xdp;

import io.ringtap.bench.harness.Sample;
import io.ringtap.sys.Affinity;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * Processor time of a thread of its own, on one CPU, for each frame. The median of many short rounds: what others do on
 * the same cores is then in few of them.
 */
final class CpuClock
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MOST_ROUNDS = 100_000;

    private CpuClock()
    {
    }

    /** @param round does a share of the work and says how many frames that was. */
    static Sample measure(final int cpu, final double seconds, final IntSupplier round)
    {
        final double[] perFrame = new double[MOST_ROUNDS];
        final int[] rounds = new int[1];
        final Throwable[] failure = new Throwable[1];
        final Thread thread = new Thread(() ->
        {
            Affinity.pin(cpu);
            final long end = System.nanoTime() + (long)(seconds * 1e9);
            while (rounds[0] < MOST_ROUNDS && System.nanoTime() - end < 0)
            {
                final long start = THREADS.getCurrentThreadCpuTime();
                final int frames = round.getAsInt();
                perFrame[rounds[0]++] = (THREADS.getCurrentThreadCpuTime() - start) / (double)frames;
            }
        }, "program");
        thread.setUncaughtExceptionHandler((from, why) -> failure[0] = why);
        thread.start();
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (null != failure[0])
        {
            throw new IllegalStateException(failure[0]);
        }
        final double[] sorted = Arrays.copyOf(perFrame, rounds[0]);
        Arrays.sort(sorted);
        final double median = sorted[sorted.length / 2];
        return new Sample(median, median);
    }
}
