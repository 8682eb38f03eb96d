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
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.BpfSources;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** What it costs to record every frame, against nobody recording. */
final class CaptureScenario implements Scenario
{
    private static final String NOTHING = "nothing";
    /** A recording may take a tenth of the way. */
    private static final double GOAL = 0.9;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int SNAP_LENGTH = 64;
    /** {@code tcpdump -y EN10MB -ddd 'ip and udp dst port 53'}, which fits none of the guest's frames. */
    private static final String EXPRESSION = "11\n40 0 0 12\n21 0 8 2048\n48 0 0 23\n21 0 6 17\n40 0 0 20\n" +
        "69 4 0 8191\n177 0 0 14\n72 0 0 16\n21 0 1 53\n6 0 0 262144\n6 0 0 0\n";

    @Override
    public String name()
    {
        return "capture";
    }

    @Override
    public String title()
    {
        return "Recording every frame";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends UDP frames with checksums into a TAP towards a foreign MAC, or to a port " +
            "that swallows them, and the backend records all of them whole, their first 64 bytes, or those that a " +
            "filter wants (none), to a ring of four files of 64 MiB in memory (/dev/shm). One backend serves all " +
            "sides of a row, and recordings come and go over its control socket. The worker has a CPU to itself; the " +
            "recorder shares the other one with the guest, which spins. In the last row a real guest under QEMU's " +
            "TCG sends with pktgen, nobody pinned. What the recorder did not get to is in the note.";
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
        for (final boolean isTap : new boolean[]{true, false})
        {
            for (final int length : new int[]{64, 1502})
            {
                for (final int flows : isTap ? new int[]{1, 256} : new int[]{256})
                {
                    final String name = (isTap ? "to a TAP, " : "to nowhere, ") + length + " B, " + flows +
                        (1 == flows ? " flow" : " flows");
                    rows.add(name, () -> compare(bed, name, isTap, length, flows));
                }
            }
        }
        new CaptureOfQemu(bed).add(rows);
        return rows.list();
    }

    private static Row compare(
        final Bed bed, final String name, final boolean isTap, final int length, final int flows)
    {
        final String program = BpfSources.compile("picks", bed.lab().file("objects")) + ":dns";
        try (Way way = Way.lay(bed, isTap, length, flows))
        {
            return Comparison.more(bed, name, "Mpps")
                .side(way.with("whole frames", Map.of()))
                .side(way.with(NOTHING, null))
                .side(way.with("first 64 bytes", Map.of("snapLength", SNAP_LENGTH)))
                .side(way.with("expression", Map.of("filter", EXPRESSION)))
                .side(way.with("program", Map.of("object", program)))
                .goal(NOTHING, GOAL)
                .note(way::missed)
                .run();
        }
    }

    /** A backend between its guest and its port, with recordings of it. */
    private record Way(
        BackEnd backEnd, BuiltInGuest guest, LongSupplier counter, Path control, List<CaptureTurns> recordings)
        implements AutoCloseable
    {
        static Way lay(final Bed bed, final boolean isTap, final int length, final int flows)
        {
            final String tap = bed.unique("rec");
            final Path control = bed.lab().socket(tap + ".control");
            final BackEnd backEnd =
                RingtapBackEnd.serve(bed, isTap ? "--tap=" + tap : "--null", "--control=" + control);
            Await.until("the control socket", LIMIT, () -> Files.exists(control));
            final BuiltInGuest guest =
                BuiltInGuest.connect(bed, backEnd.socket(), "size=" + length, "flows=" + flows);
            return new Way(backEnd, guest, isTap ? onTap(bed, tap, length) : guest::sent, control, new ArrayList<>());
        }

        private static LongSupplier onTap(final Bed bed, final String tap, final int length)
        {
            bed.raise(tap);
            final DeviceCounters counters = bed.device(tap);
            return () -> counters.segments(Load.HEADERS, length - Load.HEADERS);
        }

        /** @param options of the recording; null for none. */
        PathSide with(final String label, final Map<String, Object> options)
        {
            final PathSide side = new PathSide(label, new SharedBackEnd(backEnd::socket, backEnd::view));
            if (options != null)
            {
                final CaptureTurns recording = new CaptureTurns(control, label, options);
                recordings.add(recording);
                side.with(recording::start, recording::stop);
            }
            return side.with(guest::start, guest::stop).counting(counter);
        }

        String missed()
        {
            return String.join(", ", recordings.stream().map(CaptureTurns::missed).toList());
        }

        @Override
        public void close()
        {
            recordings.forEach(CaptureTurns::close);
            guest.close();
            backEnd.close();
        }
    }
}
