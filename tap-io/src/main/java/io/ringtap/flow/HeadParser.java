package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads the headers of a frame that may begin a run, and keeps their words for comparison with the frames behind it.
 * Words and sums are as read little-endian; {@code sequence} and {@code id} are numbers.
 */
final class HeadParser
{
    static final int TCP = 6;
    static final int UDP = 17;

    /** TCP flags at their place in the word that holds header length, flags and window. */
    static final int FIN = 0x01 << 8;
    static final int SYN = 0x02 << 8;
    static final int RST = 0x04 << 8;
    static final int PSH = 0x08 << 8;
    static final int ACK = 0x10 << 8;
    static final int URG = 0x20 << 8;
    static final int CWR = 0x80 << 8;
    /** Flags that end a run: a segmenter sets them on the last segment only. */
    static final int ENDING_FLAGS = FIN | PSH;
    /** Flags that may differ inside a run. */
    static final int VARYING_FLAGS = FIN | PSH | CWR;

    /** 0x45 in front: no options, as in the kernel's GRO. */
    private static final int PLAIN_V4 = 0x45;
    /** The fragment word as read little-endian: everything but DF. */
    private static final int ALL_BUT_DF = 0xFFBF;
    private static final int DF = 0x0040;

    int frame;
    int length;
    /** Offsets from the frame. */
    int network;
    int transport;
    int headers;
    int checksumField;
    int payload;
    /** IPv4 total length without payload, and the same for IPv6, header included. */
    int ipLength;
    boolean isV6;
    boolean isTcp;
    /** Never fragmented, so that the identification means nothing. */
    boolean isAtomic;
    int gsoType;

    long link0;
    long link1;
    long link2;
    long ip0;
    long ip1;
    long ip2;
    long ip3;
    long ip4;
    int ports;
    int id;
    int sequence;
    int acknowledged;
    int flags;
    int urgent;

    /** IPv4 header's sum without length, identification and checksum. */
    private int headerSum;
    /** Pseudo header's sum without the length. */
    private int pseudoSum;

    private UnsafeBuffer arena;

    /**
     * @param offloads what the receiver takes.
     * @return whether the frame may begin a run, as far as its headers say; its transport checksum is not looked at.
     */
    boolean parse(final UnsafeBuffer buffer, final int offset, final int frameLength, final int offloads)
    {
        arena = buffer;
        frame = offset;
        length = frameLength;
        if (VnetHeader.GSO_NONE != VnetHeader.gsoType(arena, frame - FrameLayout.NET_HEADER))
        {
            return false;
        }
        network = EtherHeader.networkOffset(arena, frame, length);
        final int type = EtherHeader.type(arena, frame + network);
        isV6 = EtherHeader.IPV6 == type;
        // The shortest headers of all, in front of at least one byte.
        if (!isV6 && EtherHeader.IPV4 != type || length <= network + (isV6 ? 40 : 20) + 8)
        {
            return false;
        }
        link0 = arena.getLong(frame, LITTLE_ENDIAN);
        link1 = arena.getLong(frame + network - Long.BYTES, LITTLE_ENDIAN);
        link2 = arena.getLong(frame + Long.BYTES, LITTLE_ENDIAN);
        final int protocol = isV6 ? parseV6(frame + network) : parseV4(frame + network);
        isTcp = TCP == protocol;
        if (!(isTcp ? parseTcp(frame + transport) : UDP == protocol && parseUdp(frame + transport)))
        {
            return false;
        }
        payload = length - headers;
        ipLength = headers - network;
        return isWanted(offloads);
    }

    private boolean isWanted(final int offloads)
    {
        final int needed;
        if (isTcp)
        {
            gsoType = isV6 ? VnetHeader.GSO_TCPV6 : VnetHeader.GSO_TCPV4;
            int bits = isV6 ? Offloads.TSO6 : Offloads.TSO4;
            if ((flags & CWR) != 0)
            {
                gsoType |= VnetHeader.GSO_ECN;
                bits |= Offloads.ECN;
            }
            needed = bits | Offloads.CSUM;
        }
        else
        {
            gsoType = VnetHeader.GSO_UDP_L4;
            needed = (isV6 ? Offloads.USO6 : Offloads.USO4) | Offloads.CSUM;
        }
        return (offloads & needed) == needed;
    }

