package io.ringtap.frag;

/**
 * Cuts fragments off one page after the other, for one thread at a time: the page-fragment cache of one queue.
 * <p>
 * A fresh page is given {@link #BIAS} references at once, which fragments then use up, so that allocating touches no
 * shared counter; what is left is taken back when the page is full (Linux: page_frag_cache). If by then every fragment
 * has come home, the page is cut again without the arena hearing of it. Fragments may be released by any thread.
 */
final class PageFragAllocator extends ArenaAllocator
{
    static final int ALIGNMENT = 64;

    /** More than the fragments of one page, of which there are at most 512. */
    private static final int BIAS = 1 << 16;

    private int page = PageArena.EXHAUSTED;
    /** Where the next fragment begins. */
    private int next;
    private int end;
    /** References to the page that no fragment has used up yet. */
    private int unspent;

    PageFragAllocator(final PageArena arena)
    {
        super(arena);
        arena.register(this);
    }

    @Override
    public int allocate(final int length)
    {
        checkLength(length);
        final int size = (length + ALIGNMENT - 1) & -ALIGNMENT;
        if (size > end - next)
        {
            if (size > PageArena.PAGE_SIZE)
            {
                return allocateRun(length);
            }
            if (!turnPage())
            {
                return EXHAUSTED;
            }
        }
        final int fragment = next;
        next = fragment + size;
        unspent--;
        return fragment;
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

    private boolean turnPage()
    {
        if (PageArena.EXHAUSTED != page && arena.references(page) == unspent)
        {
            // Only our own references are left, so nobody can add or drop one behind our back.
            arena.hold(page, BIAS - unspent);
        }
        else
        {
            final int fresh = arena.takePage();
            if (PageArena.EXHAUSTED == fresh)
            {
                return false;
            }
            arena.hold(fresh, BIAS - 1);
            close();
            page = fresh;
        }
        unspent = BIAS;
        next = page << PageArena.PAGE_SHIFT;
        end = next + PageArena.PAGE_SIZE;
        return true;
    }

    @Override
    int unspent()
    {
        return unspent;
    }

    /** Lets go of the page that was being cut; it is recycled with its last fragment. */
    @Override
    public void close()
    {
        if (PageArena.EXHAUSTED != page)
        {
            arena.drop(page, unspent);
            page = PageArena.EXHAUSTED;
            unspent = 0;
            next = 0;
            end = 0;
        }
    }
}
