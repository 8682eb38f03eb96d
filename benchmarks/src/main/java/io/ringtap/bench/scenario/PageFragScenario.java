package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.Side;
import io.ringtap.bench.path.FragSide;
import io.ringtap.frag.FragPlan;
import io.ringtap.frag.FragStrategy;

import java.util.List;

/** Page fragments, shared or not, against a full page a frame. */
final class PageFragScenario implements Scenario
{
    private static final String FULL_PAGE = "full page";
    private static final double GOAL = 1.23;
    private static final int MIB = 1 << 20;

    @Override
    public String name()
    {
        return "page-frags";
    }

    @Override
    public String title()
    {
        return "Idea: page fragments";
    }

    @Override
    public String about()
    {
        return "First the allocators alone: each thread takes 64 slots of 2048 bytes, writes 64 bytes into each and " +
            "gives them back. Then the way of a 64-byte frame from the built-in guest to nowhere, with 1, 2 and 4 " +
            "queue pairs; more than one share two CPUs with the guest. Last the memory that receive buffers of 8 " +
            "queues x 4096 x 9 KB take, by arithmetic.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Rows rows = new Rows(bed);
        for (final int threads : new int[]{1, 2, 4})
        {
            final String name = "allocator alone, " + threads + (1 == threads ? " thread" : " threads");
            rows.add(name, () -> Comparison.more(bed, name, "M slots/s")
                .side(new FragSide("shared", FragStrategy.SHARED, threads))
                .side(new FragSide("per queue", FragStrategy.PER_QUEUE, threads))
                .side(new FragSide(FULL_PAGE, FragStrategy.FULL_PAGE, threads))
                .run());
        }
        for (final int pairs : new int[]{1, 2, 4})
        {
            final String name = "64 B, " + pairs + (1 == pairs ? " queue pair" : " queue pairs");
            rows.add(name, () -> overPairs(bed, name, pairs));
        }
        rows.add("memory", () -> memory(bed));
        return rows.list();
    }

    private static Row overPairs(final Bed bed, final String name, final int pairs)
    {
        final OurPaths paths = new OurPaths(bed);
        return Comparison.more(bed, name, "Mpps")
            .side(paths.toNull("shared", 64, pairs, "--frag=shared"))
            .side(paths.toNull("per queue", 64, pairs, "--frag=per-queue"))
            .side(paths.toNull(FULL_PAGE, 64, pairs, "--frag=full-page"))
            .goal(FULL_PAGE, GOAL)
            .run();
    }

    private static Row memory(final Bed bed)
    {
        final FragPlan plan = new FragPlan(8, 4096, 9000);
        return Comparison.less(bed, "8 queues x 4096 x 9 KB", "MiB")
            .side(constant("page fragments", (double)plan.pageFragmentBytes() / MIB))
            .side(constant("a buffer each", (double)plan.perBufferBytes() / MIB))
            .goal("a buffer each", 0.67)
            .run();
    }

    private static Side constant(final String label, final double value)
    {
        return new Side(label)
        {
            @Override
            public Sample measure(final double seconds)
            {
                return Sample.of(value);
            }
        };
    }
}
