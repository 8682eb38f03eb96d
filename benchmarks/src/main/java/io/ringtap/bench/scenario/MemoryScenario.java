package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.Side;
import io.ringtap.bench.path.PathSide;

import java.util.List;

/** What a backend keeps in memory after work. */
final class MemoryScenario implements Scenario
{
    private static final int MIB_IN_KIB = 1024;

    @Override
    public String name()
    {
        return "memory";
    }

    @Override
    public String title()
    {
        return "Resident memory";
    }

    @Override
    public String about()
    {
        return "The built-in guest has sent 64-byte frames into a TAP for the length of a turn; then what is " +
            "resident of the backend's process besides the guest's shared memory (RssAnon and RssFile).";
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
        rows.add("one port", () ->
        {
            final PathSide path = new OurPaths(bed).toTap("ringtap", 64, 256);
            return Comparison.less(bed, "one port, one queue pair", "MiB").side(resident(path)).goal(64).run();
        });
        return rows.list();
    }

    private static Side resident(final PathSide path)
    {
        return new Side(path.label())
        {
            @Override
            public Sample measure(final double seconds)
            {
                path.measure(seconds);
                return Sample.of((double)path.backEnd().view().ownResidentKib() / MIB_IN_KIB);
            }

            @Override
            public void close()
            {
                path.close();
            }
        };
    }
}
