package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * A piece of the device's config space.
 * <pre>
 *   0       4       8       12          12 + Size
 *  +-------+-------+-------+---- ... ----+
 *  |Offset | Size  | Flags |    bytes    |
 *  +-------+-------+-------+---- ... ----+
 * </pre>
 */
public final class ConfigFlyweight extends Flyweight
{
    public static final int OFFSET_OFFSET = 0;
    public static final int SIZE_OFFSET = 4;
    public static final int FLAGS_OFFSET = 8;
    public static final int HEADER_LENGTH = 12;

    /** The guest writes. */
    public static final int FLAG_GUEST = 0;
    /** A migration restores, read-only fields too. */
    public static final int FLAG_MIGRATION = 1;

    public ConfigFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    /** A u32: judged as a long. */
    public long configOffset()
    {
        return Integer.toUnsignedLong(buffer.getInt(offset + OFFSET_OFFSET, LITTLE_ENDIAN));
    }

    public ConfigFlyweight configOffset(final int configOffset)
    {
        buffer.putInt(offset + OFFSET_OFFSET, configOffset, LITTLE_ENDIAN);
        return this;
    }

    /** A u32: judged as a long. */
    public long size()
    {
        return Integer.toUnsignedLong(buffer.getInt(offset + SIZE_OFFSET, LITTLE_ENDIAN));
    }

    public ConfigFlyweight size(final int size)
    {
        buffer.putInt(offset + SIZE_OFFSET, size, LITTLE_ENDIAN);
        return this;
    }

    public int flags()
    {
        return buffer.getInt(offset + FLAGS_OFFSET, LITTLE_ENDIAN);
    }

    public ConfigFlyweight flags(final int flags)
    {
        buffer.putInt(offset + FLAGS_OFFSET, flags, LITTLE_ENDIAN);
        return this;
    }

    /** Where the bytes start in the buffer. */
    public int bytesOffset()
    {
        return offset + HEADER_LENGTH;
    }
}
