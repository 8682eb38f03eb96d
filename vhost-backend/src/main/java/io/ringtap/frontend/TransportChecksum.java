package io.ringtap.frontend;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/** Looks at the checksum of a received TCP, UDP or ICMP packet, whole or only begun. Stateless. */
final class TransportChecksum
{
    /** Right, or absent where the protocol allows that. */
    static final int GOOD = 0;
    /** Wrong. */
    static final int BAD = 1;
    /** Begun only, as its net header says, and begun right. */
    static final int UNFINISHED = 2;

    private TransportChecksum()
    {
    }

    /** Whether the header checksum of IPv4 is right; the header lies in the frame. */
    static boolean isIpv4HeaderGood(final DirectBuffer buffer, final int ip, final int headerLength)
    {
        return 0xFFFF == InternetSum.fold(InternetSum.add(0, buffer, ip, headerLength));
    }

    /**
     * Judges the checksum of the packet whose transport header lies in {@code [transport, transport + length)}.
     *
     * @param header    where the net header begins.
     * @param frame     where the frame begins, which {@code csum_start} counts from.
     * @param ip        where the IP header begins.
     * @param checksum  offset of the checksum in the transport header.
     */
    static int judge(
        final DirectBuffer buffer,
        final int header,
        final int frame,
        final int ip,
        final boolean isIpv6,
        final int protocol,
        final int transport,
        final int length,
        final int checksum)
    {
        final int flags = buffer.getByte(header + NetHeader.FLAGS_OFFSET);
        final int stored = buffer.getShort(transport + checksum, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if ((flags & NetHeader.NEEDS_CHECKSUM) != 0)
        {
            final int start = unsignedShort(buffer, header + NetHeader.CHECKSUM_START_OFFSET);
            final int offset = unsignedShort(buffer, header + NetHeader.CHECKSUM_OFFSET_OFFSET);
            final long pseudo = InternetSum.addPseudoHeader(0, buffer, ip, isIpv6, protocol, length);
            return frame + start == transport && offset == checksum && isSame(stored, InternetSum.fold(pseudo)) ?
                UNFINISHED : BAD;
        }
        if (Wire.PROTOCOL_UDP == protocol && 0 == stored)
        {
            return isIpv6 ? BAD : GOOD;
        }
        final long start = Wire.PROTOCOL_ICMP == protocol ?
            0 : InternetSum.addPseudoHeader(0, buffer, ip, isIpv6, protocol, length);
        return 0xFFFF == InternetSum.fold(InternetSum.add(start, buffer, transport, length)) ? GOOD : BAD;
    }

    /** One's complement has two zeros. */
    private static boolean isSame(final int a, final int b)
    {
        return a == b || 0 == a && 0xFFFF == b || 0xFFFF == a && 0 == b;
    }

    private static int unsignedShort(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
