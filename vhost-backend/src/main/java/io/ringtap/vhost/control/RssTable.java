package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.ringtap.flow.ToeplitzHash;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Which queue pair receives which frame, by hash (virtio 1.x, 5.1.6.5.6.3). Immutable, so any worker may ask.
 * <pre>
 *  0 types 4 | 4 mask 2 | 6 unclassified 2 | 8 table 2 x (mask + 1) | pairs that send 2 | key length 1 | key ...
 * </pre>
 */
public final class RssTable
{
    /** Most entries: the least that a device may have, and what Linux uses. */
    public static final int MAX_ENTRIES = 128;

    static final int MIN_PAYLOAD = 8 + 2 + 3;
    static final int MAX_PAYLOAD = 8 + 2 * MAX_ENTRIES + 3 + ToeplitzHash.KEY_LENGTH;

    private static final int MASK_OFFSET = 4;
    private static final int UNCLASSIFIED_OFFSET = 6;
    private static final int TABLE_OFFSET = 8;

    private final ReceiveHash hash;
    private final int[] table;
    private final int unclassified;
    private final int sendingPairs;

    private RssTable(final ReceiveHash hash, final int[] table, final int unclassified, final int sendingPairs)
    {
        this.hash = hash;
        this.table = table;
        this.unclassified = unclassified;
        this.sendingPairs = sendingPairs;
    }

    /**
     * The pair that a frame is for.
     *
     * @param length bytes that may be read from the frame on.
     */
    public int pair(final DirectBuffer buffer, final int frame, final int length)
    {
        final long found = hash.of(buffer, frame, length);
        return ToeplitzHash.NONE == found ? unclassified : table[(int)found & table.length - 1];
    }

    /** Whether any frame may be for this pair. */
    public boolean names(final int pair)
    {
        boolean isNamed = unclassified == pair;
        for (final int each : table)
        {
            isNamed |= each == pair;
        }
        return isNamed;
    }

    /** The hash by which it chooses. */
    public ReceiveHash hash()
    {
        return hash;
    }

    /** Queue pairs that the guest sends through. */
    public int sendingPairs()
    {
        return sendingPairs;
    }

    /**
     * MQ_RSS_CONFIG.
     *
     * @param maxPairs that the device has.
     * @return null when it is not one.
     */
    static RssTable of(final DirectBuffer payload, final int offset, final int length, final int maxPairs)
    {
        final int entries = (payload.getShort(offset + MASK_OFFSET, LITTLE_ENDIAN) & 0xFFFF) + 1;
        final int behind = TABLE_OFFSET + 2 * entries;
        if (MAX_ENTRIES < entries || Integer.bitCount(entries) != 1 || length < behind + 3)
        {
            return null;
        }
        final int[] table = new int[entries];
        final int unclassified = payload.getShort(offset + UNCLASSIFIED_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
        boolean isThere = unclassified < maxPairs;
        for (int i = 0; i < entries; i++)
        {
            table[i] = payload.getShort(offset + TABLE_OFFSET + 2 * i, LITTLE_ENDIAN) & 0xFFFF;
            isThere &= table[i] < maxPairs;
        }
        final int sending = payload.getShort(offset + behind, LITTLE_ENDIAN) & 0xFFFF;
        final ReceiveHash hash = ReceiveHash.read(
            payload.getInt(offset, LITTLE_ENDIAN), payload, offset + behind + 2, offset + length);
        return null == hash || !isThere || sending < 1 || maxPairs < sending ?
            null : new RssTable(hash, table, unclassified, sending);
    }

    /** Writes the payload of the command that brings it; @return bytes. */
    int save(final MutableDirectBuffer to, final int offset)
    {
        to.putInt(offset, hash.types(), LITTLE_ENDIAN);
        to.putShort(offset + MASK_OFFSET, (short)(table.length - 1), LITTLE_ENDIAN);
        to.putShort(offset + UNCLASSIFIED_OFFSET, (short)unclassified, LITTLE_ENDIAN);
        for (int i = 0; i < table.length; i++)
        {
            to.putShort(offset + TABLE_OFFSET + 2 * i, (short)table[i], LITTLE_ENDIAN);
        }
        final int behind = TABLE_OFFSET + 2 * table.length;
        to.putShort(offset + behind, (short)sendingPairs, LITTLE_ENDIAN);
        hash.saveKey(to, offset + behind + 2);
        return behind + 3 + ToeplitzHash.KEY_LENGTH;
    }
}
