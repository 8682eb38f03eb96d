package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One region, as it lies in the table and in the message of a single one.
 * <pre>
 *   0               8               16              24              32
 *  +---------------+---------------+---------------+---------------+
 *  | Guest address |     Size      | Front-end's   |  mmap offset  |
 *  |               |               |       address |               |
 *  +---------------+---------------+---------------+---------------+
 * </pre>
 */
public final class MemoryRegionLayout
{
    public static final int GUEST_ADDRESS_OFFSET = 0;
    public static final int SIZE_OFFSET = 8;
    public static final int FRONTEND_ADDRESS_OFFSET = 16;
    public static final int MMAP_OFFSET_OFFSET = 24;
    public static final int LENGTH = 32;

    private MemoryRegionLayout()
    {
    }

    static long guestAddress(final DirectBuffer buffer, final int region)
    {
        return buffer.getLong(region + GUEST_ADDRESS_OFFSET, LITTLE_ENDIAN);
    }

    static long size(final DirectBuffer buffer, final int region)
    {
        return buffer.getLong(region + SIZE_OFFSET, LITTLE_ENDIAN);
    }

    static long frontendAddress(final DirectBuffer buffer, final int region)
    {
        return buffer.getLong(region + FRONTEND_ADDRESS_OFFSET, LITTLE_ENDIAN);
    }

    static long mmapOffset(final DirectBuffer buffer, final int region)
    {
        return buffer.getLong(region + MMAP_OFFSET_OFFSET, LITTLE_ENDIAN);
    }

    static void put(
        final MutableDirectBuffer buffer,
        final int region,
        final long guestAddress,
        final long size,
        final long frontendAddress,
        final long mmapOffset)
    {
        buffer.putLong(region + GUEST_ADDRESS_OFFSET, guestAddress, LITTLE_ENDIAN);
        buffer.putLong(region + SIZE_OFFSET, size, LITTLE_ENDIAN);
        buffer.putLong(region + FRONTEND_ADDRESS_OFFSET, frontendAddress, LITTLE_ENDIAN);
        buffer.putLong(region + MMAP_OFFSET_OFFSET, mmapOffset, LITTLE_ENDIAN);
    }
}
