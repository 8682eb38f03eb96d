package io.ringtap.bench.ring;

import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

/**
 * Prints what one chain costs the device: take, copy, complete and its share of one publication. Driver and device take
 * turns in one thread, and only the device's turns are timed; what other cores add to a real ring is not in it.
 * <p>
 * Each figure is the median of all turns, and the tenth percentile beside it: on a shared machine that is the one to
 * compare. Run it with the flags of production, which it checks:
 * {@code java -Dagrona.disable.bounds.checks=true --add-opens java.base/jdk.internal.misc=ALL-UNNAMED
 * -cp ... io.ringtap.bench.ring.RingCost [part of a row's name]}.
 */
public final class RingCost
{
    private static final int BATCH = 64;
    private static final int TURNS = 40_000;
    private static final int ROUNDS = 8;
    private static final int[] FRAMES = {64, 256, 1500};

    private RingCost()
    {
    }

    public static void main(final String[] arguments)
    {
        if (UnsafeBuffer.SHOULD_BOUNDS_CHECK)
        {
            System.err.println("bounds checks are on: run with -Dagrona.disable.bounds.checks=true");
        }
        final String part = arguments.length == 0 ? "" : arguments[0];
        System.out.printf("%-30s %14s %14s %14s%n", "ns a chain, batches of " + BATCH, "median", "p10", "p10, no copy");
        for (final boolean isPacked : new boolean[]{false, true})
        {
            for (final ChainShape shape : ChainShape.values())
            {
                for (final int frame : FRAMES)
                {
                    final String name = (isPacked ? "packed " : "split ") + shape.label() + " " + frame + " B";
                    if (name.contains(part))
                    {
                        print(name, isPacked, shape, frame);
                    }
                }
            }
        }
    }

    private static void print(final String name, final boolean isPacked, final ChainShape shape, final int frame)
    {
        final long features = NetFeatures.bit(NetFeatures.VERSION_1) | NetFeatures.bit(NetFeatures.INDIRECT_DESC) |
            NetFeatures.bit(NetFeatures.EVENT_IDX) | (isPacked ? NetFeatures.bit(NetFeatures.RING_PACKED) : 0);
        try (RingPair copying = new RingPair(features, shape, frame, true);
            RingPair looking = new RingPair(features, shape, frame, false))
        {
            final double[] whole = measure(copying);
            final double[] ringOnly = measure(looking);
            System.out.printf("%-30s %14.1f %14.1f %14.1f%n", name, whole[1], whole[0], ringOnly[0]);
        }
    }

    /** Tenth percentile and median of the last rounds; the first ones warm up. */
    private static double[] measure(final RingPair pair)
    {
        final double[] tenth = new double[ROUNDS / 2];
        final double[] median = new double[ROUNDS / 2];
        final long[] turnNs = new long[TURNS];
        for (int round = 0; round < ROUNDS; round++)
        {
            for (int turn = 0; turn < TURNS; turn++)
            {
                pair.offer(BATCH);
                final long startNs = System.nanoTime();
                final int served = pair.serve();
                turnNs[turn] = System.nanoTime() - startNs;
                if (served != BATCH)
                {
                    throw new IllegalStateException(served + " chains came of " + BATCH);
                }
                pair.collect();
            }
            Arrays.sort(turnNs);
            final int late = round - ROUNDS / 2;
            if (late >= 0)
            {
                tenth[late] = (double)turnNs[TURNS / 10] / BATCH;
                median[late] = (double)turnNs[TURNS / 2] / BATCH;
            }
        }
        Arrays.sort(tenth);
        Arrays.sort(median);
        return new double[]{tenth[0], median[ROUNDS / 4]};
    }
}
