package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * The dirty log of a migration.
 * <pre>
 *   0               8               16
 *  +---------------+---------------+
 *  |     Size      |  mmap offset  |
 *  +---------------+---------------+
 * </pre>
 */
public final class LogFlyweight extends Flyweight
{
    public static final int SIZE_OFFSET = 0;
    public static final int MMAP_OFFSET_OFFSET = 8;
    public static final int LENGTH = 16;

    public LogFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public long size()
    {
        return buffer.getLong(offset + SIZE_OFFSET, LITTLE_ENDIAN);
    }

    public LogFlyweight size(final long size)
    {
        buffer.putLong(offset + SIZE_OFFSET, size, LITTLE_ENDIAN);
        return this;
    }

    public long mmapOffset()
    {
        return buffer.getLong(offset + MMAP_OFFSET_OFFSET, LITTLE_ENDIAN);
    }

    public LogFlyweight mmapOffset(final long mmapOffset)
    {
        buffer.putLong(offset + MMAP_OFFSET_OFFSET, mmapOffset, LITTLE_ENDIAN);
        return this;
    }
}
