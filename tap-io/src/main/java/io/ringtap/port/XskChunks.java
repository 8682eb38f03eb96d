package io.ringtap.port;

import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;

import java.util.Arrays;

/**
 * The buffers that a queue gives the kernel for received frames: page fragments like all others, but cut evenly from
 * whole pages, so that none crosses a boundary that a device would mind. It knows which ones the kernel has, and gets
 * them back when a socket ends. Owned by the queue's worker.
 */
final class XskChunks
{
    static final int NONE = -1;

    private final FragAllocator allocator;
    private final int chunk;
    private final int shift;
    private final int perPage;
    private final int[] references;
    /** One bit a chunk of the arena, set while the kernel has it. */
    private final long[] lent;
    private int lentCount;
    /** The page that is being cut: the next chunk of it, and how many are left. */
    private int next;
    private int left;

    /** @param chunk bytes of a buffer, a power of two. */
    XskChunks(final FragAllocator allocator, final int chunk, final long arenaLength)
    {
        this.allocator = allocator;
        this.chunk = chunk;
        shift = Integer.numberOfTrailingZeros(chunk);
        perPage = PageArena.PAGE_SIZE / chunk;
        references = new int[perPage - 1];
        lent = new long[(int)(arenaLength / chunk + Long.SIZE - 1) / Long.SIZE];
    }

    int chunk()
    {
        return chunk;
    }

    /** Chunks that the kernel has. */
    int lentCount()
    {
        return lentCount;
    }

    /** Takes a chunk for the kernel. @return its arena offset or {@link #NONE}. */
    int lend()
    {
        if (0 == left && !turnPage())
        {
            return NONE;
        }
        final int offset = next;
        next += chunk;
        left--;
        lent[word(offset)] |= bit(offset);
        lentCount++;
        return offset;
    }

    /** Whether the kernel has a chunk that begins here. */
    boolean isLent(final int offset)
    {
        return 0 == (offset & chunk - 1) && word(offset) < lent.length && 0 != (lent[word(offset)] & bit(offset));
    }

    /** A frame came in this chunk: it is the batch's from now on. */
    void takeBack(final int offset)
    {
        lent[word(offset)] &= ~bit(offset);
        lentCount--;
    }

    /** The socket is closed: what the kernel had goes back to the arena, and so does the rest of the page. */
    void giveBack()
    {
        for (int word = 0; word < lent.length; word++)
        {
            while (0 != lent[word])
            {
                final int number = word * Long.SIZE + Long.numberOfTrailingZeros(lent[word]);
                lent[word] &= lent[word] - 1;
                allocator.release(number << shift);
            }
        }
        lentCount = 0;
        for (; left > 0; left--)
        {
            allocator.release(next);
        }
    }

    /** A fragment as long as a page is a page; each of its chunks holds it by a reference. */
    private boolean turnPage()
    {
        final int page = allocator.allocate(PageArena.PAGE_SIZE);
        if (FragAllocator.EXHAUSTED == page)
        {
            return false;
        }
        Arrays.fill(references, page);
        allocator.retain(references, references.length);
        next = page;
        left = perPage;
        return true;
    }

    private int word(final int offset)
    {
        return offset >>> shift + 6;
    }

    private long bit(final int offset)
    {
        return 1L << (offset >>> shift);
    }
}
