package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;

import java.util.List;

/** Grouping by flow and merging runs, against leaving a batch as it came. */
final class FlowSortScenario implements Scenario
{
    private static final String BOTH_OFF = "both off";
    private static final double GOAL = 2.0;

    @Override
    public String name()
    {
        return "flow-sort";
    }

    @Override
    public String title()
    {
        return "Idea: flow-sorted batches, merged";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends UDP frames with checksums, of one, two or 256 flows in turn, into a TAP " +
            "towards a foreign MAC. Packets are counted at the TAP, those inside super-frames each. 1502-byte " +
            "frames carry 1460 bytes.";
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
        final OurPaths paths = new OurPaths(bed);
        for (final int length : new int[]{64, 1502})
        {
            for (final int flows : new int[]{1, 2, 256})
            {
                final String name = length + " B, " + flows + (1 == flows ? " flow" : " flows");
                rows.add(name, () ->
                {
                    final Comparison comparison = Comparison.more(bed, name, "Mpps")
                        .side(paths.toTap("sort and merge", length, flows))
                        .side(paths.toTap("sort alone", length, flows, "--coalesce=off"))
                        .side(paths.toTap("merge alone", length, flows, "--flow-sort=off"))
                        .side(paths.toTap(BOTH_OFF, length, flows, "--flow-sort=off", "--coalesce=off"));
                    return (2 == flows ? comparison.goal(BOTH_OFF, GOAL) : comparison).run();
                });
            }
        }
        return rows.list();
    }
}
