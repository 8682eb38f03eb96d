package io.ringtap.counters;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Buckets of doubling width. */
class HistogramTest
{
    @Test
    void shouldPutEachValueIntoTheFirstBucketThatHoldsIt()
    {
        final Histogram histogram = new Histogram(6);
        final long[] values = {0, 1, 2, 3, 4, 5, 8, 9, 16, 17, Long.MAX_VALUE};
        long sum = 0;
        for (final long value : values)
        {
            histogram.record(value, 1);
            sum += value;
        }
        assertEquals(sum, histogram.sum());
        final long[] expected = {2, 1, 2, 2, 2, 2};
        for (int i = 0; i < expected.length; i++)
        {
            assertEquals(expected[i], histogram.count(i), "bucket " + i);
        }
        assertEquals(1, histogram.bound(0));
        assertEquals(16, histogram.bound(4));
        assertEquals(Long.MAX_VALUE, histogram.bound(5));
    }

    @Test
    void shouldCountAValueAsOftenAsItCame()
    {
        final Histogram histogram = new Histogram(4);
        histogram.record(3, 64);
        assertEquals(64, histogram.count(2));
        assertEquals(192, histogram.sum());
        assertThrows(IllegalArgumentException.class, () -> new Histogram(1));
        assertThrows(IllegalArgumentException.class, () -> new Histogram(65));
    }
}
