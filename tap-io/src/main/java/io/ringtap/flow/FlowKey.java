package io.ringtap.flow;

import org.agrona.DirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A flow as one 64-bit number: the 5-tuple with its VLAN tags for TCP, UDP, SCTP, DCCP and UDP-Lite, addresses and
 * protocol for other IP packets and for fragments, the Ethernet type for the rest.
 * <p>
 * Frames of one flow have one key. Two flows may share a key, by chance or by a guest's will: they are then sorted as
 * one, which costs that guest some merging and nobody anything else. Whoever must be certain compares the headers.
 * Only the linear part is looked at; a frame whose headers are not in it counts by its Ethernet type.
 */
public final class FlowKey
{
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int DCCP = 33;
    private static final int SCTP = 132;
    private static final int UDP_LITE = 136;
    private static final long LOW_PROTOCOLS_WITH_PORTS = 1L << TCP | 1L << UDP | 1L << DCCP;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    private static final int MOBILITY = 135;
    /** Extension headers that are followed before a packet counts by its addresses alone. */
    private static final int MAX_EXTENSIONS = 8;

    /** 0x0800 and 0x45 as the first three bytes from offset 12 on: IPv4 without tags and options. */
    private static final long PLAIN_IPV4 = 0x450008;
    /** More-fragments and offset, of the two bytes as read little-endian; DF and the reserved bit do not matter. */
    private static final int FRAGMENTED = 0xFF3F;
    private static final int PLAIN_IPV4_LENGTH = EtherHeader.LENGTH + 20 + 4;

    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;

    private FlowKey()
    {
    }

    /**
     * @param frame  offset of the Ethernet header.
     * @param length bytes that may be read from there, at least {@link FrameLayout#MIN_FRAME}.
     * @return the key, never {@link FrameBatch#NO_FLOW}.
     */
    public static long of(final DirectBuffer buffer, final int frame, final int length)
    {
        if (length >= PLAIN_IPV4_LENGTH && (buffer.getLong(frame + 12, LITTLE_ENDIAN) & 0xFFFFFF) == PLAIN_IPV4)
        {
            // Bytes 20 to 27: fragment word, TTL, protocol, checksum, two bytes of the source address.
            final int word = buffer.getInt(frame + 20, LITTLE_ENDIAN);
            final int protocol = word >>> 24;
            final int ports = (word & FRAGMENTED) == 0 && hasPorts(protocol) ?
                buffer.getInt(frame + 34, LITTLE_ENDIAN) : 0;
            return mix(buffer.getLong(frame + 26, LITTLE_ENDIAN), ports, protocol);
        }
        return ofAny(buffer, frame, length);
    }

    private static long ofAny(final DirectBuffer buffer, final int frame, final int length)
    {
        final int network = EtherHeader.networkOffset(buffer, frame, length);
        final int type = EtherHeader.type(buffer, frame + network);
        int tags = 0;
        for (int tag = EtherHeader.LENGTH; tag < network; tag += EtherHeader.TAG)
        {
            tags = tags << 16 | buffer.getShort(frame + tag, LITTLE_ENDIAN) & 0xFF0F;
        }
        long key = 0;
        if (EtherHeader.IPV4 == type)
        {
            key = ofIpv4(buffer, frame + network, length - network);
        }
        else if (EtherHeader.IPV6 == type)
        {
            key = ofIpv6(buffer, frame + network, length - network);
        }
        if (0 == key)
        {
            key = mix(0, 0, isLength(type) ? 0x10000 : type | 0x20000);
        }
        return 0 == tags ? key : mix(key, tags, 0x30000);
    }

    /** Below 0x0600 the two bytes are an 802.3 length, which varies inside a flow. */
    private static boolean isLength(final int type)
    {
        return (type & 0xFF) < 6;
    }

    private static long ofIpv4(final DirectBuffer buffer, final int ip, final int length)
    {
        if (length < 20)
        {
            return 0;
        }
        final int first = buffer.getByte(ip) & 0xFF;
        final int headerLength = (first & 0x0F) << 2;
        if (first >>> 4 != 4 || headerLength < 20)
        {
            return 0;
        }
        final int protocol = buffer.getByte(ip + 9) & 0xFF;
        final boolean isWhole = (buffer.getShort(ip + 6, LITTLE_ENDIAN) & FRAGMENTED) == 0;
        final int ports = isWhole ? ports(buffer, ip, headerLength, length, protocol) : 0;
        return mix(buffer.getLong(ip + 12, LITTLE_ENDIAN), ports, protocol);
    }

    private static long ofIpv6(final DirectBuffer buffer, final int ip, final int length)
    {
        if (length < 40 || (buffer.getByte(ip) & 0xF0) != 0x60)
        {
            return 0;
        }
        int protocol = buffer.getByte(ip + 6) & 0xFF;
        int at = 40;
        boolean isWhole = true;
        for (int hops = 0; hops < MAX_EXTENSIONS && isExtension(protocol) && at + 8 <= length; hops++)
        {
            final int headerLength = buffer.getByte(ip + at + 1) & 0xFF;
            if (FRAGMENT == protocol)
            {
                // Offset and more-fragments, not the reserved bits between them.
                isWhole = (buffer.getShort(ip + at + 2, LITTLE_ENDIAN) & 0xF9FF) == 0;
            }
            final int next = buffer.getByte(ip + at) & 0xFF;
            at += FRAGMENT == protocol ? 8 : AUTHENTICATION == protocol ? (headerLength + 2) << 2 :
                (headerLength + 1) << 3;
            protocol = next;
        }
        final int ports = isWhole ? ports(buffer, ip, at, length, protocol) : 0;
        final long source = mix(buffer.getLong(ip + 8, LITTLE_ENDIAN), ports, protocol) ^
            buffer.getLong(ip + 16, LITTLE_ENDIAN);
        final long target = buffer.getLong(ip + 24, LITTLE_ENDIAN) * PRIME_2 ^
            Long.rotateLeft(buffer.getLong(ip + 32, LITTLE_ENDIAN) * PRIME_1, 31);
        return mix(source * PRIME_1 + target, 0, 0x40000);
    }

    private static boolean isExtension(final int protocol)
    {
        return HOP_BY_HOP == protocol || DESTINATION == protocol || ROUTING == protocol || FRAGMENT == protocol ||
            AUTHENTICATION == protocol || MOBILITY == protocol;
    }

    private static int ports(
        final DirectBuffer buffer, final int ip, final int transport, final int length, final int protocol)
    {
        return hasPorts(protocol) && transport + 4 <= length ? buffer.getInt(ip + transport, LITTLE_ENDIAN) : 0;
    }

    private static boolean hasPorts(final int protocol)
    {
        return protocol < Long.SIZE ?
            (LOW_PROTOCOLS_WITH_PORTS >>> protocol & 1) != 0 : SCTP == protocol || UDP_LITE == protocol;
    }

    private static long mix(final long addresses, final int ports, final int protocol)
    {
        final long other = (long)protocol << 32 | ports & 0xFFFFFFFFL;
        final long hash = (addresses ^ PRIME_2) * PRIME_1 + Long.rotateLeft(other * PRIME_2, 31);
        // The lowest bit is given up so that no key is NO_FLOW.
        return (hash ^ hash >>> 32) * PRIME_2 | 1;
    }
}
