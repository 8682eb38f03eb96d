package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;

import java.util.List;

/** How many frames wait for one entry into the kernel. */
final class FlushThresholdScenario implements Scenario
{
    @Override
    public String name()
    {
        return "flush-threshold";
    }

    @Override
    public String title()
    {
        return "Idea: deferred flush";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends 64-byte UDP frames of 256 flows into a TAP towards a foreign MAC; the " +
            "backend enters the kernel once a so many frames (`--flush-threshold`), at the latest at the end of a " +
            "batch of 64.";
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
        rows.add("64 B, 256 flows", () -> Comparison.more(bed, "64 B, 256 flows", "Mpps")
            .side(paths.toTap("default", 64, 256))
            .side(paths.toTap("1", 64, 256, "--flush-threshold=1"))
            .side(paths.toTap("8", 64, 256, "--flush-threshold=8"))
            .side(paths.toTap("32", 64, 256, "--flush-threshold=32"))
            .side(paths.toTap("64", 64, 256, "--flush-threshold=64"))
            .run());
        return rows.list();
    }
}
