package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.it.rig.BpfSources;

import java.nio.file.Path;
import java.util.List;

/** What it costs to let programs look at every frame, against nobody looking. */
final class XdpPassScenario implements Scenario
{
    private static final String NOBODY = "no program";
    /** A program may take a twentieth of the way. */
    private static final double GOAL = 0.95;

    @Override
    public String name()
    {
        return "xdp-pass";
    }

    @Override
    public String title()
    {
        return "An attached program that passes";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends UDP frames with checksums into a TAP towards a foreign MAC, and an eBPF " +
            "program looks at each of them: one that only returns XDP_PASS, one that parses to the UDP port, and " +
            "one that may write, for which super-frames would be cut and checksums completed. Packets are counted " +
            "at the TAP.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Path folder = bed.lab().file("objects");
        final Path object = BpfSources.compile("passes", folder);
        final Rows rows = new Rows(bed);
        final OurPaths paths = new OurPaths(bed);
        for (final int length : new int[]{64, 1502})
        {
            for (final int flows : new int[]{1, 256})
            {
                final String name = length + " B, " + flows + (1 == flows ? " flow" : " flows");
                rows.add(name, () -> Comparison.more(bed, name, "Mpps")
                    .side(paths.toTap("pass", length, flows, "--xdp-guest=" + object + ":pass"))
                    .side(paths.toTap(NOBODY, length, flows))
                    .side(paths.toTap("parse", length, flows, "--xdp-guest=" + object + ":parse"))
                    .side(paths.toTap("may write", length, flows, "--xdp-guest=" + object + ":may_write"))
                    .goal(NOBODY, GOAL)
                    .run());
            }
        }
        return rows.list();
    }
}
