package io.ringtap.capture;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Blocks on their way from a worker to the recorder, back to back as they will lie in the file, so that the recorder
 * copies thousands of them at once. One thread writes, one reads; neither waits.
 * <pre>
 *   0                                                            capacity         + longest block
 *   |  free  | blocks for the recorder | blocks being written | free |  end of a block that began before |
 *            ^ read                    ^ published            ^ written
 * </pre>
 * Positions count bytes from the beginning and never turn back. A block lies in one piece: one that begins close to the
 * end goes over it, and the next begins where it would have gone on at the front.
 */
final class CaptureRing
{
    /** Instead of an index when there is no room. */
    static final int FULL = -1;

    private static final int PUBLISHED = 0;
    /** Behind the last block that reached the end: ordered by {@link #PUBLISHED}. */
    private static final int TURNED = Long.BYTES;
    /** A line of its own, and not the next one, which is fetched with it. */
    private static final int READ = 2 * BitUtil.CACHE_LINE_LENGTH;
    private static final int SHARED = 2 * READ;

    private final int capacity;
    private final long mask;
    private final UnsafeBuffer buffer;
    /** Positions that both sides know. */
    private final UnsafeBuffer shared =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(SHARED, BitUtil.CACHE_LINE_LENGTH));
    private long written;
    private long knownRead;
    private long read;

    /**
     * @param capacity a power of two.
     * @param longest  most bytes of a block; a ring holds several.
     */
    CaptureRing(final int capacity, final int longest)
    {
        this.capacity = capacity;
        mask = capacity - 1L;
        buffer = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(capacity + longest, BitUtil.CACHE_LINE_LENGTH));
    }

    /** Where blocks lie. */
    UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Writer: takes room for a block.
     *
     * @return where it begins, or {@link #FULL}.
     */
    int claim(final int length)
    {
        final long next = written + length;
        if (next - knownRead > capacity)
        {
            knownRead = shared.getLongAcquire(READ);
            if (next - knownRead > capacity)
            {
                return FULL;
            }
        }
        final int index = (int)(written & mask);
        if (index + length >= capacity)
        {
            // The block of the turn before was read: it lies more than a capacity back.
            shared.putLong(TURNED, next);
        }
        written = next;
        return index;
    }

    /** Writer: the reader may have everything that was claimed. */
    void publish()
    {
        shared.putLongRelease(PUBLISHED, written);
    }

    /** Reader: where the next block begins. */
    int index()
    {
        return (int)(read & mask);
    }

    /** Reader: bytes of whole blocks that lie in one piece from {@link #index()} on. */
    int readable()
    {
        final long end = shared.getLongAcquire(PUBLISHED);
        final long turn = (read & ~mask) + capacity;
        return (int)((end < turn ? end : shared.getLong(TURNED)) - read);
    }

    /** Reader: so many bytes of whole blocks are done with. */
    void release(final int length)
    {
        read += length;
        shared.putLongRelease(READ, read);
    }
}
