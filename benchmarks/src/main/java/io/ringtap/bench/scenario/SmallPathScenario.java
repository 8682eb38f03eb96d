package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;

import java.util.List;

/** One copy of a small frame into a page fragment, against gathering it from guest memory. */
final class SmallPathScenario implements Scenario
{
    private static final int FLOWS = 256;
    /** One less than no limit: the kernel leaves its build_skb path, and nothing else changes. */
    private static final int ALMOST_NO_LIMIT = Integer.MAX_VALUE - 1;

    @Override
    public String name()
    {
        return "small-path";
    }

    @Override
    public String title()
    {
        return "Idea: the small-packet path";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends UDP frames of 256 flows, so that nothing can be merged, into a TAP towards " +
            "a foreign MAC. On: a frame is copied whole, once. Off: 128 bytes are copied and the rest is written " +
            "from guest memory. The last rows keep the kernel from its own build_skb path by a limit on the TAP's " +
            "queue.";
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
        for (final int length : new int[]{256, 1500})
        {
            rows.add(length + " B", () -> Comparison.more(bed, length + " B, our copy", "Mpps")
                .side(paths.toTap("on", length, FLOWS))
                .side(paths.toTap("off", length, FLOWS, "-Dringtap.tuning.copied-bytes=128"))
                .run());
        }
        for (final int length : new int[]{64, 1500})
        {
            rows.add(length + " B", () -> Comparison.more(bed, length + " B, the kernel's build_skb", "Mpps")
                .side(paths.toTap("on", length, FLOWS))
                .side(paths.toTap("off", length, FLOWS, "-Dringtap.tuning.send-buffer=" + ALMOST_NO_LIMIT))
                .run());
        }
        return rows.list();
    }
}
