package io.ringtap.bench.harness;

/**
 * One measurement.
 *
 * @param value in the unit of its row.
 * @param cpuNs processor time that the measured side took for each packet, in nanoseconds; NaN where it says nothing.
 */
public record Sample(double value, double cpuNs)
{
    /** A value alone. */
    public static Sample of(final double value)
    {
        return new Sample(value, Double.NaN);
    }
}
