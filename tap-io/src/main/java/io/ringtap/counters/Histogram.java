package io.ringtap.counters;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How often values of each size came, in buckets of doubling width. One thread writes; any thread reads, and sees each
 * bucket of a moment ago.
 */
public final class Histogram
{
    /** As for {@link CounterSet}. */
    private static final int PADDING = 2 * BitUtil.CACHE_LINE_LENGTH;

    private final int buckets;
    private final UnsafeBuffer values;

    /** @param buckets how many: bucket k holds values up to 2 to the power of k, the last one all that are greater. */
    public Histogram(final int buckets)
    {
        if (buckets < 2 || buckets > Long.SIZE)
        {
            throw new IllegalArgumentException(buckets + " buckets are not within 2.." + Long.SIZE);
        }
        this.buckets = buckets;
        final int length = PADDING + (buckets + 1) * Long.BYTES + PADDING;
        values = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, BitUtil.CACHE_LINE_LENGTH));
    }

    /** Writer's thread only: the value came so many times. */
    public void record(final long value, final long times)
    {
        if (CounterSet.IS_COUNTING)
        {
            final int bucket = value <= 1 ? 0 : Math.min(buckets - 1, Long.SIZE - Long.numberOfLeadingZeros(value - 1));
            add(bucket, times);
            add(buckets, value * times);
        }
    }

    public int buckets()
    {
        return buckets;
    }

    /** The greatest value of a bucket; {@link Long#MAX_VALUE} of the last. */
    public long bound(final int bucket)
    {
        return bucket == buckets - 1 ? Long.MAX_VALUE : 1L << bucket;
    }

    /** Values in this bucket alone. */
    public long count(final int bucket)
    {
        return values.getLongAcquire(offset(bucket));
    }

    /** All values together. */
    public long sum()
    {
        return values.getLongAcquire(offset(buckets));
    }

    private void add(final int slot, final long amount)
    {
        final int at = offset(slot);
        values.putLongRelease(at, values.getLong(at) + amount);
    }

    private static int offset(final int slot)
    {
        return PADDING + slot * Long.BYTES;
    }
}
