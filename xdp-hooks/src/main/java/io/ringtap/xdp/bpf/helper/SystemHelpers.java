package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;

import java.util.concurrent.ThreadLocalRandom;

/** Helpers that say where and when a program runs. */
final class SystemHelpers
{
    private SystemHelpers()
    {
    }

    /** The queue: what has one for each CPU in the kernel has one for each queue here. */
    static long processor(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return c.queue();
    }

    /** CLOCK_MONOTONIC, which is what Java reads on Linux. */
    static long monotonic(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return System.nanoTime();
    }

    static long random(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return ThreadLocalRandom.current().nextInt() & 0xffff_ffffL;
    }
}
