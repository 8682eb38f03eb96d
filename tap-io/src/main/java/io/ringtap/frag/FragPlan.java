package io.ringtap.frag;

import java.util.Locale;

/**
 * What a set of receive buffers costs in memory and mappings, under page fragments and under an allocation for each
 * buffer: arithmetic only, for reports.
 *
 * @param queues          queues with buffers of their own.
 * @param buffersPerQueue ring size.
 * @param bufferLength    bytes of a buffer.
 */
public record FragPlan(int queues, int buffersPerQueue, int bufferLength)
{
    /** Buffers of all queues. */
    public long buffers()
    {
        return (long)queues * buffersPerQueue;
    }

    /** Buffers that one page holds; 0 when a buffer is longer than a page. */
    public int buffersPerPage()
    {
        return PageArena.PAGE_SIZE / aligned();
    }

    /** Pages that hold all buffers; each is one mapping for a device, or one cached translation. */
    public long pages()
    {
        final int perPage = buffersPerPage();
        if (perPage > 0)
        {
            return (buffers() + perPage - 1) / perPage;
        }
        return buffers() * ((bufferLength + PageArena.PAGE_SIZE - 1) / PageArena.PAGE_SIZE);
    }

    public long pageFragmentBytes()
    {
        return pages() * PageArena.PAGE_SIZE;
    }

    /** Bytes when each buffer is an allocation of its own, rounded up to a power of two as page allocators do. */
    public long perBufferBytes()
    {
        return buffers() * (Integer.highestOneBit(bufferLength - 1) * 2L);
    }

    /** Mappings when each buffer is made known by itself. */
    public long perBufferMappings()
    {
        return buffers();
    }

    /** One line for people. */
    public String describe()
    {
        return String.format(Locale.ROOT,
            "%d queues x %d buffers x %d bytes: page fragments %d MiB in %d mappings, single buffers %d MiB in %d",
            queues, buffersPerQueue, bufferLength,
            pageFragmentBytes() >> 20, pages(), perBufferBytes() >> 20, perBufferMappings());
    }

    private int aligned()
    {
        return (bufferLength + PageFragAllocator.ALIGNMENT - 1) & -PageFragAllocator.ALIGNMENT;
    }
}
