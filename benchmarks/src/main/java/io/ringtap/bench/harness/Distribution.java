package io.ringtap.bench.harness;

import java.util.Arrays;
import java.util.Collection;

/** Minimum, median and maximum; of nothing they are NaN. */
public record Distribution(double min, double median, double max)
{
    public static Distribution of(final Collection<Double> values)
    {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Values that are not numbers are left out. */
    public static Distribution of(final double... values)
    {
        final double[] sorted = Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
        if (0 == sorted.length)
        {
            return new Distribution(Double.NaN, Double.NaN, Double.NaN);
        }
        final int middle = sorted.length / 2;
        final double median = 1 == sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Distribution(sorted[0], median, sorted[sorted.length - 1]);
    }

    public boolean isEmpty()
    {
        return Double.isNaN(median);
    }
}
