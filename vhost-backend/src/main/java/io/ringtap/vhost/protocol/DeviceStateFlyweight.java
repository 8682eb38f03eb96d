package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * Which way the back-end's own state goes in a migration.
 * <pre>
 *   0           4       8
 *  +-----------+-------+
 *  | Direction | Phase |
 *  +-----------+-------+
 * </pre>
 */
public final class DeviceStateFlyweight extends Flyweight
{
    public static final int DIRECTION_OFFSET = 0;
    public static final int PHASE_OFFSET = 4;
    public static final int LENGTH = 8;

    public static final int DIRECTION_SAVE = 0;
    public static final int DIRECTION_LOAD = 1;
    public static final int PHASE_STOPPED = 0;

    public DeviceStateFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public int direction()
    {
        return buffer.getInt(offset + DIRECTION_OFFSET, LITTLE_ENDIAN);
    }

    public DeviceStateFlyweight direction(final int direction)
    {
        buffer.putInt(offset + DIRECTION_OFFSET, direction, LITTLE_ENDIAN);
        return this;
    }

    public int phase()
    {
        return buffer.getInt(offset + PHASE_OFFSET, LITTLE_ENDIAN);
    }

    public DeviceStateFlyweight phase(final int phase)
    {
        buffer.putInt(offset + PHASE_OFFSET, phase, LITTLE_ENDIAN);
        return this;
    }
}
