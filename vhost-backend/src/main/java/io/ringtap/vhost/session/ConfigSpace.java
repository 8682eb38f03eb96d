package io.ringtap.vhost.session;

import io.ringtap.flow.ToeplitzHash;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.control.RssTable;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.protocol.ConfigFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * The config space of a network device (virtio 1.x, 5.1.4), for front-ends that leave it to us. QEMU does not.
 * <pre>
 *  0 mac 6 | 6 status 2 | 8 queue pairs 2 | 10 mtu 2 | 12 speed 4 | 16 duplex 1
 * 17 rss key length 1 | 18 rss table length 2 | 20 hash types 4                                  24 bytes
 * </pre>
 */
final class ConfigSpace
{
    static final int LENGTH = 24;
    /** The most that a front-end may ask for (VHOST_USER_MAX_CONFIG_SIZE); what is beyond our fields is 0. */
    static final int MAX_LENGTH = 256;

    private static final int MAC_LENGTH = 6;
    private static final int STATUS_OFFSET = 6;
    private static final int PAIRS_OFFSET = 8;
    private static final int MTU_OFFSET = 10;
    private static final int SPEED_OFFSET = 12;
    private static final int DUPLEX_OFFSET = 16;
    private static final int KEY_LENGTH_OFFSET = 17;
    private static final int TABLE_LENGTH_OFFSET = 18;
    private static final int HASH_TYPES_OFFSET = 20;
    private static final int LINK_UP = 1;
    private static final int ANNOUNCE = 2;

    private final DataPlane dataPlane;
    private final UnsafeBuffer now = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final UnsafeBuffer told = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private long mac;
    private boolean isAnnouncing;

    /** @param mac the guest's address, first byte in the low bits; 0 for none. */
    ConfigSpace(final DataPlane dataPlane, final long mac)
    {
        this.dataPlane = dataPlane;
        this.mac = mac;
        look();
        told.putBytes(0, now, 0, LENGTH);
    }

    /**
     * What the front-end asks for, at the offset that it asks for.
     *
     * @param payloadLength of the message.
     */
    DirectBuffer read(final ConfigFlyweight message, final int payloadLength)
    {
        check(message, payloadLength);
        look();
        told.putBytes(0, now, 0, LENGTH);
        return now;
    }

    /**
     * What a front-end writes. A driver can write nothing: every field is for it to read. A migration restores the
     * address.
     */
    void write(final ConfigFlyweight message, final DirectBuffer from, final int payloadLength)
    {
        check(message, payloadLength);
        if (ConfigFlyweight.FLAG_MIGRATION != message.flags())
        {
            throw new RefusedException("config bytes " + message.configOffset() + " to " +
                (message.configOffset() + message.size()) + " are read-only, and flags are " + message.flags() +
                ", not those of a migration");
        }

        final UnsafeBuffer address = Memory.scratch(Long.BYTES);
        address.putLong(0, mac, ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < message.size() && message.configOffset() + i < MAC_LENGTH; i++)
        {
            address.putByte((int)message.configOffset() + i, from.getByte(message.bytesOffset() + i));
        }

        mac = address.getLong(0, ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether something is different from what a front-end was told last; it is told now. */
    boolean hasChanged()
    {
        look();
        final boolean isOther = 0 != now.compareTo(told);
        told.putBytes(0, now, 0, LENGTH);
        return isOther;
    }

    /** The driver gave the device another address. */
    void mac(final long address)
    {
        mac = address;
    }

    /**
     * Whether the guest is to announce itself.
     *
     * @return whether it was before.
     */
    boolean isAnnouncing(final boolean isWanted)
    {
        final boolean before = isAnnouncing;
        isAnnouncing = isWanted;
        return before;
    }

    private void look()
    {
        final int status = (dataPlane.isLinkUp() ? LINK_UP : 0) | (isAnnouncing ? ANNOUNCE : 0);
        now.putLong(0, mac, ByteOrder.LITTLE_ENDIAN);
        now.putShort(STATUS_OFFSET, (short)status, ByteOrder.LITTLE_ENDIAN);
        now.putShort(PAIRS_OFFSET, (short)(dataPlane.ringCount() / 2), ByteOrder.LITTLE_ENDIAN);
        now.putShort(MTU_OFFSET, (short)dataPlane.mtu(), ByteOrder.LITTLE_ENDIAN);
        now.putInt(SPEED_OFFSET, dataPlane.speed().megabits(), ByteOrder.LITTLE_ENDIAN);
        now.putByte(DUPLEX_OFFSET, (byte)dataPlane.speed().duplex());
        now.putByte(KEY_LENGTH_OFFSET, (byte)ToeplitzHash.KEY_LENGTH);
        now.putShort(TABLE_LENGTH_OFFSET, (short)RssTable.MAX_ENTRIES, ByteOrder.LITTLE_ENDIAN);
        now.putInt(HASH_TYPES_OFFSET, ToeplitzHash.ALL_TYPES, ByteOrder.LITTLE_ENDIAN);
    }

    private static void check(final ConfigFlyweight message, final int payloadLength)
    {
        final long size = message.size();
        if (size != payloadLength - ConfigFlyweight.HEADER_LENGTH || size < 1 ||
            message.configOffset() + size > MAX_LENGTH)
        {
            throw new RefusedException("config bytes from " + message.configOffset() + " on, " + size +
                " of them, in " + payloadLength + " bytes of payload; limit is " + MAX_LENGTH);
        }
    }
}
