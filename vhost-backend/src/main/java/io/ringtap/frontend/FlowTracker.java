package io.ringtap.frontend;

import java.util.Arrays;

/**
 * What became of the numbered packets of many flows: for each the next number expected and a window of those seen
 * before it, so that a late packet is told from a duplicate.
 */
final class FlowTracker
{
    /** The next number, as expected. */
    static final int IN_ORDER = 0;
    /** Numbers were skipped before this one: lost, unless they come late. */
    static final int GAP = 1;
    /** A number skipped before: reordered. */
    static final int LATE = 2;
    /** Seen before. */
    static final int DUPLICATE = 3;
    /** So far behind that nobody remembers: a duplicate or very late. */
    static final int STALE = 4;
    /** The generator began anew. */
    static final int RESTART = 5;

    private final int windowWords;
    private final int windowBits;
    private final long[] expected;
    private final long[] seen;
    private long skipped;

    /**
     * @param flows      how many are told apart.
     * @param windowBits numbers remembered in each; a power of two, at least 64.
     */
    FlowTracker(final int flows, final int windowBits)
    {
        this.windowBits = windowBits;
        windowWords = windowBits >> 6;
        expected = new long[flows];
        seen = new long[flows * windowWords];
    }

    int flows()
    {
        return expected.length;
    }

    /** Numbers that the last {@link #GAP} skipped. */
    long skipped()
    {
        return skipped;
    }

    /** Takes note of a packet and says what it is. */
    int onPacket(final int flow, final long sequence)
    {
        final long next = expected[flow];
        final long ahead = sequence - next;
        if (0 == ahead)
        {
            mark(flow, sequence);
            expected[flow] = next + 1;
            return IN_ORDER;
        }
        if (ahead > 0)
        {
            skipped = ahead;
            forget(flow, next, ahead);
            mark(flow, sequence);
            expected[flow] = sequence + 1;
            return GAP;
        }
        if (-ahead > windowBits)
        {
            if (0 == sequence)
            {
                forget(flow, 0, windowBits);
                mark(flow, 0);
                expected[flow] = 1;
                return RESTART;
            }
            return STALE;
        }
        return isMarked(flow, sequence) ? DUPLICATE : late(flow, sequence);
    }

    void reset()
    {
        Arrays.fill(expected, 0);
        Arrays.fill(seen, 0);
    }

    private int late(final int flow, final long sequence)
    {
        mark(flow, sequence);
        return LATE;
    }

    /** Clears the places of numbers that now come into the window unseen. */
    private void forget(final int flow, final long from, final long count)
    {
        if (count >= windowBits)
        {
            Arrays.fill(seen, flow * windowWords, (flow + 1) * windowWords, 0);
            return;
        }
        for (long i = from; i < from + count; i++)
        {
            seen[word(flow, i)] &= ~(1L << i);
        }
    }

    private void mark(final int flow, final long sequence)
    {
        seen[word(flow, sequence)] |= 1L << sequence;
    }

    private boolean isMarked(final int flow, final long sequence)
    {
        return (seen[word(flow, sequence)] >>> sequence & 1) != 0;
    }

    private int word(final int flow, final long sequence)
    {
        return flow * windowWords + ((int)(sequence >>> 6) & windowWords - 1);
    }
}
