package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Records one behind the other, as in the kernel's ring buffer: many producers, one consumer, and a record that is not
 * finished holds up those behind it.
 * <p>
 * Programs write to records where they lie, so what tells records apart lies elsewhere: a word for each 8 bytes of the
 * ring. The memory is twice the ring, so that a record which begins before the end goes on behind it; the kernel maps
 * the same pages twice for that.
 */
final class RecordRing
{
    /** Instead of an offset: there is no room. */
    static final int FULL = -1;
    /** Bytes in front of each record, where the kernel has its header. */
    static final int HEADER = 8;

    private static final int BUSY = 1 << 31;
    private static final int DISCARDED = 1 << 30;
    private static final int LENGTH = DISCARDED - 1;
    /** In the control memory, each in cache lines of its own. */
    private static final int LOCK = 64;
    private static final int PRODUCED = 72;
    private static final int CONSUMED = 192;
    private static final int CONTROL = 256;
    private static final int PATIENCE = 1 << 14;

    private final int mask;
    private final UnsafeBuffer memory;
    private final UnsafeBuffer headers;
    private final UnsafeBuffer control;

    /** @param size bytes; a power of two. */
    RecordRing(final String map, final int size)
    {
        mask = size - 1;
        memory = MapMemory.allocate(map, "records", 2L * size);
        headers = MapMemory.allocate(map, "headers of records", size / 2L);
        control = MapMemory.allocate(map, "positions", CONTROL);
    }

    UnsafeBuffer memory()
    {
        return memory;
    }

    int size()
    {
        return mask + 1;
    }

    /** Bytes ever reserved, headers included. */
    long produced()
    {
        return control.getLongVolatile(PRODUCED);
    }

    /** Bytes ever consumed. */
    long consumed()
    {
        return control.getLongVolatile(CONSUMED);
    }

    /**
     * Takes room for a record.
     *
     * @return where in {@link #memory()} it is, or {@link #FULL}.
     */
    int reserve(final long length)
    {
        final long whole = Words.align(length + HEADER, HEADER);
        if (length < 0 || length > mask || whole > mask + 1L || !lock())
        {
            return FULL;
        }
        final long position = control.getLong(PRODUCED);
        int offset = FULL;
        if (position + whole - control.getLongAcquire(CONSUMED) <= mask)
        {
            final int at = (int)position & mask;
            headers.putInt(at >> 1, (int)length | BUSY);
            control.putLongRelease(PRODUCED, position + whole);
            offset = at + HEADER;
        }
        control.putIntRelease(LOCK, 0);
        return offset;
    }

    private boolean lock()
    {
        int spins = 0;
        while (0 != control.getIntVolatile(LOCK) || !control.compareAndSetInt(LOCK, 0, 1))
        {
            spins = Words.pause(spins);
            if (spins > PATIENCE)
            {
                return false;
            }
        }
        return true;
    }

    /** Lets the consumer have a record, or pass over it. */
    void commit(final int offset, final boolean isDiscarded)
    {
        final int header = offset - HEADER >> 1;
        final int length = headers.getInt(header) & LENGTH;
        headers.putIntRelease(header, isDiscarded ? length | DISCARDED : length);
    }

    /**
     * Hands out records in their order; for one thread at a time.
     *
     * @return how many there were, at most {@code limit}.
     */
    int consume(final int index, final RecordHandler handler, final int limit)
    {
        int count = 0;
        long position = control.getLong(CONSUMED);
        while (count < limit && position < control.getLongVolatile(PRODUCED))
        {
            final int at = (int)position & mask;
            final int header = headers.getIntVolatile(at >> 1);
            if ((header & BUSY) != 0)
            {
                break;
            }
            final int length = header & LENGTH;
            if ((header & DISCARDED) == 0)
            {
                handler.onRecord(index, memory, at + HEADER, length);
                count++;
            }
            position += Words.align((long)length + HEADER, HEADER);
            control.putLongRelease(CONSUMED, position);
        }
        return count;
    }

    /** Passes over all that is finished, as practice does where nobody consumes. */
    void drain()
    {
        consume(0, (index, buffer, offset, length) ->
        {
        }, Integer.MAX_VALUE);
    }
}
