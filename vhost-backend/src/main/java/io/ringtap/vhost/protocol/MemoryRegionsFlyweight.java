package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * The table of all regions.
 * <pre>
 *   0       4       8            40            8 + 32 n
 *  +-------+-------+------------+---- ... ----+
 *  | Count |  pad  |  Region 0  |             |
 *  +-------+-------+------------+---- ... ----+
 * </pre>
 * A region is drawn in {@link MemoryRegionLayout}.
 */
public final class MemoryRegionsFlyweight extends Flyweight
{
    public static final int COUNT_OFFSET = 0;
    public static final int HEADER_LENGTH = 8;

    /** One descriptor a region, and eight are the most that a message carries. */
    public static final int MAX_REGIONS = MessageHeaderFlyweight.MAX_DESCRIPTORS;
    public static final int MAX_LENGTH = HEADER_LENGTH + MAX_REGIONS * MemoryRegionLayout.LENGTH;

    public MemoryRegionsFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    /** A u32: judged as a long. */
    public long count()
    {
        return Integer.toUnsignedLong(buffer.getInt(offset + COUNT_OFFSET, LITTLE_ENDIAN));
    }

    public MemoryRegionsFlyweight count(final int count)
    {
        buffer.putInt(offset + COUNT_OFFSET, count, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT_OFFSET + Integer.BYTES, 0, LITTLE_ENDIAN);
        return this;
    }

    /** Whether a payload of this length is the table of {@link #count()} regions: just those, or all eight slots. */
    public boolean isValid(final int length)
    {
        final long count = count();
        return count <= MAX_REGIONS && (lengthOf((int)count) == length || MAX_LENGTH == length);
    }

    public static int lengthOf(final int count)
    {
        return HEADER_LENGTH + count * MemoryRegionLayout.LENGTH;
    }

    public long guestAddress(final int index)
    {
        return MemoryRegionLayout.guestAddress(buffer, region(index));
    }

    public long size(final int index)
    {
        return MemoryRegionLayout.size(buffer, region(index));
    }

    public long frontendAddress(final int index)
    {
        return MemoryRegionLayout.frontendAddress(buffer, region(index));
    }

    public long mmapOffset(final int index)
    {
        return MemoryRegionLayout.mmapOffset(buffer, region(index));
    }

    public MemoryRegionsFlyweight region(
        final int index,
        final long guestAddress,
        final long size,
        final long frontendAddress,
        final long mmapOffset)
    {
        MemoryRegionLayout.put(buffer, region(index), guestAddress, size, frontendAddress, mmapOffset);
        return this;
    }

    private int region(final int index)
    {
        return offset + lengthOf(index);
    }
}
