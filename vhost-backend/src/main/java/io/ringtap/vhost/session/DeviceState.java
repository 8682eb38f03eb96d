package io.ringtap.vhost.session;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.zip.CRC32;

import io.ringtap.vhost.control.ReceiveState;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.MutableDirectBuffer;

/**
 * What of a device a front-end cannot set up again by itself when it moves the device to another back-end (vhost-user,
 * "migrating back-end state"). The other one may be of another version, and the bytes came through other hands.
 * <pre>
 *   0               8       12      16              24      28
 *  +---------------+-------+-------+---------------+-------+---- ... ----+-- ... --+-------+
 *  |     Magic     |Version| Length|   Features    | Rings | Base, Flags | Control | CRC32 |
 *  +---------------+-------+-------+---------------+-------+---- ... ----+-- ... --+-------+
 * </pre>
 * Length is that of the whole; each ring has its base and its flags (bit 0: enabled) in 4 bytes each. Behind them, up
 * to the checksum, is what the guest asked for on the control queue, in commands.
 */
final class DeviceState
{
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int LENGTH_OFFSET = 12;
    static final int FEATURES_OFFSET = 16;
    static final int RINGS_OFFSET = 24;
    static final int HEADER_LENGTH = 28;
    static final int RING_LENGTH = 8;
    static final int CRC_LENGTH = 4;

    /** "RINGTAP1" as it lies in the file. */
    static final long MAGIC = 0x3150_4154_474E_4952L;
    static final int VERSION = 1;

    /** vhost-user names a ring by a byte. */
    static final int MAX_RINGS = 256;
    static final int MAX_LENGTH = HEADER_LENGTH + MAX_RINGS * RING_LENGTH + ReceiveState.MAX_SAVED + CRC_LENGTH;

    private static final int ENABLED = 1;

    private DeviceState()
    {
    }

    /** @return bytes written. */
    static int save(
        final MutableDirectBuffer to, final long features, final VringTable rings, final ControlDesk control)
    {
        final int count = rings.count();
        final int behind = HEADER_LENGTH + count * RING_LENGTH;
        final int length = behind + control.save(to, behind) + CRC_LENGTH;
        to.putLong(MAGIC_OFFSET, MAGIC, LITTLE_ENDIAN);
        to.putInt(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        to.putInt(LENGTH_OFFSET, length, LITTLE_ENDIAN);
        to.putLong(FEATURES_OFFSET, features, LITTLE_ENDIAN);
        to.putInt(RINGS_OFFSET, count, LITTLE_ENDIAN);
        for (int i = 0; i < count; i++)
        {
            to.putInt(HEADER_LENGTH + i * RING_LENGTH, rings.base(i), LITTLE_ENDIAN);
            to.putInt(HEADER_LENGTH + i * RING_LENGTH + 4, rings.isEnabled(i) ? ENABLED : 0, LITTLE_ENDIAN);
        }

        to.putInt(length - CRC_LENGTH, crc(to, length - CRC_LENGTH), LITTLE_ENDIAN);
        return length;
    }

    /**
     * Checks all of it, then takes over what it says.
     *
     * @param length  bytes that came.
     * @param offered features that we can do.
     * @throws RefusedException when it is not a state, or not one for this device; nothing has changed then.
     */
    static void load(
        final MutableDirectBuffer from,
        final int length,
        final long offered,
        final VringTable rings,
        final ControlDesk control)
    {
        check(from, length);
        final int count = from.getInt(RINGS_OFFSET, LITTLE_ENDIAN);
        if (count < 0 || count > rings.count() || count * RING_LENGTH > length - HEADER_LENGTH - CRC_LENGTH)
        {
            throw new RefusedException("the device state has " + Integer.toUnsignedString(count) + " rings in " +
                length + " bytes, there are " + rings.count());
        }

        final long alien = from.getLong(FEATURES_OFFSET, LITTLE_ENDIAN) & ~offered;
        if (0 != alien)
        {
            throw new RefusedException(
                "the device state is one with features " + String.join(" ", NetFeatures.names(alien)));
        }

        final int behind = HEADER_LENGTH + count * RING_LENGTH;
        if (!control.isRestored(from, behind, length - CRC_LENGTH - behind))
        {
            throw new RefusedException("what the device state says of the control queue is no list of commands");
        }

        for (int i = 0; i < count; i++)
        {
            rings.onSetVringBase(i, from.getInt(HEADER_LENGTH + i * RING_LENGTH, LITTLE_ENDIAN));
            rings.onSetVringEnable(i, from.getInt(HEADER_LENGTH + i * RING_LENGTH + 4, LITTLE_ENDIAN) & ENABLED);
        }
    }

    private static void check(final MutableDirectBuffer from, final int length)
    {
        if (length < HEADER_LENGTH + CRC_LENGTH ||
            MAGIC != from.getLong(MAGIC_OFFSET, LITTLE_ENDIAN) || length != from.getInt(LENGTH_OFFSET, LITTLE_ENDIAN))
        {
            throw new RefusedException("the device state of " + length + " bytes is none, or not all of it");
        }

        final int version = from.getInt(VERSION_OFFSET, LITTLE_ENDIAN);
        if (VERSION != version)
        {
            throw new RefusedException("the device state is of version " + version + ", only " + VERSION + " is known");
        }

        if (crc(from, length - CRC_LENGTH) != from.getInt(length - CRC_LENGTH, LITTLE_ENDIAN))
        {
            throw new RefusedException("the device state was changed on its way");
        }
    }

    private static int crc(final MutableDirectBuffer bytes, final int length)
    {
        final CRC32 crc = new CRC32();
        for (int i = 0; i < length; i++)
        {
            crc.update(bytes.getByte(i));
        }

        return (int)crc.getValue();
    }
}