    private int parseV4(final int ip)
    {
        ip0 = arena.getLong(ip, LITTLE_ENDIAN);
        ip1 = arena.getLong(ip + 8, LITTLE_ENDIAN);
        ip2 = arena.getLong(ip + 16, LITTLE_ENDIAN);
        final int fragment = (int)(ip0 >>> 48);
        final int total = (int)(ip0 >>> 16) & 0xFFFF;
        final int rawId = (int)(ip0 >>> 32) & 0xFFFF;
        headerSum = (int)(ip0 & 0xFFFF) + fragment + (int)(ip1 & 0xFFFF) + (int)(ip1 >>> 32 & 0xFFFF) +
            (int)(ip1 >>> 48) + (int)(ip2 & 0xFFFF) + (int)(ip2 >>> 16 & 0xFFFF);
        if ((ip0 & 0xFF) != PLAIN_V4 || (fragment & ALL_BUT_DF) != 0 || total != Checksum.swap(length - network) ||
            !isSoundV4(total, rawId, (int)(ip1 >>> 16) & 0xFFFF))
        {
            return -1;
        }
        isAtomic = (fragment & DF) != 0;
        id = Checksum.swap(rawId);
        transport = network + 20;
        final int protocol = (int)(ip1 >>> 8) & 0xFF;
        pseudoSum = Checksum.fold(Checksum.pseudoV4(arena, ip, protocol, 0));
        return protocol;
    }

    private int parseV6(final int ip)
    {
        ip0 = arena.getLong(ip, LITTLE_ENDIAN);
        ip1 = arena.getLong(ip + 8, LITTLE_ENDIAN);
        ip2 = arena.getLong(ip + 16, LITTLE_ENDIAN);
        ip3 = arena.getLong(ip + 24, LITTLE_ENDIAN);
        ip4 = arena.getLong(ip + 32, LITTLE_ENDIAN);
        ports = arena.getInt(ip + 40, LITTLE_ENDIAN);
        transport = network + 40;
        if ((ip0 & 0xF0) != 0x60 || ((int)(ip0 >>> 32) & 0xFFFF) != Checksum.swap(length - transport))
        {
            return -1;
        }
        final int protocol = (int)(ip0 >>> 48) & 0xFF;
        pseudoSum = Checksum.fold(Checksum.pseudoV6(arena, ip, protocol, 0));
        return protocol;
    }

    private boolean parseUdp(final int udp)
    {
        headers = transport + 8;
        checksumField = transport + VnetHeader.UDP_CSUM_OFFSET;
        return (arena.getShort(udp + 4, LITTLE_ENDIAN) & 0xFFFF) == Checksum.swap(length - transport);
    }

    private boolean parseTcp(final int tcp)
    {
        // Behind the shortest TCP header there must be a byte of payload, so all reads below lie in the frame.
        if (length <= transport + 20)
        {
            return false;
        }
        sequence = Integer.reverseBytes(arena.getInt(tcp + 4, LITTLE_ENDIAN));
        acknowledged = arena.getInt(tcp + 8, LITTLE_ENDIAN);
        flags = arena.getInt(tcp + 12, LITTLE_ENDIAN);
        urgent = arena.getShort(tcp + 18, LITTLE_ENDIAN);
        final int headerLength = flags >>> 2 & 0x3C;
        headers = transport + headerLength;
        checksumField = transport + VnetHeader.TCP_CSUM_OFFSET;
        return headerLength >= 20 && length > headers && (flags & (FIN | SYN | RST | PSH | ACK | URG)) == ACK;
    }

    /** Whether an IPv4 header that differs from this one in these fields only has a sound, canonical checksum. */
    boolean isSoundV4(final int total, final int rawId, final int checksum)
    {
        final int sum = fold(headerSum + total + rawId + checksum);
        return Checksum.SOUND == sum && 0xFFFF != checksum;
    }

    /** The checksum of such a header. */
    int checksumV4(final int total, final int rawId)
    {
        return ~fold(headerSum + total + rawId);
    }

    /** The folded sum of the pseudo header for a transport segment of this length. */
    int pseudo(final int transportLength)
    {
        return fold(pseudoSum + Checksum.swap(transportLength));
    }

    /** For sums of a few words. */
    private static int fold(final int sum)
    {
        final int once = (sum & 0xFFFF) + (sum >>> 16);
        return (once & 0xFFFF) + (once >>> 16);
    }
}
