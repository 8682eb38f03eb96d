package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.DeviceCounters;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.Cable;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.ProgramSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.bench.path.TestpmdBackEnd;
import io.ringtap.bench.path.VirtioUser;
import io.ringtap.it.rig.Jdks;

import java.util.ArrayList;
import java.util.List;

/** Packet sockets with mapped rings: against DPDK's, and the two ideas, deferred flush and doorbell. */
final class PacketRingScenario implements Scenario
{
    private static final int LENGTH = 64;
    private static final double OVER_TESTPMD = 1.4;
    private static final double EIGHT_OVER_ONE = 2.5;
    private static final double BELL_OVER_ONE = 2.0;
    private static final String TESTPMD = "testpmd net_af_packet";
    private static final String EACH = "flush each frame";
    private static final String BY_64 = "flush 64";

    @Override
    public String name()
    {
        return "af-packet";
    }

    @Override
    public String title()
    {
        return "Idea: deferred flush and doorbell on packet rings";
    }

    @Override
    public String about()
    {
        return "64-byte UDP frames leave by one end of a virtual cable (veth) for a MAC address that nobody has, and " +
            "are counted at the other end, those inside super-frames each. With peers DPDK's virtio-user sends; the " +
            "rows of ideas have the built-in guest, or no guest at all: then a loop in Java hands batches to the " +
            "port, so that a second CPU is free for the doorbell's thread. The loops in C write one frame into a " +
            "ring over and over: `plain` as the manual shows it, `whole` with our net header that makes the kernel " +
            "copy the frame at once.";
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
                .side(cables.ours("ringtap", Load.MANY)).side(cables.theirs(Load.MANY)).goal(TESTPMD, OVER_TESTPMD)
                .side(cables.ring("C V2 plain x 64", 64, 2, "none")).side(cables.ring("C V3 plain x 64", 64, 3, "none"))
                .side(cables.ring("C V2 whole x 64", 64, 2, "whole"))
                .run());
            rows.add("64 B, one flow", () -> Comparison.more(bed, "64 B, one flow", "Mpps")
                .side(cables.ours("ringtap, coalesce=on", Load.ONE, "--coalesce=on")).side(cables.theirs(Load.ONE))
                .goal(TESTPMD, OVER_TESTPMD)
                .run());
        }
        rows.add("flush threshold", () -> Comparison.more(bed, "flush threshold", "Mpps")
            .side(cables.threshold("flush 8", 8)).side(cables.threshold(EACH, 1)).goal(EACH, EIGHT_OVER_ONE)
            .side(cables.threshold(BY_64, 64))
            .side(cables.ring("C whole x 8", 8, 2, "whole")).side(cables.ring("C whole x 1", 1, 2, "whole"))
            .side(cables.ring("C plain x 8", 8, 2, "none")).side(cables.ring("C plain x 1", 1, 2, "none"))
            .run());
        rows.add("doorbell, port alone", () -> Comparison.more(bed, "doorbell, port alone", "Mpps")
            .side(cables.feeder("doorbell", "doorbell=true")).side(cables.feeder(EACH, "flush=1"))
            .goal(EACH, BELL_OVER_ONE)
            .side(cables.feeder(BY_64, "flush=64")).side(cables.flusher("C flusher whole"))
            .run());
        rows.add("doorbell, whole path", () -> Comparison.more(bed, "doorbell, whole path", "Mpps")
            .side(cables.bell("doorbell", "--doorbell")).side(cables.bell(EACH, "--flush-threshold=1"))
            .side(cables.bell(BY_64, "--flush-threshold=64"))
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

        PathSide ours(final String label, final Load load, final String... options)
        {
            final Cable cable = cable();
            return virtioUser(label, load, serve(cable, options), cable);
        }

        PathSide theirs(final Load load)
        {
            final Cable cable = cable();
            return virtioUser(TESTPMD, load, TestpmdBackEnd.toPacketSocket(bed, cable.near()), cable);
        }

        PathSide threshold(final String label, final int frames)
        {
            return bell(label, "--flush-threshold=" + frames);
        }

        PathSide bell(final String label, final String... options)
        {
            final Cable cable = cable();
            final BackEnd backEnd = serve(cable, options);
            return counted(new PathSide(label, backEnd)
                .with(BuiltInGuest.connect(bed, backEnd.socket(), "size=" + LENGTH, "flows=256")), cable);
        }

        ProgramSide ring(final String label, final int flush, final int version, final String header)
        {
            return loop(label, "ring", flush, version, header);
        }

        ProgramSide flusher(final String label)
        {
            return loop(label, "flusher", 1, 2, "whole");
        }

        ProgramSide feeder(final String label, final String... words)
        {
            final List<String> command = new ArrayList<>(List.of(
                Jdks.current().resolve("bin/java").toString(), "-XX:+UseSerialGC", "-Xms16m", "-Xmx64m",
                "-XX:-UsePerfData", "-Dagrona.disable.bounds.checks=true", "-Djffi.unsafe.disabled=true",
                "-Dringtap.log.level=warn",
                "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), "io.ringtap.bench.guest.PortFeeder",
                "device=" + cable().near(), "cpu=" + bed.settings().backCpu(), "size=" + LENGTH));
            command.addAll(List.of(words));
            command.add("seconds=" + bed.settings().seconds());
            return new ProgramSide(label, bed, command);
        }

        private ProgramSide loop(
            final String label, final String mode, final int flush, final int version, final String header)
        {
            return new ProgramSide(label, bed, bed.pinned(bed.settings().backCpu(), bed.program("packetwrite"),
                cable().near(), mode, ProgramSide.SECONDS, Loops.FOREIGN_MAC, "198.18.8.1", "198.18.8.2", "9",
                Integer.toString(LENGTH - Load.HEADERS), Integer.toString(flush), Integer.toString(version), header,
                "1", Integer.toString(bed.settings().frontCpu())));
        }

        private BackEnd serve(final Cable cable, final String... options)
        {
            final List<String> words = new ArrayList<>(List.of("--packet=" + cable.near()));
            words.addAll(List.of(options));
            return RingtapBackEnd.serve(bed, words.toArray(String[]::new));
        }

        private PathSide virtioUser(final String label, final Load load, final BackEnd backEnd, final Cable cable)
        {
            return counted(new PathSide(label, backEnd)
                .with(VirtioUser.connect(bed, backEnd.socket(), VirtioUser.Ring.SPLIT,
                    load.options(LENGTH, Loops.FOREIGN_MAC, List.of()))), cable);
        }

        private static PathSide counted(final PathSide side, final Cable cable)
        {
            final DeviceCounters counters = cable.arrived();
            return side.counting(() -> counters.segments(Load.HEADERS, LENGTH - Load.HEADERS));
        }

        private Cable cable()
        {
            return Cable.lay(bed, "cab" + ++count);
        }
    }
}
