package io.ringtap.bench.harness;

import io.ringtap.bench.report.Figures;
import io.ringtap.it.rig.Progress;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Lets sides take turns, A B, B A, so that what changes by the minute on a machine changes for all of them alike. */
public final class Comparison
{
    private final Bed bed;
    private final String name;
    private final String unit;
    private final boolean isLessBetter;
    private final List<Side> sides = new ArrayList<>();
    private final List<Goal> goals = new ArrayList<>();
    private final List<Supplier<String>> notes = new ArrayList<>();

    private Comparison(final Bed bed, final String name, final String unit, final boolean isLessBetter)
    {
        this.bed = bed;
        this.name = name;
        this.unit = unit;
        this.isLessBetter = isLessBetter;
    }

    /** Of something of which more is better. */
    public static Comparison more(final Bed bed, final String name, final String unit)
    {
        return new Comparison(bed, name, unit, false);
    }

    /** Of something of which less is better. */
    public static Comparison less(final Bed bed, final String name, final String unit)
    {
        return new Comparison(bed, name, unit, true);
    }

    /** The first is ours. */
    public Comparison side(final Side side)
    {
        sides.add(side);
        return this;
    }

    public Comparison goal(final String against, final double bound)
    {
        goals.add(new Goal(against, bound));
        return this;
    }

    public Comparison goal(final double bound)
    {
        goals.add(Goal.absolute(bound));
        return this;
    }

    /** Something a reader of the row has to know. */
    public Comparison note(final String text)
    {
        return note(() -> text);
    }

    /** As {@link #note(String)}, of what is known when all turns are over. */
    public Comparison note(final Supplier<String> text)
    {
        notes.add(text);
        return this;
    }

    /** All turns. A side that fails is left out from then on, and the row says so. */
    public Row run()
    {
        final Settings settings = bed.settings();
        final List<List<Sample>> samples = new ArrayList<>();
        final boolean[] hasFailed = new boolean[sides.size()];
        for (int i = 0; i < sides.size(); i++)
        {
            samples.add(new ArrayList<>());
            if (settings.warmUpSeconds() > 0 && sides.get(i).needsWarmUp())
            {
                hasFailed[i] = null == take(sides.get(i), settings.warmUpSeconds());
            }
        }
        final List<Double> systemCalls = new ArrayList<>();
        final List<Double> coreToCore = new ArrayList<>();
        for (int turn = 0; turn < settings.runs(); turn++)
        {
            final Machine.Costs costs = bed.machine().costs();
            systemCalls.add(costs.systemCallNs());
            coreToCore.add(costs.coreToCoreNs());
            for (int k = 0; k < sides.size(); k++)
            {
                // Another side begins each turn: what comes first meets caches and clocks that rested.
                final int i = (turn + k) % sides.size();
                final Sample sample = hasFailed[i] ? null : take(sides.get(i), settings.seconds());
                hasFailed[i] |= null == sample;
                if (null != sample)
                {
                    samples.get(i).add(sample);
                }
            }
            say(turn, samples);
        }
        sides.forEach(Side::close);
        return row(samples, systemCalls, coreToCore);
    }

    private Row row(
        final List<List<Sample>> samples, final List<Double> systemCalls, final List<Double> coreToCore)
    {
        final List<SideRun> runs = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++)
        {
            if (!samples.get(i).isEmpty() || 0 == i)
            {
                runs.add(new SideRun(sides.get(i).label(), List.copyOf(samples.get(i))));
            }
        }
        final Row row = new Row(name, unit, isLessBetter, List.copyOf(runs), List.copyOf(goals),
            Distribution.of(systemCalls), Distribution.of(coreToCore),
            notes.stream().map(Supplier::get).collect(Collectors.joining("; ")));
        Figures.lines(row).forEach(System.out::println);
        return row;
    }

    private Sample take(final Side side, final double seconds)
    {
        try
        {
            return side.measure(seconds);
        }
        catch (final RuntimeException ex)
        {
            final String reason = String.valueOf(ex.getMessage()).lines().findFirst().orElse("");
            Progress.say(name + ": " + side.label() + " failed: " + bed.explain(ex));
            note(side.label() + " failed: " + reason);
            return null;
        }
    }

    private void say(final int turn, final List<List<Sample>> samples)
    {
        final List<String> words = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++)
        {
            final List<Sample> taken = samples.get(i);
            if (taken.size() == turn + 1)
            {
                words.add(sides.get(i).label() + " " + Figures.of(taken.get(turn).value()));
            }
        }
        Progress.say(name + ", turn " + (turn + 1) + ": " + words.stream().collect(Collectors.joining(", ")) + " " +
            unit);
    }
}
