package io.ringtap.bench.harness;

import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.RigException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects the rows of a scenario; one that cannot even begin does not take the others with it. */
public final class Rows
{
    private final Bed bed;
    private final List<Row> rows = new ArrayList<>();

    public Rows(final Bed bed)
    {
        this.bed = bed;
    }

    /** Builds and runs one comparison. */
    public void add(final String name, final Supplier<Row> comparison)
    {
        if (!name.contains(bed.settings().only()))
        {
            return;
        }
        try
        {
            rows.add(comparison.get());
        }
        catch (final RigException ex)
        {
            Progress.say(name + " could not be measured: " + bed.explain(ex));
        }
    }

    public List<Row> list()
    {
        return List.copyOf(rows);
    }
}
