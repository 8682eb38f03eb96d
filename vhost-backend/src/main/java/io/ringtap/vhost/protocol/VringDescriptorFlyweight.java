package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * What goes with the kick, call and error descriptor of a ring: a u64 of which nine bits mean something.
 * <pre>
 *   0       1       2                       8
 *  +-------+-------+-----------------------+
 *  | Index |     N |       not used        |
 *  +-------+-------+-----------------------+
 * </pre>
 * N, bit 8 of the value: no descriptor is attached, the ring is polled.
 */
public final class VringDescriptorFlyweight extends Flyweight
{
    public static final int VALUE_OFFSET = 0;
    public static final int LENGTH = 8;

    public static final long INDEX_MASK = 0xFF;
    public static final long NO_DESCRIPTOR = 0x100;

    public VringDescriptorFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public int index()
    {
        return (int)(value() & INDEX_MASK);
    }

    public boolean hasDescriptor()
    {
        return 0 == (value() & NO_DESCRIPTOR);
    }

    public VringDescriptorFlyweight value(final int index, final boolean hasDescriptor)
    {
        final long value = (index & INDEX_MASK) | (hasDescriptor ? 0 : NO_DESCRIPTOR);
        buffer.putLong(offset + VALUE_OFFSET, value, LITTLE_ENDIAN);
        return this;
    }

    private long value()
    {
        return buffer.getLong(offset + VALUE_OFFSET, LITTLE_ENDIAN);
    }
}
