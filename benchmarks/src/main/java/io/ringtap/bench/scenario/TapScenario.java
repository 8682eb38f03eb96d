package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.DeviceCounters;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.bench.path.TestpmdBackEnd;
import io.ringtap.bench.path.VirtioUser;

import java.util.List;

/** Small frames from the guest into a TAP, against DPDK's way and against loops in C that have no ring to serve. */
final class TapScenario implements Scenario
{
    private static final int LENGTH = 64;
    private static final String OURS = "rtap";
    private static final String DEFAULT = "atap";
    private static final String THEIRS = "dtap";

    private final String name;
    private final Load load;
    private final double overTestpmd;

    private TapScenario(final String name, final Load load, final double overTestpmd)
    {
        this.name = name;
        this.load = load;
        this.overTestpmd = overTestpmd;
    }

    static TapScenario manyFlows()
    {
        return new TapScenario("tap-many-flows", Load.MANY, 3.5);
    }

    static TapScenario oneFlow()
    {
        return new TapScenario("tap-one-flow", Load.ONE, 10);
    }

    static TapScenario eightFlows()
    {
        return new TapScenario("tap-eight-flows", Load.EIGHT, 6);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String title()
    {
        return "Guest to TAP, 64 B, " + load.text();
    }

    @Override
    public String about()
    {
        return "DPDK's virtio-user sends 64-byte UDP frames to a MAC address that nobody has; the back-end forwards " +
            "them to a TAP. Counted by the kernel at the TAP, packets inside super-frames each. The loops in C " +
            "write the same frame into a TAP over and over and have no ring to serve: they are the kernel's limit. " +
            "ringtap runs with `--coalesce=on`, since datagrams of this generator have no checksum.";
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
        final String row = "64 B, " + load.text();
        rows.add(row, () ->
        {
            final Comparison comparison = Comparison.more(bed, row, "Mpps");
            comparison.side(ours(bed)).side(theirs(bed)).goal(Loops.TESTPMD_TAP, overTestpmd);
            if (Load.MANY != load)
            {
                comparison.side(byDefault(bed));
            }
            final Loops loops = new Loops(bed, "ctap", LENGTH - Load.HEADERS);
            comparison.side(loops.write()).side(loops.uring());
            if (Load.MANY == load)
            {
                comparison.goal(Loops.WRITE, 4).goal(Loops.URING, 0.8);
            }
            else
            {
                comparison.side(loops.uso());
            }
            return comparison.run();
        });
        return rows.list();
    }

    /** The generator's datagrams have no checksum, which only {@code --coalesce=on} merges. */
    private PathSide ours(final Bed bed)
    {
        final BackEnd backEnd = RingtapBackEnd.serve(bed, "--tap=" + OURS, "--coalesce=on");
        bed.raise(OURS);
        return side("ringtap", bed, backEnd, OURS);
    }

    private PathSide byDefault(final Bed bed)
    {
        final BackEnd backEnd = RingtapBackEnd.serve(bed, "--tap=" + DEFAULT);
        bed.raise(DEFAULT);
        return side("ringtap, coalesce=auto", bed, backEnd, DEFAULT);
    }

    private PathSide theirs(final Bed bed)
    {
        final BackEnd backEnd = TestpmdBackEnd.toTap(bed, THEIRS);
        bed.raise(THEIRS);
        return side(Loops.TESTPMD_TAP, bed, backEnd, THEIRS);
    }

    private PathSide side(final String label, final Bed bed, final BackEnd backEnd, final String device)
    {
        final DeviceCounters counters = bed.device(device);
        return new PathSide(label, backEnd)
            .with(VirtioUser.connect(bed, backEnd.socket(), VirtioUser.Ring.SPLIT,
                load.options(LENGTH, Loops.FOREIGN_MAC, List.of())))
            .counting(() -> counters.segments(Load.HEADERS, LENGTH - Load.HEADERS));
    }
}
