package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.QemuSide;
import io.ringtap.bench.path.QemuSide.Work;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.RigException;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Real guests: what their users see, and what it costs the host. */
final class QemuScenario implements Scenario
{
    private static final Pattern PPS = Pattern.compile("(\\d+)pps");
    private static final Pattern AVERAGE = Pattern.compile("= [\\d.]+/([\\d.]+)/");
    private static final Pattern RECEIVED = Pattern.compile("([\\d.]+) Mbits/sec\\s+receiver");
    private static final int CALIBRATION = 5_000;

    @Override
    public String name()
    {
        return "qemu";
    }

    @Override
    public String title()
    {
        return "Real guests under QEMU";
    }

    @Override
    public String about()
    {
        return "Three guests with Debian's kernel under QEMU's TCG, one vCPU each, take turns: behind ringtap, " +
            "behind QEMU's own `-netdev tap`, behind testpmd (net_vhost to net_tap). pktgen sends to a foreign MAC; " +
            "iperf3 and ping talk to the host. Processor time is that of QEMU and the back-end together, per packet.";
    }

    @Override
    public boolean needsPeers()
    {
        return true;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        Provision.kit();
        final QemuRigs made = new QemuRigs(bed);
        final List<QemuSide.Rig> rigs = List.of(made.ringtap(), made.ownTap(), made.testpmd());
        final Rows rows = new Rows(bed);
        for (final int[] shape : new int[][]{{60, 1}, {60, 32}, {1514, 1}})
        {
            row(rows, bed, rigs, "pktgen " + shape[0] + " B, burst " + shape[1], "kpps", false,
                (rig, seconds) -> generate(rig, seconds, shape[0], shape[1]));
        }
        row(rows, bed, rigs, "TCP to the host", "Mbit/s", false,
            (rig, seconds) -> stream(rig.guest(), rig.subnet().host(), seconds, ""));
        row(rows, bed, rigs, "TCP to the guest", "Mbit/s", false,
            (rig, seconds) -> stream(rig.guest(), rig.subnet().host(), seconds, "-R"));
        row(rows, bed, rigs, "ping", "ms", true,
            (rig, seconds) -> ping(rig.guest(), rig.subnet().host(), seconds, false));
        row(rows, bed, rigs, "ping beside TCP", "ms", true,
            (rig, seconds) -> ping(rig.guest(), rig.subnet().host(), seconds, true));
        return rows.list();
    }

    private static void row(
        final Rows rows,
        final Bed bed,
        final List<QemuSide.Rig> rigs,
        final String name,
        final String unit,
        final boolean isLess,
        final Work work)
    {
        rows.add(name, () ->
        {
            final Comparison comparison = isLess ? Comparison.less(bed, name, unit) : Comparison.more(bed, name, unit);
            rigs.forEach(rig -> comparison.side(new QemuSide(rig, work)));
            return comparison.goal(QemuRigs.QEMU_TAP, 1).goal(QemuRigs.QEMU_TESTPMD, 1).run();
        });
    }

    /** Frames of pktgen to nobody, for about so many seconds. */
    static Sample generate(
        final QemuSide.Rig rig, final double seconds, final int length, final int burst)
    {
        final double first = generate(rig, CALIBRATION, length, burst);
        final int count = (int)Math.max(CALIBRATION, first * seconds);
        final long cpuBeforeMs = rig.processorTimeMs();
        final double pps = generate(rig, count, length, burst);
        return new Sample(pps / 1000, (rig.processorTimeMs() - cpuBeforeMs) * 1e6 / count);
    }

    private static double generate(final QemuSide.Rig rig, final int count, final int length, final int burst)
    {
        final String text = rig.guest().check(String.join(" ", "generate", Integer.toString(count),
            Integer.toString(length), Integer.toString(burst), Loops.FOREIGN_MAC, rig.subnet().host(),
            rig.subnet().guest(), ">/dev/null && cat /tmp/pktgen"));
        return found(PPS, text);
    }

    /** A TCP stream of iperf3 from a guest to a server at that address, or the other way with {@code -R}. */
    static Sample stream(
        final QemuGuest guest, final String server, final double seconds, final String direction)
    {
        // The server may still be busy with a connection that a slow turn left behind.
        final String iperf = "iperf3 -f m -c " + server + " -t " + Math.max(1, Math.round(seconds)) +
            " " + direction;
        return Sample.of(found(RECEIVED, guest.check(iperf + " || { sleep 3; " + iperf + "; }")));
    }

    /** Round trips between a guest and that address, by the side of a stream or alone. */
    static Sample ping(final QemuGuest guest, final String other, final double seconds, final boolean isBeside)
    {
        final int count = (int)Math.max(10, seconds * 10);
        final String ping = "ping -q -c " + count + " -i 0.1 -W 10 " + other;
        final String command = isBeside ? "iperf3 -c " + other + " -t " + (count / 10 + 2) +
            " >/dev/null & sleep 0.5; " + ping + "; code=$?; wait; exit $code" : ping;
        return Sample.of(found(AVERAGE, guest.check(command)));
    }

    private static double found(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.find())
        {
            throw new RigException("no " + pattern + " in: " + text);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
