package io.ringtap.frag;

/**
 * What all allocators over an arena share: a fragment is released to its page, whoever handed it out. The unused fields
 * keep allocators of neighbouring queues, created one after the other, on different cache lines.
 */
abstract class ArenaAllocator implements FragAllocator
{
    long p00, p01, p02, p03, p04, p05, p06, p07;

    final PageArena arena;

    ArenaAllocator(final PageArena arena)
    {
        this.arena = arena;
    }

    @Override
    public final void release(final int fragment)
    {
        arena.drop(fragment >>> PageArena.PAGE_SHIFT, 1);
    }

    @Override
    public final void release(final int[] fragments, final int count)
    {
        int i = 0;
        while (i < count)
        {
            // Fragments of a batch mostly come from one page after the other: one atomic operation for each page.
            final int page = fragments[i] >>> PageArena.PAGE_SHIFT;
            final int first = i++;
            while (i < count && fragments[i] >>> PageArena.PAGE_SHIFT == page)
            {
                i++;
            }
            arena.drop(page, i - first);
        }
    }

    @Override
    public final void retain(final int fragment)
    {
        arena.hold(fragment >>> PageArena.PAGE_SHIFT, 1);
    }

    @Override
    public final void retain(final int[] fragments, final int count)
    {
        int i = 0;
        while (i < count)
        {
            final int page = fragments[i] >>> PageArena.PAGE_SHIFT;
            final int first = i++;
            while (i < count && fragments[i] >>> PageArena.PAGE_SHIFT == page)
            {
                i++;
            }
            arena.hold(page, i - first);
        }
    }

    /** References that the allocator itself holds for fragments yet to come. */
    abstract int unspent();

    /** A fragment that no page is big enough for. */
    final int allocateRun(final int length)
    {
        final int page = arena.takeRun((length + PageArena.PAGE_SIZE - 1) >>> PageArena.PAGE_SHIFT);
        return PageArena.EXHAUSTED == page ? EXHAUSTED : page << PageArena.PAGE_SHIFT;
    }

    static void checkLength(final int length)
    {
        if (length <= 0)
        {
            throw new IllegalArgumentException("fragment of " + length + " bytes");
        }
    }
}
