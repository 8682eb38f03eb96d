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
import io.ringtap.bench.path.TestpmdBackEnd;
import io.ringtap.bench.path.VirtioUser;

import java.util.List;

/** AF_XDP sockets: against DPDK's, in the driver and behind it, and the flush threshold. */
final class XskScenario implements Scenario
{
    private static final int LENGTH = 64;
    private static final double OVER_TESTPMD = 1.2;
    private static final String TESTPMD = "testpmd net_af_xdp";

    @Override
    public String name()
    {
        return "af-xdp";
    }

    @Override
    public String title()
    {
        return "Guest to AF_XDP";
    }

    @Override
    public String about()
    {
        return "64-byte UDP frames of 256 flows leave by one end of a virtual cable (veth) through an AF_XDP socket, " +
            "for a MAC address that nobody has, and are counted at the other end. With peers DPDK's virtio-user " +
            "sends, first into ringtap, then into testpmd between its vhost and its AF_XDP driver; both copy, since " +
            "a veth knows no zero-copy, and both have the program in the driver. The threshold's row has the " +
            "built-in guest.";
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
        final Cables cables = new Cables(bed);
        if (bed.settings().hasPeers())
        {
            rows.add("64 B, 256 flows", () -> Comparison.more(bed, "64 B, 256 flows", "Mpps")
                .side(cables.ours("ringtap", "")).side(cables.theirs()).goal(TESTPMD, OVER_TESTPMD)
                .side(cables.ours("ringtap, generic", ":generic"))
                .run());
        }
        rows.add("flush threshold", () -> Comparison.more(bed, "flush threshold", "Mpps")
            .side(cables.threshold(64)).side(cables.threshold(1)).side(cables.threshold(8))
            .run());
        return rows.list();
    }

    /** The sides, each on a cable of its own. */
    private static final class Cables
    {
        private final Bed bed;
        private int count;

        Cables(final Bed bed)
        {
            this.bed = bed;
        }

        PathSide ours(final String label, final String mode)
        {
            final String cable = lay();
            return virtioUser(label, RingtapBackEnd.serve(bed, "--xsk=" + near(cable) + mode), cable);
        }

        PathSide theirs()
        {
            final String cable = lay();
            return virtioUser(TESTPMD, TestpmdBackEnd.toXdpSocket(bed, near(cable)), cable);
        }

        PathSide threshold(final int frames)
        {
            final String cable = lay();
            final BackEnd backEnd =
                RingtapBackEnd.serve(bed, "--xsk=" + near(cable), "--flush-threshold=" + frames);
            return counted(new PathSide("flush " + frames, backEnd)
                .with(BuiltInGuest.connect(bed, backEnd.socket(), "size=" + LENGTH, "flows=256")), cable);
        }

        private PathSide virtioUser(final String label, final BackEnd backEnd, final String cable)
        {
            return counted(new PathSide(label, backEnd)
                .with(VirtioUser.connect(bed, backEnd.socket(), VirtioUser.Ring.SPLIT,
                    Load.MANY.options(LENGTH, Loops.FOREIGN_MAC, List.of()))), cable);
        }

        private PathSide counted(final PathSide side, final String cable)
        {
            final DeviceCounters counters = bed.device(cable + "f");
            return side.counting(counters::receivedPackets);
        }

        private String lay()
        {
            final String cable = "xdp" + ++count;
            bed.lab().netns().check("ip", "link", "add", near(cable), "type", "veth", "peer", "name", cable + "f");
            bed.lab().netns().up(near(cable), null);
            bed.lab().netns().up(cable + "f", null);
            return cable;
        }

        private static String near(final String cable)
        {
            return cable + "n";
        }
    }
}
