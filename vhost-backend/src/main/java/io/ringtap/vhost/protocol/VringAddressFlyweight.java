package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * Where a ring lies, in the front-end's addresses. Mind the order: used comes before available.
 * <pre>
 *   0       4       8               16              24              32              40
 *  +-------+-------+---------------+---------------+---------------+---------------+
 *  | Index | Flags |  Descriptors  |     Used      |   Available   |      Log      |
 *  +-------+-------+---------------+---------------+---------------+---------------+
 * </pre>
 * For a packed ring Used is the device's event area and Available the driver's.
 */
public final class VringAddressFlyweight extends Flyweight
{
    public static final int INDEX_OFFSET = 0;
    public static final int FLAGS_OFFSET = 4;
    public static final int DESCRIPTOR_OFFSET = 8;
    public static final int USED_OFFSET = 16;
    public static final int AVAILABLE_OFFSET = 24;
    public static final int LOG_OFFSET = 32;
    public static final int LENGTH = 40;

    /** VHOST_VRING_F_LOG: writes to the used ring are logged at the log address. */
    public static final int FLAG_LOG = 1;

    public VringAddressFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    /** A u32: judged as a long. */
    public long index()
    {
        return Integer.toUnsignedLong(buffer.getInt(offset + INDEX_OFFSET, LITTLE_ENDIAN));
    }

    public VringAddressFlyweight index(final int index)
    {
        buffer.putInt(offset + INDEX_OFFSET, index, LITTLE_ENDIAN);
        return this;
    }

    public int flags()
    {
        return buffer.getInt(offset + FLAGS_OFFSET, LITTLE_ENDIAN);
    }

    public VringAddressFlyweight flags(final int flags)
    {
        buffer.putInt(offset + FLAGS_OFFSET, flags, LITTLE_ENDIAN);
        return this;
    }

    public long descriptorAddress()
    {
        return buffer.getLong(offset + DESCRIPTOR_OFFSET, LITTLE_ENDIAN);
    }

    public VringAddressFlyweight descriptorAddress(final long frontendAddress)
    {
        buffer.putLong(offset + DESCRIPTOR_OFFSET, frontendAddress, LITTLE_ENDIAN);
        return this;
    }

    public long usedAddress()
    {
        return buffer.getLong(offset + USED_OFFSET, LITTLE_ENDIAN);
    }

    public VringAddressFlyweight usedAddress(final long frontendAddress)
    {
        buffer.putLong(offset + USED_OFFSET, frontendAddress, LITTLE_ENDIAN);
        return this;
    }

    public long availableAddress()
    {
        return buffer.getLong(offset + AVAILABLE_OFFSET, LITTLE_ENDIAN);
    }

    public VringAddressFlyweight availableAddress(final long frontendAddress)
    {
        buffer.putLong(offset + AVAILABLE_OFFSET, frontendAddress, LITTLE_ENDIAN);
        return this;
    }

    /** Guest-physical, not the front-end's: the only one here. */
    public long logGuestAddress()
    {
        return buffer.getLong(offset + LOG_OFFSET, LITTLE_ENDIAN);
    }

    public VringAddressFlyweight logGuestAddress(final long guestAddress)
    {
        buffer.putLong(offset + LOG_OFFSET, guestAddress, LITTLE_ENDIAN);
        return this;
    }
}
