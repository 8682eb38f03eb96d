package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.DeviceCounters;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.RingtapBackEnd;

import java.util.List;

/** Frames of 64 KiB that the kernel is to segment. */
final class TsoScenario implements Scenario
{
    private static final String OURS = "rtso";
    private static final int SEGMENTS = 45;

    @Override
    public String name()
    {
        return "tso";
    }

    @Override
    public String title()
    {
        return "Guest to TAP, TCP super-frames of 64 KB";
    }

    @Override
    public String about()
    {
        return "The built-in front-end (DPDK's generator makes none) sends TCP frames of 45 segments of 1448 bytes " +
            "to a MAC address that nobody has; counted in bytes at the TAP. The loop in C writes one such frame " +
            "over and over.";
    }

    @Override
    public boolean needsPeers()
    {
        return true;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Rows rows = new Rows(bed);
        rows.add("65 KB", () ->
        {
            final BackEnd backEnd = RingtapBackEnd.serve(bed, "--tap=" + OURS);
            bed.raise(OURS);
            final DeviceCounters counters = bed.device(OURS);
            final PathSide ours = new PathSide("ringtap", backEnd)
                .with(BuiltInGuest.connect(bed, backEnd.socket(), "tcp=true", "segments=" + SEGMENTS, "size=1502",
                    "checksum=PARTIAL", "ring=256"))
                .counting(counters::receivedBytes)
                .countsPerPacket(1448)
                .scale(8e-9);
            return Comparison.more(bed, "65 KB", "Gbit/s")
                .side(ours)
                .side(new Loops(bed, "ctso", 0).tso())
                .goal(Loops.TSO, 0.6)
                .run();
        });
        return rows.list();
    }
}
