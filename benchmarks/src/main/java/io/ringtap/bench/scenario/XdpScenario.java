package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.xdp.Frames;
import io.ringtap.bench.xdp.ProgramPair;
import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.BpfTools;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/** Programs alone, compiled to bytecode and by the kernel's just-in-time compiler. */
final class XdpScenario implements Scenario
{
    private static final double GOAL = 1.25;
    private static final int PREFIXES = 1000;
    private static final int NETWORK = 0xc612_0000;

    @Override
    public String name()
    {
        return "xdp";
    }

    @Override
    public String title()
    {
        return "eBPF programs beside the kernel's";
    }

    @Override
    public String about()
    {
        return "The same linked code on the same frame: here in batches of 64 in slots off the heap, with the " +
            "batch's preparation; in the kernel by BPF_PROG_TEST_RUN, 100,000 runs a call. CPU time of the one " +
            "thread that does it. The empty program shows what each harness costs by itself: take it off both sides " +
            "to compare programs alone.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        BpfTools.provide();
        final Rows rows = new Rows(bed);
        final byte[] hit = Frames.udp(53, 9999);
        final byte[] miss = Frames.udp(53, 80);
        ours(rows, bed, "empty program", "pass", hit, Double.NaN);
        ours(rows, bed, "UDP port drop, hit", "udp_drop", hit, GOAL);
        ours(rows, bed, "UDP port drop, miss", "udp_drop", miss, GOAL);
        debian(rows, bed, "xdpfilt_dny_all, no rules", "xdpfilt_dny_all", hit);
        debian(rows, bed, "xdpfilt_alw_all, no rules", "xdpfilt_alw_all", hit);
        ours(rows, bed, "headers and counters", "parse_count", hit, Double.NaN);
        rows.add("LPM of 1000 prefixes", () -> prefixes(bed, hit));
        ours(rows, bed, "per-CPU hash of counters", "flow_stats", hit, Double.NaN);
        ours(rows, bed, "token bucket in a hash", "rate_limit", hit, Double.NaN);
        pair(rows, bed, "LRU table of connections", "connections", "track", hit);
        rows.add("NAT with csum_diff", () -> nat(bed, hit));
        ours(rows, bed, "bpf_loop over 64 B", "loops", hit, Double.NaN);
        ours(rows, bed, "bpf_loop over 1500 B", "loops", Frames.udp(53, 9999, 1500), Double.NaN);
        ours(rows, bed, "functions of functions", "subprograms", hit, Double.NaN);
        return rows.list();
    }

    private static Path compiled(final Bed bed, final String source)
    {
        return BpfSources.compile(source, bed.lab().file("bpf"));
    }

    private static void ours(
        final Rows rows, final Bed bed, final String name, final String source, final byte[] frame, final double goal)
    {
        rows.add(name, () ->
        {
            try (ProgramPair pair = ProgramPair.load(compiled(bed, source)))
            {
                return pair.compare(bed, name, source, frame, goal);
            }
        });
    }

    private static void pair(
        final Rows rows,
        final Bed bed,
        final String name,
        final String source,
        final String program,
        final byte[] frame)
    {
        rows.add(name, () ->
        {
            try (ProgramPair pair = ProgramPair.load(compiled(bed, source)))
            {
                return pair.compare(bed, name, program, frame, Double.NaN);
            }
        });
    }

    private static void debian(
        final Rows rows, final Bed bed, final String name, final String object, final byte[] frame)
    {
        rows.add(name, () ->
        {
            final Path file = BpfTools.objects().stream()
                .filter(each -> each.endsWith(object + ".o")).findFirst().orElseThrow();
            try (ProgramPair pair = ProgramPair.load(file))
            {
                return pair.compare(bed, name, object, frame, GOAL);
            }
        });
    }

    private static Row prefixes(final Bed bed, final byte[] frame)
    {
        try (ProgramPair pair = ProgramPair.load(compiled(bed, "acl_lpm")))
        {
            final ByteBuffer pass = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(2).putInt(0);
            for (int i = 0; i < PREFIXES; i++)
            {
                final ByteBuffer key = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(24);
                key.order(ByteOrder.BIG_ENDIAN).putInt(NETWORK + (i << 8));
                pair.put("rules4", key.array(), pass.array());
            }
            return pair.compare(bed, "LPM of 1000 prefixes", "acl_lpm", frame, Double.NaN);
        }
    }

    /** To and fro between two targets, since neither side gets the frame back as it was. */
    private static Row nat(final Bed bed, final byte[] frame)
    {
        final byte[] one = target(NETWORK | 2, 9999);
        final byte[] other = target(NETWORK | 0x0302, 8080);
        try (ProgramPair pair = ProgramPair.load(compiled(bed, "nat")))
        {
            pair.put("targets", one, other).put("targets", other, one);
            return pair.compare(bed, "NAT with csum_diff", "nat", frame, Double.NaN);
        }
    }

    private static byte[] target(final int address, final int port)
    {
        return ByteBuffer.allocate(8).putInt(address).putShort((short)port).array();
    }
}
