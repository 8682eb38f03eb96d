package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.PathSide;

import java.util.List;
import java.util.function.BiFunction;

/** What counting costs, against a process that does not count. */
final class CountersScenario implements Scenario
{
    private static final String COUNTED = "counted";
    private static final String NOT = "not counted";
    private static final String AGAIN = "counted, another process";
    private static final String OFF = "-Dringtap.tuning.counting=false";
    private static final int LENGTH = 64;
    private static final int FLOWS = 256;
    private static final double GOAL = 0.97;

    @Override
    public String name()
    {
        return "counters";
    }

    @Override
    public String title()
    {
        return "Counters and histograms";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends 64-byte UDP frames of 256 flows into a TAP, or to a port that swallows " +
            "them. Counters and histograms are written once a batch; the other side is a process of which they are " +
            "compiled out. Two processes that do the same differ too: the third side is a second one that counts, " +
            "and says by how much.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final OurPaths paths = new OurPaths(bed);
        final Rows rows = new Rows(bed);
        compare(rows, bed, "to nowhere", (label, words) -> paths.toNull(label, LENGTH, 1, words));
        compare(rows, bed, "to a TAP", (label, words) -> paths.toTap(label, LENGTH, FLOWS, words));
        return rows.list();
    }

    private static void compare(
        final Rows rows, final Bed bed, final String name, final BiFunction<String, String[], PathSide> path)
    {
        rows.add(name, () -> Comparison.more(bed, name, "Mpps")
            .side(path.apply(COUNTED, new String[0]))
            .side(path.apply(NOT, new String[]{OFF}))
            .side(path.apply(AGAIN, new String[0]))
            .goal(NOT, GOAL)
            .run());
    }
}
