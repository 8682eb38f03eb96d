package io.ringtap.top;

import java.util.ArrayList;
import java.util.List;

/**
 * How often values of each size came.
 *
 * @param counts by bucket; bucket k holds values up to 2 to the power of k, the last one what is greater.
 * @param sum    of all values.
 */
record Distribution(List<Long> counts, long sum)
{
    static final Distribution EMPTY = new Distribution(List.of(), 0);

    Distribution
    {
        counts = List.copyOf(counts);
    }

    long total()
    {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    double mean()
    {
        final long total = total();
        return 0 == total ? 0 : (double)sum / total;
    }

    /** The bound of the bucket that holds the value which this share of all is not greater than: the last has none. */
    double quantile(final double share)
    {
        final double wanted = share * total();
        long seen = 0;
        for (int i = 0; i < counts.size(); i++)
        {
            seen += counts.get(i);
            if (0 < seen && seen >= wanted)
            {
                return i == counts.size() - 1 ? Double.POSITIVE_INFINITY : 1L << i;
            }
        }
        return 0;
    }

    Distribution since(final Distribution earlier)
    {
        final boolean isAnother = earlier.counts.size() != counts.size() || total() < earlier.total();
        return isAnother ? this : combine(earlier, -1);
    }

    Distribution plus(final Distribution other)
    {
        return counts.isEmpty() ? other : other.counts.isEmpty() ? this : combine(other, 1);
    }

    private Distribution combine(final Distribution other, final int sign)
    {
        final List<Long> combined = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++)
        {
            combined.add(counts.get(i) + sign * (i < other.counts.size() ? other.counts.get(i) : 0));
        }
        return new Distribution(combined, sum + sign * other.sum);
    }
}
