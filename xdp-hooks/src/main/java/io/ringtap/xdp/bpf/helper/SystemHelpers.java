package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;

import java.util.concurrent.ThreadLocalRandom;

/** Helpers that say where and when a program runs. */
final class SystemHelpers
{
    /** Ticks of a kernel with HZ=250, Debian's. */
    private static final long NS_PER_TICK = 4_000_000;
    /** Where jiffies begin: five minutes before 32 bits are full. */
    private static final long FIRST_TICK = (1L << 32) - 300 * 250;

    private SystemHelpers()
    {
    }

    /** The queue: what has one for each CPU in the kernel has one for each queue here. */
    static long processor(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return c.queue();
    }

    /** All queues share their maps' memory, wherever it is: one node. */
    static long node(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return 0;
    }

    /** CLOCK_MONOTONIC, which is what Java reads on Linux. */
    static long monotonic(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return System.nanoTime();
    }

    /** As long as the machine never sleeps, CLOCK_BOOTTIME is CLOCK_MONOTONIC; one that serves guests does not. */
    static long sinceBoot(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return System.nanoTime();
    }

    /** The time of the last tick. */
    static long coarse(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long now = System.nanoTime();
        return now - Long.remainderUnsigned(now, NS_PER_TICK);
    }

    static long ticks(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return FIRST_TICK + System.nanoTime() / NS_PER_TICK;
    }

    static long random(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return ThreadLocalRandom.current().nextInt() & 0xffff_ffffL;
    }
}
