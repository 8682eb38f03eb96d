package io.ringtap.bench.harness;

/** One of those that take turns. It is quiet, without a cost to the others, but while it is measured. */
public abstract class Side implements AutoCloseable
{
    private final String label;

    protected Side(final String label)
    {
        this.label = label;
    }

    public final String label()
    {
        return label;
    }

    /** Works for so long, and is quiet again when this returns. */
    public abstract Sample measure(double seconds);

    /** Whether a turn before the first measured one changes it: compilers, caches. A C loop needs none. */
    public boolean needsWarmUp()
    {
        return true;
    }

    @Override
    public void close()
    {
        // What a side consists of usually belongs to the bed.
    }
}
