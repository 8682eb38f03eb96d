package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Groups the ready list of a batch by flow: flows in the order of their first frames, frames inside a flow in the order
 * in which they came. One pass finds the flows, a second one, only when they are interleaved, moves the indexes.
 */
public final class FlowSorter
{
    /** Longest batch. */
    public static final int MAX_CAPACITY = 1 << 10;

    private static final int NONE = -1;
    private static final int ROUND_SHIFT = 10;
    private static final int ROUND_STEP = 1 << ROUND_SHIFT;

    private final int mask;
    private final int shift;
    /** Drawn at start, so that a guest cannot choose flows that all fall into one place of the table. */
    private final long secret;
    private final long[] keys;
    /** The round in which a place was filled, above the group: nothing has to be cleared between rounds. */
    private final int[] places;
    private int round;

    private final int[] group;
    private final int[] frame;
    private final int[] start;

    /** @param capacity most frames of a batch. */
    public FlowSorter(final int capacity)
    {
        this(capacity, ThreadLocalRandom.current().nextLong());
    }

    FlowSorter(final int capacity, final long secret)
    {
        if (capacity < 1 || capacity > MAX_CAPACITY)
        {
            throw new IllegalArgumentException("batches of " + capacity + " are not between 1 and " + MAX_CAPACITY);
        }
        final int bits = Math.max(4, 33 - Integer.numberOfLeadingZeros(capacity - 1));
        mask = (1 << bits) - 1;
        shift = Long.SIZE - bits;
        this.secret = secret | 1;
        keys = new long[1 << bits];
        places = new int[1 << bits];
        group = new int[capacity];
        frame = new int[capacity];
        start = new int[capacity];
    }

    /**
     * Sorts what the port has not taken yet and notes the flow of each frame in the batch.
     *
     * @return how many flows there are.
     */
    public int sort(final FrameBatch batch)
    {
        final UnsafeBuffer arena = batch.arena();
        final int first = batch.sent();
        final int count = batch.readyCount() - first;
        nextRound();
        int flows = 0;
        long lastKey = FrameBatch.NO_FLOW;
        int last = NONE;
        boolean isSorted = true;
        for (int k = 0; k < count; k++)
        {
            final int i = batch.ready(first + k);
            final long key = FlowKey.of(arena, batch.offset(i), batch.linearLength(i));
            batch.flow(i, key);
            if (key != lastKey)
            {
                last = find(key, flows);
                isSorted &= last == flows;
                if (last == flows)
                {
                    start[flows++] = 0;
                }
                lastKey = key;
            }
            start[last]++;
            group[k] = last;
            frame[k] = i;
        }
        if (!isSorted)
        {
            arrange(batch, first, count, flows);
        }
        return flows;
    }

    private void nextRound()
    {
        round += ROUND_STEP;
        if (round == 0)
        {
            // The numbers start again: an old mark would look new.
            Arrays.fill(places, 0);
            round = ROUND_STEP;
        }
    }

    /** The group of a flow; {@code fresh}, noted under the key, when it is a new one. */
    private int find(final long key, final int fresh)
    {
        int at = (int)(key * secret >>> shift);
        for (int place = places[at] ^ round; place >>> ROUND_SHIFT == 0; place = places[at] ^ round)
        {
            if (keys[at] == key)
            {
                return place;
            }
            at = at + 1 & mask;
        }
        places[at] = round | fresh;
        keys[at] = key;
        return fresh;
    }

    private void arrange(final FrameBatch batch, final int first, final int count, final int flows)
    {
        int at = first;
        for (int g = 0; g < flows; g++)
        {
            final int size = start[g];
            start[g] = at;
            at += size;
        }
        for (int k = 0; k < count; k++)
        {
            batch.ready(start[group[k]]++, frame[k]);
        }
    }
}
