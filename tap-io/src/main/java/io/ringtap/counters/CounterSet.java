package io.ringtap.counters;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.List;

/**
 * The counters of one object. One thread writes; any thread reads, and sees each counter's value of a moment ago.
 *
 * @param <E> names the counters.
 */
public final class CounterSet<E extends Enum<E> & CounterLabel>
{
    /** A constant to the compiler; false only to measure what counting costs. */
    static final boolean IS_COUNTING = Boolean.parseBoolean(System.getProperty("ringtap.tuning.counting", "true"));

    /** In front and behind, so that sets of two workers never share a cache line (nor the adjacent one). */
    private static final int PADDING = 2 * BitUtil.CACHE_LINE_LENGTH;

    private final String scope;
    private final E[] counters;
    private final UnsafeBuffer values;
    private final List<CounterSet<E>> parts;

    /**
     * @param scope whose counters, for people and labels: {@code queue 3}.
     * @param type  the enum.
     */
    public CounterSet(final String scope, final Class<E> type)
    {
        this(scope, type, List.of());
    }

    /** @param parts what they count shows in this set as well. */
    public CounterSet(final String scope, final Class<E> type, final List<CounterSet<E>> parts)
    {
        this.scope = scope;
        this.parts = List.copyOf(parts);
        counters = type.getEnumConstants();
        final int length = PADDING + counters.length * Long.BYTES + PADDING;
        values = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, BitUtil.CACHE_LINE_LENGTH));
    }

    public void increment(final E counter)
    {
        add(counter, 1);
    }

    /** Writer's thread only: a plain read and an ordered store, no locked instruction. */
    public void add(final E counter, final long amount)
    {
        if (IS_COUNTING)
        {
            final int at = offset(counter);
            values.putLongRelease(at, values.getLong(at) + amount);
        }
    }

    public long get(final E counter)
    {
        long value = values.getLongAcquire(offset(counter));
        for (int i = 0; i < parts.size(); i++)
        {
            value += parts.get(i).get(counter);
        }
        return value;
    }

    public String scope()
    {
        return scope;
    }

    /** Every counter, in the enum's order. */
    public E[] counters()
    {
        return counters.clone();
    }

    private int offset(final E counter)
    {
        return PADDING + counter.ordinal() * Long.BYTES;
    }
}
