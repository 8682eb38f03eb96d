package io.ringtap.xdp;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * Finds the transport header of a frame behind VLAN tags, IPv4 options and IPv6 extension headers, reading nothing
 * outside the frame.
 * <p>
 * The answer is packed into a long: the protocol number above, the offset in the buffer below; or one of the sentinels.
 */
final class IpLocator
{
    /** Not IP: there is no transport header. */
    static final long NOT_IP = -1;
    /** Claims to be IP, and its headers cannot be read to their end: cut short, contradictory, or too many. */
    static final long UNREADABLE = -2;
    /** A fragment that is not the first: its transport header travelled in another frame. */
    static final long LATER_FRAGMENT = -3;

    static final int UDP = 17;

    /** Tags that are skipped; two are in use (802.1ad), a sender of more wants to hide something. */
    private static final int MAX_TAGS = 4;
    /** Extension headers that are skipped; RFC 8200 names seven, each at most once but destination options. */
    private static final int MAX_EXTENSIONS = 8;

    private static final int ETHER_TYPE = 12;
    private static final int ETHER_HEADER = 14;
    private static final int TAG = 4;
    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86DD;
    private static final int TYPE_VLAN = 0x8100;
    private static final int TYPE_SERVICE_VLAN = 0x88A8;
    private static final int TYPE_OLD_VLAN = 0x9100;

    private static final int IPV4_HEADER = 20;
    private static final int IPV4_FRAGMENT = 6;
    private static final int IPV4_PROTOCOL = 9;
    private static final int IPV4_OFFSET_MASK = 0x1FFF;
    private static final int IPV6_HEADER = 40;
    private static final int IPV6_NEXT = 6;
    private static final int IPV6_OFFSET_MASK = 0xFFF8;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    private static final int MOBILITY = 135;
    private static final int HIP = 139;
    private static final int SHIM6 = 140;

    private IpLocator()
    {
    }

    /** Network-order 16 bits; the caller has checked the range. */
    static int unsignedShort(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }

    /**
     * Skips VLAN tags.
     *
     * @return offset of the EtherType behind them, or -1 when it is not in the frame or there are too many tags.
     */
    static int etherTypeOffset(final DirectBuffer buffer, final int offset, final int end)
    {
        int at = offset + ETHER_TYPE;
        for (int tags = 0; tags <= MAX_TAGS; tags++)
        {
            if (end - at < 2)
            {
                return -1;
            }
            final int type = unsignedShort(buffer, at);
            if (TYPE_VLAN != type && TYPE_SERVICE_VLAN != type && TYPE_OLD_VLAN != type)
            {
                return at;
            }
            at += TAG;
        }
        return -1;
    }

    /** Locates the transport header of the frame in {@code [offset, offset + length)}. */
    static long transport(final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        if (length < ETHER_HEADER)
        {
            return UNREADABLE;
        }
        final int at = etherTypeOffset(buffer, offset, end);
        if (at < 0)
        {
            return UNREADABLE;
        }
        return switch (unsignedShort(buffer, at))
        {
            case TYPE_IPV4 -> ofIpv4(buffer, at + 2, end);
            case TYPE_IPV6 -> ofIpv6(buffer, at + 2, end);
            default -> NOT_IP;
        };
    }

    static int protocol(final long located)
    {
        return (int)(located >>> 32);
    }

    static int offset(final long located)
    {
        return (int)located;
    }

    private static long ofIpv4(final DirectBuffer buffer, final int ip, final int end)
    {
        if (end - ip < IPV4_HEADER)
        {
            return UNREADABLE;
        }
        final int first = buffer.getByte(ip) & 0xFF;
        final int header = (first & 0xF) * 4;
        if (first >> 4 != 4 || header < IPV4_HEADER || end - ip < header)
        {
            return UNREADABLE;
        }
        if ((unsignedShort(buffer, ip + IPV4_FRAGMENT) & IPV4_OFFSET_MASK) != 0)
        {
            return LATER_FRAGMENT;
        }
        return pack(buffer.getByte(ip + IPV4_PROTOCOL) & 0xFF, ip + header);
    }

    private static long ofIpv6(final DirectBuffer buffer, final int ip, final int end)
    {
        if (end - ip < IPV6_HEADER || (buffer.getByte(ip) & 0xF0) != 0x60)
        {
            return UNREADABLE;
        }
        int next = buffer.getByte(ip + IPV6_NEXT) & 0xFF;
        int at = ip + IPV6_HEADER;
        for (int extensions = 0; extensions <= MAX_EXTENSIONS; extensions++)
        {
            final int unit;
            switch (next)
            {
                case HOP_BY_HOP, ROUTING, DESTINATION, MOBILITY, HIP, SHIM6 -> unit = 8;
                case AUTHENTICATION -> unit = 4;
                case FRAGMENT -> unit = 0;
                default ->
                {
                    return pack(next, at);
                }
            }
            if (end - at < 8)
            {
                return UNREADABLE;
            }
            if (0 == unit && (unsignedShort(buffer, at + 2) & IPV6_OFFSET_MASK) != 0)
            {
                return LATER_FRAGMENT;
            }
            next = buffer.getByte(at) & 0xFF;
            at += extensionLength(unit, buffer.getByte(at + 1) & 0xFF);
            if (at > end)
            {
                return UNREADABLE;
            }
        }
        return UNREADABLE;
    }

    /** RFC 8200 counts units of 8 without the first; RFC 4302 counts units of 4 without the first two. */
    private static int extensionLength(final int unit, final int lengthField)
    {
        return switch (unit)
        {
            case 8 -> 8 + 8 * lengthField;
            case 4 -> 8 + 4 * lengthField;
            default -> 8;
        };
    }

    private static long pack(final int protocol, final int offset)
    {
        return (long)protocol << 32 | offset;
    }
}
