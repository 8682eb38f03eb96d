package io.ringtap.frag;

/** A page a fragment: what page fragments are measured against. Any thread may allocate. */
final class FullPageAllocator extends ArenaAllocator
{
    FullPageAllocator(final PageArena arena)
    {
        super(arena);
    }

    @Override
    public int allocate(final int length)
    {
        checkLength(length);
        if (length > PageArena.PAGE_SIZE)
        {
            return allocateRun(length);
        }
        final int page = arena.takePage();
        return PageArena.EXHAUSTED == page ? EXHAUSTED : page << PageArena.PAGE_SHIFT;
    }

    @Override
    public int allocate(final int length, final int count, final int[] into)
    {
        for (int i = 0; i < count; i++)
        {
            final int fragment = allocate(length);
            if (EXHAUSTED == fragment)
            {
                return i;
            }
            into[i] = fragment;
        }
        return count;
    }

    @Override
    int unspent()
    {
        return 0;
    }

    @Override
    public void close()
    {
        // Holds nothing.
    }
}
