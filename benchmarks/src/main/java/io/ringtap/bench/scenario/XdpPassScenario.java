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
import io.ringtap.vhost.ops.ControlClient;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What it costs to let programs look at every frame, against nobody looking. */
final class XdpPassScenario implements Scenario
{
    private static final String NOBODY = "no program";
    /** A program may take a twentieth of the way. */
    private static final double GOAL = 0.95;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Override
    public String name()
    {
        return "xdp-pass";
    }

    @Override
    public String title()
    {
        return "An attached program that passes";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends UDP frames with checksums into a TAP towards a foreign MAC, and an eBPF " +
            "program looks at each of them: one that only returns XDP_PASS, one that parses to the UDP port, and " +
            "one that may write, for which super-frames would be cut and checksums completed. Packets are counted " +
            "at the TAP. One backend serves all sides of a row, and programs come and go over its control socket: " +
            "two processes that do the same differ by a tenth, as their machine code is compiled from what they " +
            "happened to see.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Path object = BpfSources.compile("passes", bed.lab().file("objects"));
        final Rows rows = new Rows(bed);
        for (final int length : new int[]{64, 1502})
        {
            for (final int flows : new int[]{1, 256})
            {
                final String name = length + " B, " + flows + (1 == flows ? " flow" : " flows");
                rows.add(name, () ->
                {
                    try (Way way = Way.lay(bed, object, length, flows))
                    {
                        return Comparison.more(bed, name, "Mpps")
                            .side(way.with("pass", "pass"))
                            .side(way.with(NOBODY, null))
                            .side(way.with("parse", "parse"))
                            .side(way.with("may write", "may_write"))
                            .goal(NOBODY, GOAL)
                            .run();
                    }
                });
            }
        }
        return rows.list();
    }

    /** A backend between its guest and its TAP. */
    private record Way(
        BackEnd backEnd, BuiltInGuest guest, Path control, Path object, DeviceCounters counters, int payload)
        implements AutoCloseable
    {
        static Way lay(final Bed bed, final Path object, final int length, final int flows)
        {
            final String tap = bed.unique("pass");
            final Path control = bed.lab().socket(tap + ".control");
            final BackEnd backEnd = RingtapBackEnd.serve(bed, "--tap=" + tap, "--control=" + control);
            bed.raise(tap);
            Await.until("the control socket", LIMIT, () -> Files.exists(control));
            return new Way(backEnd,
                BuiltInGuest.connect(bed, backEnd.socket(), "size=" + length, "flows=" + flows),
                control, object, bed.device(tap), length - Load.HEADERS);
        }

        /** @param program null for none. */
        PathSide with(final String label, final String program)
        {
            final PathSide side = new PathSide(label, new SharedBackEnd(backEnd::socket, backEnd::view));
            if (program != null)
            {
                side.with(
                    () -> ask(Map.of("command", "xdp.load", "object", object + ":" + program, "direction", "guest")),
                    () -> ask(Map.of("command", "xdp.unload", "all", true)));
            }
            return side.with(guest::start, guest::stop).counting(() -> counters.segments(Load.HEADERS, payload));
        }

        private void ask(final Map<String, Object> request)
        {
            try (ControlClient client = ControlClient.connect(control.toString()))
            {
                client.ask(request);
            }
        }

        @Override
        public void close()
        {
            guest.close();
            backEnd.close();
        }
    }
}
