package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;

import java.util.List;

/** One registration of all memory with io_uring, against one for each buffer and against none. */
final class RegistrationScenario implements Scenario
{
    private static final String ONCE = "registered once";
    private static final String EACH = "each buffer by itself";
    private static final String NONE = "not registered";

    @Override
    public String name()
    {
        return "registration";
    }

    @Override
    public String title()
    {
        return "Idea: one registration for all pages";
    }

    @Override
    public String about()
    {
        return "A loop in C writes 64-byte frames into a TAP, 64 a call of io_uring_enter: out of memory that was " +
            "registered once, out of buffers that are registered one by one for their batch, out of memory that was " +
            "not registered. Then the backend with its arena registered and without. A foreign MAC is the sink.";
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
        rows.add("C loop", () ->
        {
            final Loops loops = new Loops(bed, "creg", 64 - Load.HEADERS);
            return Comparison.more(bed, "C loop", "Mpps")
                .side(loops.writer(ONCE, "fixed"))
                .side(loops.writer(EACH, "fixed-each"))
                .side(loops.writer(NONE, "uring"))
                .run();
        });
        final OurPaths paths = new OurPaths(bed);
        rows.add("the backend", () -> Comparison.more(bed, "the backend", "Mpps")
            .side(paths.toTap(ONCE, 64, 256, "-Dringtap.tuning.register-arena=true"))
            .side(paths.toTap(NONE, 64, 256))
            .run());
        return rows.list();
    }
}
