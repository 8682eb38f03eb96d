package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * One region to add or remove.
 * <pre>
 *   0               8            40
 *  +---------------+------------+
 *  |      pad      |   Region   |
 *  +---------------+------------+
 * </pre>
 * The region is drawn in {@link MemoryRegionLayout}.
 */
public final class MemoryRegionFlyweight extends Flyweight
{
    public static final int REGION_OFFSET = 8;
    public static final int LENGTH = REGION_OFFSET + MemoryRegionLayout.LENGTH;

    public MemoryRegionFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public long guestAddress()
    {
        return MemoryRegionLayout.guestAddress(buffer, offset + REGION_OFFSET);
    }

    public long size()
    {
        return MemoryRegionLayout.size(buffer, offset + REGION_OFFSET);
    }

    public long frontendAddress()
    {
        return MemoryRegionLayout.frontendAddress(buffer, offset + REGION_OFFSET);
    }

    public long mmapOffset()
    {
        return MemoryRegionLayout.mmapOffset(buffer, offset + REGION_OFFSET);
    }

    public MemoryRegionFlyweight region(
        final long guestAddress, final long size, final long frontendAddress, final long mmapOffset)
    {
        buffer.putLong(offset, 0, LITTLE_ENDIAN);
        MemoryRegionLayout.put(buffer, offset + REGION_OFFSET, guestAddress, size, frontendAddress, mmapOffset);
        return this;
    }
}
