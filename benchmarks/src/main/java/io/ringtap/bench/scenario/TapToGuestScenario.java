package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.ProgramSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.bench.path.TapLoad;
import io.ringtap.bench.path.TestpmdBackEnd;

import java.util.List;

/** From the TAP into the guest, more than anybody can take. */
final class TapToGuestScenario implements Scenario
{
    private static final int FLOWS = 64;
    /** What arrives while the guest waits for the sender's slice of the CPU has to fit. */
    private static final int RING = 4096;

    @Override
    public String name()
    {
        return "tap-to-guest";
    }

    @Override
    public String title()
    {
        return "TAP to guest";
    }

    @Override
    public String about()
    {
        return "A program in C sends UDP frames of 64 flows out of the TAP from one CPU, as many as it can; the " +
            "back-end reads them on the other CPU and puts them into the guest's ring, without offloads. The " +
            "built-in guest takes them on the sender's CPU and sleeps between batches: DPDK's driver would poll and " +
            "leave the sender half a CPU. The loops in C only read.";
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
        for (final int length : new int[]{64, 1500})
        {
            rows.add(length + " B", () -> compare(bed, length));
        }
        return rows.list();
    }

    private static Row compare(final Bed bed, final int length)
    {
        final BackEnd ours = RingtapBackEnd.serve(bed, "--tap=rin" + length);
        final BackEnd theirs = TestpmdBackEnd.toTap(bed, "din" + length);
        bed.raise("rin" + length);
        bed.raise("din" + length);
        return Comparison.more(bed, length + " B", "Mpps")
            .side(side(bed, "ringtap", ours, "rin" + length, length))
            .side(side(bed, Loops.TESTPMD_TAP, theirs, "din" + length, length))
            .side(reader(bed, Loops.READ, "read", length))
            .side(reader(bed, Loops.READ_URING, "uring", length))
            .goal(Loops.TESTPMD_TAP, 15)
            .goal(Loops.READ_URING, 0.7)
            .run();
    }

    private static PathSide side(
        final Bed bed, final String label, final BackEnd backEnd, final String tap, final int length)
    {
        final TapLoad load = new TapLoad(bed, tap, length, FLOWS);
        final BuiltInGuest guest =
            BuiltInGuest.connect(bed, backEnd.socket(), "sink=true", "plain=true", "ring=" + RING);
        return new PathSide(label, backEnd)
            .with(guest)
            .with(load::start, load::stop)
            .counting(guest::received);
    }

    private static ProgramSide reader(final Bed bed, final String label, final String mode, final int length)
    {
        final String tap = "c" + mode + length;
        bed.lab().netns().addTap(tap, false);
        bed.raise(tap);
        final TapLoad load = new TapLoad(bed, tap, length, FLOWS);
        return new ProgramSide(label, bed,
            bed.pinned(bed.settings().backCpu(), bed.program("tapread"), tap, mode, ProgramSide.SECONDS),
            load::start, load::stop);
    }
}
