package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The headers of a super-frame, read from a private copy, and how each of its packets differs from them.
 * The arithmetic is that of the kernel's inet_gso_segment, tcp_gso_segment and __udp_gso_segment.
 */
final class SuperFrame
{
    /** Longest headers: tags, IPv4 with options or IPv6 with a few extension headers, TCP with options. */
    static final int MAX_HEADERS = 512;

    private static final int TCP_FIN_PSH = 0x09;
    private static final int TCP_CWR = 0x80;
    private static final int TCP_FLAGS = 13;

    int network;
    int transport;
    /** Bytes repeated in front of each packet's payload. */
    int headers;
    int checksumOffset;
    int gsoType;
    int gsoSize;
    int payload;
    boolean isV6;
    boolean isTcp;
    boolean hasFixedId;
    boolean isPartial;
    /** Bytes of an IPv4 header. */
    private int ipHeaderLength;
    /** As a number. */
    private int id;
    private int sequence;
    private int tcpFlags;
    /** Pseudo header's sum without the length, as read little-endian. */
    private int pseudoSum;

    /** How many packets there are in it. */
    int packets()
    {
        return (payload + gsoSize - 1) / gsoSize;
    }

    /**
     * @param copy      the first bytes of the frame.
     * @param available how many.
     * @param length    bytes of the whole frame.
     * @return false when the headers are not what the GSO type says; nobody can segment that.
     */
    boolean parse(
        final UnsafeBuffer arena, final int netHeader, final UnsafeBuffer copy, final int available, final int length)
    {
        gsoType = VnetHeader.gsoType(arena, netHeader) & ~VnetHeader.GSO_ECN;
        gsoSize = VnetHeader.gsoSize(arena, netHeader);
        isPartial = VnetHeader.needsChecksum(arena, netHeader);
        isTcp = gsoType == VnetHeader.GSO_TCPV4 || gsoType == VnetHeader.GSO_TCPV6;
        checksumOffset = isTcp ? VnetHeader.TCP_CSUM_OFFSET : VnetHeader.UDP_CSUM_OFFSET;
        network = EtherHeader.networkOffset(copy, 0, available);
        final int type = EtherHeader.type(copy, network);
        isV6 = type == EtherHeader.IPV6;
        if (!isV6 && type != EtherHeader.IPV4 || available < network + (isV6 ? 40 : 20) || 0 == gsoSize)
        {
            return false;
        }
        ipHeaderLength = isV6 ? 40 : (copy.getByte(network) & 0x0F) << 2;
        transport = isPartial ? VnetHeader.checksumStart(arena, netHeader) : network + ipHeaderLength;
        if (!isPartial && gsoType != VnetHeader.GSO_UDP || !isNetworkRight(copy) ||
            transport + (isTcp ? 20 : 8) > available)
        {
            return false;
        }
        headers = transport + (isTcp ? (copy.getByte(transport + 12) & 0xF0) >>> 2 : 8);
        payload = length - headers;
        if (headers < transport + (isTcp ? 20 : 8) || headers > available || payload <= 0)
        {
            return false;
        }
        keepCounters(copy, length);
        return true;
    }

    private boolean isNetworkRight(final UnsafeBuffer copy)
    {
        final int version = (copy.getByte(network) & 0xF0) >>> 4;
        if (isV6)
        {
            return version == 6 && transport >= network + 40 && gsoType != VnetHeader.GSO_TCPV4;
        }
        return version == 4 && ipHeaderLength >= 20 && transport == network + ipHeaderLength &&
            gsoType != VnetHeader.GSO_TCPV6 &&
            (copy.getByte(network + 9) & 0xFF) == (isTcp ? HeadParser.TCP : HeadParser.UDP);
    }

    private void keepCounters(final UnsafeBuffer copy, final int length)
    {
        id = isV6 ? 0 : Checksum.swap(copy.getShort(network + 4, LITTLE_ENDIAN));
        // What the sender begun is trusted but for the length in it, so that routing headers need no special case.
        final int field = copy.getShort(transport + checksumOffset, LITTLE_ENDIAN) & 0xFFFF;
        if (isTcp)
        {
            sequence = Integer.reverseBytes(copy.getInt(transport + 4, LITTLE_ENDIAN));
            tcpFlags = copy.getByte(transport + TCP_FLAGS) & 0xFF;
            pseudoSum = field + (Checksum.swap(length - transport) ^ 0xFFFF);
        }
        else
        {
            pseudoSum = field + (copy.getShort(transport + 4, LITTLE_ENDIAN) & 0xFFFF ^ 0xFFFF);
        }
    }

    /**
     * Writes what is the packet's own into a copy of the headers; its checksum is left begun.
     *
     * @param frame  where the copy begins.
     * @param packet 0 for the first.
     * @param bytes  of payload in this packet.
     */
    void write(final UnsafeBuffer to, final int frame, final int packet, final int bytes, final boolean isLast)
    {
        final int transportLength = headers - transport + bytes;
        writeNetwork(to, frame, packet, headers - network + bytes);
        final int segment = frame + transport;
        if (isTcp)
        {
            to.putInt(segment + 4, Integer.reverseBytes(sequence + packet * gsoSize), LITTLE_ENDIAN);
            int flags = tcpFlags;
            flags &= isLast ? 0xFF : ~TCP_FIN_PSH;
            flags &= packet == 0 ? 0xFF : ~TCP_CWR;
            to.putByte(segment + TCP_FLAGS, (byte)flags);
        }
        else
        {
            to.putShort(segment + 4, (short)Checksum.swap(transportLength), LITTLE_ENDIAN);
        }
        to.putShort(segment + checksumOffset, (short)Checksum.fold(pseudoSum + Checksum.swap(transportLength)),
            LITTLE_ENDIAN);
    }

    private void writeNetwork(final UnsafeBuffer to, final int frame, final int packet, final int ipLength)
    {
        final int ip = frame + network;
        if (isV6)
        {
            to.putShort(ip + 4, (short)Checksum.swap(ipLength - 40), LITTLE_ENDIAN);
            return;
        }
        to.putShort(ip + 2, (short)Checksum.swap(ipLength), LITTLE_ENDIAN);
        to.putShort(ip + 4, (short)Checksum.swap(hasFixedId ? id : id + packet), LITTLE_ENDIAN);
        Checksum.header(to, ip, ipHeaderLength);
    }

    /** Makes the network header in front of one IP fragment. IPv6 keeps its offsets in a header of its own. */
    void writeFragment(final UnsafeBuffer to, final int frame, final int offset, final int bytes, final boolean isLast)
    {
        final int ip = frame + network;
        if (isV6)
        {
            to.putShort(ip + 4, (short)Checksum.swap(bytes + 8), LITTLE_ENDIAN);
            return;
        }
        to.putShort(ip + 2, (short)Checksum.swap(ipHeaderLength + bytes), LITTLE_ENDIAN);
        to.putShort(ip + 6, (short)Checksum.swap(offset >>> 3 | (isLast ? 0 : 0x2000)), LITTLE_ENDIAN);
        Checksum.header(to, ip, ipHeaderLength);
    }
}
