package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Side;
import io.ringtap.bench.report.Json;
import io.ringtap.it.rig.RigException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A loop, mostly in C: runs for as long as it is told and prints what it did as a last line of JSON. */
public final class ProgramSide extends Side
{
    /** Stands for the seconds in the command. */
    public static final String SECONDS = "SECONDS";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Bed bed;
    private final List<String> command;
    private final Runnable start;
    private final Runnable stop;
    private String field = "packets";
    private double scale = 1e-6;
    private LongSupplier counter;

    /** @param command with {@link #SECONDS} in the place of the time. */
    public ProgramSide(final String label, final Bed bed, final List<String> command)
    {
        this(label, bed, command, () -> {}, () -> {});
    }

    /** @param start what else has to work meanwhile. */
    public ProgramSide(
        final String label, final Bed bed, final List<String> command, final Runnable start, final Runnable stop)
    {
        super(label);
        this.bed = bed;
        this.command = List.copyOf(command);
        this.start = start;
        this.stop = stop;
    }

    /** Takes another field of the program's line, and what one of it is worth in the unit of the row. */
    public ProgramSide counting(final String name, final double ofOne)
    {
        field = name;
        scale = ofOne;
        return this;
    }

    /** Counts elsewhere than in the program. */
    public ProgramSide counting(final LongSupplier elsewhere)
    {
        counter = elsewhere;
        return this;
    }

    @Override
    public boolean needsWarmUp()
    {
        return false;
    }

    @Override
    public Sample measure(final double seconds)
    {
        final List<String> words = new ArrayList<>();
        command.forEach(word -> words.add(SECONDS.equals(word) ? Double.toString(seconds) : word));
        try
        {
            start.run();
            final long before = null == counter ? 0 : counter.getAsLong();
            final String output = bed.lab().netns().check(PATIENCE.plusSeconds((long)seconds),
                words.toArray(String[]::new));
            final String said = output.strip();
            final Map<String, Object> result = Json.object(Json.parse(said.substring(said.lastIndexOf('\n') + 1)));
            if (0 != Json.number(result.get("errors")))
            {
                throw new RigException(label() + " had errors: " + said);
            }
            final double packets = Json.number(result.get("packets"));
            final double count = null == counter ? Json.number(result.get(field)) : counter.getAsLong() - before;
            return new Sample(count * scale / Json.number(result.get("seconds")),
                Json.number(result.get("cpuSeconds")) * 1e9 / (null == counter ? packets : count));
        }
        finally
        {
            stop.run();
        }
    }
}
