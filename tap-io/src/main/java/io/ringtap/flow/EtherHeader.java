package io.ringtap.flow;

import org.agrona.DirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The Ethernet header, and the VLAN tags between it and the network header.
 * <pre>
 *  destination (6) | source (6) | [0x8100 or 0x88A8, TCI] x 0..2 | type (2) | network header ...
 * </pre>
 * Types are named by the value that a little-endian read of their two bytes gives, so that the hot path swaps nothing.
 */
public final class EtherHeader
{
    /** Bytes without tags. */
    public static final int LENGTH = 14;
    /** Bytes of one VLAN tag. */
    public static final int TAG = 4;
    /** Tags that are looked through: 802.1ad outside 802.1Q. */
    public static final int MAX_TAGS = 2;
    /** 0x0800 as read little-endian. */
    public static final int IPV4 = 0x0008;
    /** 0x86DD as read little-endian. */
    public static final int IPV6 = 0xDD86;
    /** 0x8100 as read little-endian. */
    public static final int VLAN = 0x0081;
    /** 0x88A8 as read little-endian. */
    public static final int QINQ = 0xA888;

    private EtherHeader()
    {
    }

    /** The type in front of a network header. */
    public static int type(final DirectBuffer buffer, final int networkHeader)
    {
        return buffer.getShort(networkHeader - 2, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static boolean isTag(final int type)
    {
        return VLAN == type || QINQ == type;
    }

    /**
     * Where the network header begins, counted from the frame.
     *
     * @param available bytes that may be read from {@code frame} on, at least {@link #LENGTH}; a tag that is not wholly
     *                  inside them is taken for the network header's type.
     */
    public static int networkOffset(final DirectBuffer buffer, final int frame, final int available)
    {
        int offset = LENGTH;
        for (int tags = 0; tags < MAX_TAGS; tags++)
        {
            if (!isTag(type(buffer, frame + offset)) || offset + TAG > available)
            {
                break;
            }
            offset += TAG;
        }
        return offset;
    }
}
