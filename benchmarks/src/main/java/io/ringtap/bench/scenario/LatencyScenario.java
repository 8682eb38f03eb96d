package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.Side;
import io.ringtap.bench.path.QemuSide;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.RigException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.regex.Pattern;

/** What speed costs a single packet: round trips to a real guest, idle and beside a stream, against QEMU's own TAP. */
final class LatencyScenario implements Scenario
{
    private static final Pattern ROUND_TRIP = Pattern.compile("time=([\\d.]+) ms");
    private static final int PINGS_A_SECOND = 100;
    /** Enough for a 99th percentile. */
    private static final int FEWEST_PINGS = 200;
    private static final double LOST_MS = 10_000;
    private static final int MEDIAN = 50;
    private static final int[] PERCENTILES = {MEDIAN, 90, 99};

    @Override
    public String name()
    {
        return "latency";
    }

    @Override
    public String title()
    {
        return "Round trips to a real guest";
    }

    @Override
    public String about()
    {
        return "ping from the host to a guest under QEMU's TCG, " + PINGS_A_SECOND + " a second: the guest behind " +
            "ringtap and one behind QEMU's own `-netdev tap` take turns. Idle, and beside a TCP stream of iperf3 " +
            "from the guest to the host through the same interface; a stream each way goes before, since Java " +
            "interprets what has not run often. Percentiles of the round trips of a turn; a " +
            "lost one counts as ten seconds.";
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
        final QemuRigs rigs = new QemuRigs(bed);
        final List<QemuSide.Rig> both = List.of(rigs.ringtap(), rigs.ownTap());
        both.forEach(rig -> warmUp(rig, bed.settings().warmUpSeconds()));
        final Rows rows = new Rows(bed);
        for (final boolean isBeside : new boolean[]{false, true})
        {
            final List<RoundTrips> trips =
                both.stream().map(rig -> new RoundTrips(rig, (seconds) -> ping(bed, rig, seconds, isBeside))).toList();
            for (final int percentile : PERCENTILES)
            {
                final String name = (isBeside ? "beside TCP, " : "idle, ") +
                    (MEDIAN == percentile ? "median" : percentile + "th percentile");
                rows.add(name, () ->
                {
                    final Comparison comparison = Comparison.less(bed, name, "ms");
                    trips.forEach(each -> comparison.side(each.percentile(percentile)));
                    return comparison.goal(QemuRigs.QEMU_TAP, 1).run();
                });
            }
        }
        return rows.list();
    }

    /** A backend in Java that has carried nothing yet is interpreted. */
    private static void warmUp(final QemuSide.Rig rig, final double seconds)
    {
        if (seconds > 0)
        {
            final String stream = "iperf3 -c " + rig.subnet().host() + " -t " + (int)Math.ceil(seconds);
            rig.guest().check(stream + " >/dev/null && sleep 1 && " + stream + " -R >/dev/null");
        }
    }

    /** Milliseconds, sorted. */
    private static double[] ping(
        final Bed bed, final QemuSide.Rig rig, final double seconds, final boolean isBeside)
    {
        final int count = Math.max(FEWEST_PINGS, (int)(seconds * PINGS_A_SECOND));
        if (isBeside)
        {
            rig.guest().check("iperf3 -c " + rig.subnet().host() + " -t " + (count / PINGS_A_SECOND + 2) +
                " >/dev/null 2>&1 </dev/null & sleep 1");
        }
        final String text = bed.lab().netns().check(Duration.ofSeconds(90), "ping", "-n", "-c",
            Integer.toString(count), "-i", "0.01", "-W", "5", rig.subnet().guest());
        if (isBeside)
        {
            rig.guest().check("while pidof iperf3 >/dev/null; do sleep 0.2; done");
        }
        final double[] times = ROUND_TRIP.matcher(text).results()
            .mapToDouble(found -> Double.parseDouble(found.group(1))).toArray();
        if (0 == times.length)
        {
            throw new RigException("no answer to ping: " + text);
        }
        final double[] sorted = Arrays.copyOf(times, Math.max(count, times.length));
        Arrays.fill(sorted, times.length, sorted.length, LOST_MS);
        Arrays.sort(sorted);
        return sorted;
    }

    /** The turns of one guest under one load, each measured once for the rows of all percentiles. */
    private static final class RoundTrips
    {
        private final QemuSide.Rig rig;
        private final DoubleFunction<double[]> measurement;
        private final List<double[]> turns = new ArrayList<>();

        RoundTrips(final QemuSide.Rig rig, final DoubleFunction<double[]> measurement)
        {
            this.rig = rig;
            this.measurement = measurement;
        }

        Side percentile(final int percentile)
        {
            return new Side(rig.label())
            {
                private int turn;

                @Override
                public boolean needsWarmUp()
                {
                    return false;
                }

                @Override
                public Sample measure(final double seconds)
                {
                    if (turns.isEmpty())
                    {
                        measurement.apply(seconds);
                    }
                    if (turn == turns.size())
                    {
                        turns.add(measurement.apply(seconds));
                    }
                    return Sample.of(at(turns.get(turn++), percentile));
                }
            };
        }

        /** The least round trip that so many per cent did not exceed. */
        private static double at(final double[] sorted, final int percentile)
        {
            return sorted[(int)Math.ceil(sorted.length * percentile / 100.0) - 1];
        }
    }
}
