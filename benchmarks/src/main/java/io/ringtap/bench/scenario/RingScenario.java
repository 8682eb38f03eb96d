package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.bench.path.TestpmdBackEnd;
import io.ringtap.bench.path.VirtioUser;

import java.util.List;

/** The ring alone, both ways, against DPDK's vhost library on the same front-end. */
final class RingScenario implements Scenario
{
    private static final String TESTPMD = "testpmd net_vhost";
    private static final int[] SIZES = {64, 256, 1500};

    @Override
    public String name()
    {
        return "ring";
    }

    @Override
    public String title()
    {
        return "The ring alone";
    }

    @Override
    public String about()
    {
        return "DPDK's virtio-user sends (txonly) or takes (rxonly) on one CPU, the back-end swallows or generates " +
            "on the other: ringtap with `--null`, testpmd with net_vhost in rxonly or txonly mode. Counted at the " +
            "front-end. In-order and mergeable buffers are on; ringtap's sorting and merging, which testpmd has no " +
            "like of, are off.";
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
        for (final boolean toGuest : new boolean[]{false, true})
        {
            for (final VirtioUser.Ring ring : List.of(VirtioUser.Ring.SPLIT, VirtioUser.Ring.PACKED))
            {
                for (final int size : SIZES)
                {
                    final String name = (toGuest ? "to the guest, " : "from the guest, ") +
                        (ring.isPacked() ? "packed, " : "split, ") + size + " B";
                    rows.add(name, () -> compare(bed, name, toGuest, ring, size));
                }
            }
        }
        return rows.list();
    }

    private static Row compare(
        final Bed bed, final String name, final boolean toGuest, final VirtioUser.Ring ring, final int size)
    {
        final BackEnd ours = RingtapBackEnd.serve(bed, "--null", "--flow-sort=off", "--coalesce=off",
            "-Dringtap.tuning.generate=" + (toGuest ? size : 0));
        final BackEnd theirs = TestpmdBackEnd.alone(bed, toGuest ?
            List.of("--forward-mode=txonly", "--txpkts=" + size) : List.of("--forward-mode=rxonly"));
        return Comparison.more(bed, name, "Mpps")
            .side(side("ringtap", bed, ours, toGuest, ring, size))
            .side(side(TESTPMD, bed, theirs, toGuest, ring, size))
            .goal(TESTPMD, 1.0)
            .run();
    }

    private static PathSide side(
        final String label,
        final Bed bed,
        final BackEnd backEnd,
        final boolean toGuest,
        final VirtioUser.Ring ring,
        final int size)
    {
        final VirtioUser frontEnd = VirtioUser.connect(bed, backEnd.socket(), ring, toGuest ?
            List.of("--forward-mode=rxonly") : List.of("--forward-mode=txonly", "--txpkts=" + size));
        return new PathSide(label, backEnd)
            .with(frontEnd)
            .counting(toGuest ? frontEnd::received : frontEnd::sent);
    }
}
