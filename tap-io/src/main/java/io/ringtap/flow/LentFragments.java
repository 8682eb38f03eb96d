package io.ringtap.flow;

import io.ringtap.frag.FragAllocator;

/** Fragments that stages lent to a batch, each with the allocator it goes back to. Owned by one thread. */
final class LentFragments
{
    private final int[] fragments;
    private final FragAllocator[] lenders;
    private int count;

    LentFragments(final int capacity)
    {
        fragments = new int[capacity];
        lenders = new FragAllocator[capacity];
    }

    /** @return false when there is no place to note it. */
    boolean add(final FragAllocator lender, final int fragment)
    {
        if (count == fragments.length)
        {
            return false;
        }
        lenders[count] = lender;
        fragments[count++] = fragment;
        return true;
    }

    void giveBack()
    {
        while (count > 0)
        {
            lenders[--count].release(fragments[count]);
        }
    }
}
