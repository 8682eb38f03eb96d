package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * One value: features, status, MTU, MAC, an ack.
 * <pre>
 *   0               8
 *  +---------------+
 *  |     Value     |
 *  +---------------+
 * </pre>
 */
public final class U64Flyweight extends Flyweight
{
    public static final int VALUE_OFFSET = 0;
    public static final int LENGTH = 8;

    public U64Flyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public long value()
    {
        return buffer.getLong(offset + VALUE_OFFSET, LITTLE_ENDIAN);
    }

    public U64Flyweight value(final long value)
    {
        buffer.putLong(offset + VALUE_OFFSET, value, LITTLE_ENDIAN);
        return this;
    }
}
