package io.ringtap.bench.harness;

/**
 * What the first side of a row is to reach: a ratio to another side, or an absolute value.
 *
 * @param against label of the other side; empty for an absolute value.
 * @param bound   the least where more is better, the most where less is better.
 */
public record Goal(String against, double bound)
{
    /** A bound for the value itself. */
    public static Goal absolute(final double bound)
    {
        return new Goal("", bound);
    }

    public boolean isAbsolute()
    {
        return against.isEmpty();
    }
}
