package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * A ring and a number: its size, its base, enabled or not.
 * <pre>
 *   0       4       8
 *  +-------+-------+
 *  | Index |  Num  |
 *  +-------+-------+
 * </pre>
 * As a base, Num of a split ring is the next available index (16 bits, free running); of a packed ring the available
 * index with its wrap counter in bits 0-15 and the used index with its wrap counter in bits 16-31.
 */
public final class VringStateFlyweight extends Flyweight
{
    public static final int INDEX_OFFSET = 0;
    public static final int NUM_OFFSET = 4;
    public static final int LENGTH = 8;

    public VringStateFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    /** A u32: judged as a long. */
    public long index()
    {
        return Integer.toUnsignedLong(buffer.getInt(offset + INDEX_OFFSET, LITTLE_ENDIAN));
    }

    public VringStateFlyweight index(final int index)
    {
        buffer.putInt(offset + INDEX_OFFSET, index, LITTLE_ENDIAN);
        return this;
    }

    public int num()
    {
        return buffer.getInt(offset + NUM_OFFSET, LITTLE_ENDIAN);
    }

    public VringStateFlyweight num(final int num)
    {
        buffer.putInt(offset + NUM_OFFSET, num, LITTLE_ENDIAN);
        return this;
    }
}
