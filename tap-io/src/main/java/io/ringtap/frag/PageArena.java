package io.ringtap.frag;

import io.ringtap.sys.Mapping;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Owns 32 KiB pages in one mapping, and how often each is referenced: mapped once, registered once with whoever wants
 * to know the memory (io_uring, an IOMMU), never per frame.
 * <p>
 * The lowest free page is always taken next, so that the pages in use stay few and warm. Taking and giving back is
 * protected by a spin lock; references are atomic; any thread may do either. A run of pages that was taken as one is
 * referenced through its first page and goes back as one.
 */
public final class PageArena implements AutoCloseable
{
    /** No page, or no run that long, is free. */
    public static final int EXHAUSTED = -1;
    public static final int PAGE_SHIFT = 15;
    /** Bytes of a page: three 9 KB buffers, twenty of 1500 bytes, sixteen small slots. */
    public static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    /** Most pages: an offset in the arena is an int. */
    public static final int MAX_PAGES = Integer.MAX_VALUE >>> PAGE_SHIFT;

    /** Counts of neighbouring pages, used by different threads, stay on lines of their own. */
    private static final int STRIDE = 16;
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

    private final Mapping mapping;
    private final UnsafeBuffer buffer;
    private final int pages;
    private final SpinLock lock = new SpinLock();
    private final List<ArenaAllocator> allocators = new CopyOnWriteArrayList<>();

    /** References of each page; a page on the free map has none. */
    private final int[] references;
    /** Pages of the run that begins with this page. */
    private final int[] runPages;
    /** One bit a page, set when free. */
    private final long[] free;
    /** No bit is set in a word before this one. */
    private int firstWord;
    /** Written under the lock, read without it by whoever only wants to know. */
    private volatile int freePages;
    private volatile long pagesTaken;
    private volatile int registrations;

    /** @param pages how many, 1 to {@link #MAX_PAGES}; memory is only touched when a page is used. */
    public PageArena(final int pages)
    {
        if (pages < 1 || pages > MAX_PAGES)
        {
            throw new IllegalArgumentException("page count " + pages + " is not between 1 and " + MAX_PAGES);
        }
        this.pages = pages;
        references = new int[pages * STRIDE];
        runPages = new int[pages];
        free = new long[(pages + Long.SIZE - 1) / Long.SIZE];
        Arrays.fill(free, -1L);
        if ((pages & (Long.SIZE - 1)) != 0)
        {
            free[free.length - 1] = (1L << pages) - 1;
        }
        freePages = pages;
        mapping = Mapping.anonymous((long)pages << PAGE_SHIFT, "page arena");
        // Frames are the guest's as much as its memory is.
        mapping.adviseDontDump();
        buffer = mapping.buffer();
    }

    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Host address of the arena, for registering it as a whole. */
    public long address()
    {
        return mapping.address();
    }

    public long length()
    {
        return mapping.length();
    }

    public int pages()
    {
        return pages;
    }

    /** Pages that nobody has at the moment; asks without the lock, so that whoever looks never stops a worker. */
    public int freePages()
    {
        return freePages;
    }

    /** How many pages were ever taken; asks without the lock. */
    public long pagesTaken()
    {
        return pagesTaken;
    }

    /** How often somebody had to be told where the memory lies. */
    public int registrations()
    {
        return registrations;
    }

    /**
     * Takes the lowest free page, with one reference.
     *
     * @return page number or {@link #EXHAUSTED}.
     */
    public int takePage()
    {
        lock.lock();
        try
        {
            for (int w = firstWord; w < free.length; w++)
            {
                final long word = free[w];
                if (word != 0)
                {
                    free[w] = word & (word - 1);
                    firstWord = w;
                    return taken((w << 6) + Long.numberOfTrailingZeros(word), 1);
                }
            }
            firstWord = free.length;
            return EXHAUSTED;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Takes neighbouring pages as one piece, with one reference that its first page holds. Not for the hot path.
     *
     * @return number of the first page or {@link #EXHAUSTED}.
     */
    public int takeRun(final int count)
    {
        if (count < 1)
        {
            throw new IllegalArgumentException("run of " + count + " pages");
        }
        lock.lock();
        try
        {
            int length = 0;
            for (int page = firstWord << 6; page < pages; page++)
            {
                length = isFree(page) ? length + 1 : 0;
                if (length == count)
                {
                    final int first = page - count + 1;
                    for (int p = first; p <= page; p++)
                    {
                        free[p >>> 6] &= ~(1L << p);
                    }
                    return taken(first, count);
                }
            }
            return EXHAUSTED;
        }
        finally
        {
            lock.unlock();
        }
    }

    private boolean isFree(final int page)
    {
        return (free[page >>> 6] & (1L << page)) != 0;
    }

    private int taken(final int first, final int count)
    {
        freePages -= count;
        pagesTaken += count;
        runPages[first] = count;
        COUNT.setOpaque(references, first * STRIDE, 1);
        return first;
    }

    /** Gives a page, or the run that it begins, back at once; only for its sole owner. */
    public void givePage(final int page)
    {
        drop(page, 1);
    }

    /** Adds references to a page that the caller holds one of. */
    void hold(final int page, final int count)
    {
        COUNT.getAndAdd(references, page * STRIDE, count);
    }

    /** Takes references away; the last one recycles the page, or the run that it begins. */
    void drop(final int page, final int count)
    {
        final int before = (int)COUNT.getAndAdd(references, page * STRIDE, -count);
        if (before <= count)
        {
            if (before < count)
            {
                throw new IllegalStateException("page " + page + " had " + before + " references, released " + count);
            }
            recycle(page);
        }
    }

    int references(final int page)
    {
        return (int)COUNT.getAcquire(references, page * STRIDE);
    }

    private void recycle(final int page)
    {
        lock.lock();
        try
        {
            final int count = runPages[page];
            runPages[page] = 0;
            for (int p = page; p < page + count; p++)
            {
                free[p >>> 6] |= 1L << p;
            }
            freePages += count;
            firstWord = Math.min(firstWord, page >>> 6);
        }
        finally
        {
            lock.unlock();
        }
    }

    void register(final ArenaAllocator allocator)
    {
        allocators.add(allocator);
    }

    void deregister(final ArenaAllocator allocator)
    {
        allocators.remove(allocator);
    }

    /** Somebody had to be told where the memory lies; the point of the arena is that this number stays small. */
    public synchronized void countRegistration()
    {
        registrations++;
    }

    /** What is used and what is free; exact when nobody allocates or releases meanwhile. */
    public ArenaReport report()
    {
        long out = 0;
        for (int page = 0; page < pages; page++)
        {
            out += references(page);
        }
        for (final ArenaAllocator allocator : allocators)
        {
            out -= allocator.unspent();
        }
        lock.lock();
        try
        {
            return new ArenaReport(pages, freePages, out, pagesTaken, registrations);
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Unmaps the memory; nobody may hold a fragment any more. */
    @Override
    public void close()
    {
        mapping.close();
    }
}
