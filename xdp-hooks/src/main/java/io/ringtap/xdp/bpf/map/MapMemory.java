package io.ringtap.xdp.bpf.map;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Takes the memory of maps off the heap, zeroed and within limits. */
final class MapMemory
{
    /** Most bytes of one map's values: half of what the programs of an object can address. */
    static final long MAX_BYTES = 1 << 30;

    private static final int ALIGNMENT = 64;

    private MapMemory()
    {
    }

    /**
     * Memory that is 0.
     *
     * @param bytes as the numbers of the declaration multiply; at least 8 are taken.
     */
    static UnsafeBuffer allocate(final String map, final String what, final long bytes)
    {
        if (bytes < 0 || bytes > MAX_BYTES)
        {
            throw new MapException("map " + map + ": " + what + " take " + bytes + " bytes, at most " + MAX_BYTES +
                "; declare fewer or smaller entries");
        }
        final int length = (int)Math.max(Long.BYTES, Words.align(bytes, Long.BYTES));
        try
        {
            return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, ALIGNMENT), 0, length);
        }
        catch (final OutOfMemoryError full)
        {
            throw new MapException("map " + map + ": " + what + " take " + bytes +
                " bytes, more than there is left off the heap; raise -XX:MaxDirectMemorySize");
        }
    }
}
