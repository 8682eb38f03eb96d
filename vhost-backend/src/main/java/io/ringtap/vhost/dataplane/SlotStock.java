package io.ringtap.vhost.dataplane;

import io.ringtap.frag.FragAllocator;

/** Slots of one length kept ready for the next batch, so that a batch costs the allocator's lock once. */
final class SlotStock implements AutoCloseable
{
    private final FragAllocator fragments;
    private final int slotLength;
    private final int[] slots;
    private final int[] fresh;
    private int count;

    /** @param capacity slots kept at most. */
    SlotStock(final FragAllocator fragments, final int slotLength, final int capacity)
    {
        this.fragments = fragments;
        this.slotLength = slotLength;
        slots = new int[capacity];
        fresh = new int[capacity];
    }

    int slotLength()
    {
        return slotLength;
    }

    /**
     * Tops the stock up.
     *
     * @param wanted slots, the capacity at most.
     * @return slots there are now: fewer than wanted when the arena is exhausted.
     */
    int refill(final int wanted)
    {
        if (count < wanted)
        {
            final int n = fragments.allocate(slotLength, wanted - count, fresh);
            System.arraycopy(fresh, 0, slots, count, n);
            count += n;
        }
        return count;
    }

    /** The slot that {@link #use} will hand out. */
    int next()
    {
        return slots[count - 1];
    }

    /** Hands {@link #next} out. */
    void use()
    {
        count--;
    }

    /** Gives slots back that are more than this. */
    void trim(final int most)
    {
        while (count > most)
        {
            fragments.release(slots[--count]);
        }
    }

    @Override
    public void close()
    {
        trim(0);
    }
}
