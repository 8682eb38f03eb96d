package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Slots that nobody uses: a stack that any thread takes from and gives to without a lock. Its head carries a number
 * that each change raises, so that a head that came back is not taken for one that stayed.
 */
final class SlotList
{
    /** Nothing left. */
    static final int NONE = -1;

    private static final int HEAD = 64;
    private static final long SERIAL = 1L << 32;

    /** The head alone in its cache line. */
    private final UnsafeBuffer head;
    /** By slot: the next free one, plus 1; only while it is free. */
    private final UnsafeBuffer next;

    SlotList(final String map, final int slots)
    {
        head = MapMemory.allocate(map, "a list", 3 * HEAD);
        next = MapMemory.allocate(map, "lists of " + slots + " entries", (long)slots * Integer.BYTES);
    }

    /** Another list of the same slots: a slot is in one of them at most. */
    SlotList(final String map, final SlotList other)
    {
        head = MapMemory.allocate(map, "a list", 3 * HEAD);
        next = other.next;
    }

    /** Takes a slot; {@link #NONE} when there is none. */
    int take()
    {
        while (true)
        {
            final long old = head.getLongVolatile(HEAD);
            final int slot = (int)old - 1;
            if (slot < 0)
            {
                return NONE;
            }
            // Somebody else may have taken it and may write here; then the exchange fails.
            final int following = next.getIntVolatile(slot * Integer.BYTES);
            if (head.compareAndSetLong(HEAD, old, (old & -SERIAL) + SERIAL | following))
            {
                return slot;
            }
        }
    }

    /** Gives a slot back. */
    void give(final int slot)
    {
        while (true)
        {
            final long old = head.getLongVolatile(HEAD);
            next.putIntRelease(slot * Integer.BYTES, (int)old);
            if (head.compareAndSetLong(HEAD, old, (old & -SERIAL) + SERIAL | slot + 1))
            {
                return;
            }
        }
    }

    /** Gives many back, the first to be taken first. */
    void giveAll(final int first, final int end)
    {
        for (int slot = end - 1; slot >= first; slot--)
        {
            give(slot);
        }
    }
}
