package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which entries of an LRU map were used since the hand of a clock passed them: who needs room moves the hand on until
 * it meets one that was not. The kernel approximates as well, with lists for each CPU; a mark costs a queue less than a
 * place in a list, and a whole map is used before anything goes.
 */
final class Recency
{
    private static final int HAND = 64;

    private final int slots;
    private final UnsafeBuffer marks;
    private final UnsafeBuffer hand;

    Recency(final String map, final int slots)
    {
        this.slots = slots;
        marks = MapMemory.allocate(map, "marks of " + slots + " entries", slots);
        hand = MapMemory.allocate(map, "a clock", 3 * HAND);
    }

    /** The entry is used; a mark that is there is left alone, since writing would take the line from other queues. */
    void touch(final int slot)
    {
        if (0 == marks.getByte(slot))
        {
            marks.putByte(slot, (byte)1);
        }
    }

    /** An entry begins. */
    void begin(final int slot, final boolean isUsed)
    {
        marks.putByte(slot, (byte)(isUsed ? 1 : 0));
    }

    /** Moves the hand on: the slot it was at; negative when that was used, and from now on was not. */
    int pass()
    {
        final int slot = (int)Long.remainderUnsigned(hand.getAndAddLong(HAND, 1), slots);
        if (0 == marks.getByte(slot))
        {
            return slot;
        }
        marks.putByte(slot, (byte)0);
        return SlotList.NONE;
    }

    /** Passes after which something unused must have been met, if nobody else is at work. */
    int rounds()
    {
        return 3 * slots;
    }
}
