package io.ringtap.flow;

import io.ringtap.frag.FragAllocator;

/** An allocator that is always exhausted; nothing may ever be released to it. */
final class NoFragments implements FragAllocator
{
    @Override
    public int allocate(final int length)
    {
        return EXHAUSTED;
    }

    @Override
    public int allocate(final int length, final int count, final int[] into)
    {
        return 0;
    }

    @Override
    public void release(final int fragment)
    {
        throw new AssertionError("released " + fragment);
    }

    @Override
    public void release(final int[] fragments, final int count)
    {
        if (count > 0)
        {
            throw new AssertionError("released " + count);
        }
    }

    @Override
    public void retain(final int fragment)
    {
        throw new AssertionError("retained " + fragment);
    }

    @Override
    public void retain(final int[] fragments, final int count)
    {
        if (count > 0)
        {
            throw new AssertionError("retained " + count);
        }
    }

    @Override
    public void close()
    {
        // Holds nothing.
    }
}
