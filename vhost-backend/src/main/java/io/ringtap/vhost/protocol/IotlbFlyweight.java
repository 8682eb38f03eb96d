package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * A translation of the guest's IOMMU, asked for, given or taken back.
 * <pre>
 *   0               8               16              24  25  26      32
 *  +---------------+---------------+---------------+---+---+-------+
 *  |     IOVA      |     Size      | Front-end's   | P | T |  pad  |
 *  |               |               |       address |   |   |       |
 *  +---------------+---------------+---------------+---+---+-------+
 * </pre>
 * P is the permission, T the type.
 */
public final class IotlbFlyweight extends Flyweight
{
    public static final int IOVA_OFFSET = 0;
    public static final int SIZE_OFFSET = 8;
    public static final int FRONTEND_ADDRESS_OFFSET = 16;
    public static final int PERMISSION_OFFSET = 24;
    public static final int TYPE_OFFSET = 25;
    public static final int LENGTH = 32;

    public static final int PERMISSION_READ = 1;
    public static final int PERMISSION_WRITE = 2;

    public static final int TYPE_MISS = 1;
    public static final int TYPE_UPDATE = 2;
    public static final int TYPE_INVALIDATE = 3;
    public static final int TYPE_ACCESS_FAIL = 4;

    public IotlbFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public long iova()
    {
        return buffer.getLong(offset + IOVA_OFFSET, LITTLE_ENDIAN);
    }

    public long size()
    {
        return buffer.getLong(offset + SIZE_OFFSET, LITTLE_ENDIAN);
    }

    public long frontendAddress()
    {
        return buffer.getLong(offset + FRONTEND_ADDRESS_OFFSET, LITTLE_ENDIAN);
    }

    public int permission()
    {
        return buffer.getByte(offset + PERMISSION_OFFSET) & 0xFF;
    }

    public int type()
    {
        return buffer.getByte(offset + TYPE_OFFSET) & 0xFF;
    }

    public IotlbFlyweight set(
        final long iova, final long size, final long frontendAddress, final int permission, final int type)
    {
        buffer.putLong(offset + IOVA_OFFSET, iova, LITTLE_ENDIAN);
        buffer.putLong(offset + SIZE_OFFSET, size, LITTLE_ENDIAN);
        buffer.putLong(offset + FRONTEND_ADDRESS_OFFSET, frontendAddress, LITTLE_ENDIAN);
        buffer.putLong(offset + PERMISSION_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putByte(offset + PERMISSION_OFFSET, (byte)permission);
        buffer.putByte(offset + TYPE_OFFSET, (byte)type);
        return this;
    }
}
