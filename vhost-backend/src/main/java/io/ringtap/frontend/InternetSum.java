package io.ringtap.frontend;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * The Internet checksum (RFC 1071), computed over little-endian words: the sum of swapped words is the swapped sum, so
 * nothing is swapped but the constants. Kept apart from the backend's own on purpose: a guest that checks another's
 * arithmetic must not share it.
 */
final class InternetSum
{
    private InternetSum()
    {
    }

    /**
     * Adds a range to a sum that is not yet folded; every range but the last must have an even length.
     * A frame of 64 KiB adds less than 2^47, so nothing is lost in a long.
     */
    static long add(final long sum, final DirectBuffer buffer, final int offset, final int length)
    {
        long result = sum;
        int at = offset;
        final int end = offset + length;
        for (; end - at >= 8; at += 8)
        {
            final long word = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
            result += (word & 0xFFFF_FFFFL) + (word >>> 32);
        }
        if (end - at >= 4)
        {
            result += buffer.getInt(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL;
            at += 4;
        }
        if (end - at >= 2)
        {
            result += buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            at += 2;
        }
        if (end > at)
        {
            result += buffer.getByte(at) & 0xFF;
        }
        return result;
    }

    /** Adds a number that stands in the packet in network order. */
    static long addNetworkOrder(final long sum, final int value)
    {
        return sum + (swap(value & 0xFFFF));
    }

    /** Adds the pseudo-header of IPv4 (RFC 768) or IPv6 (RFC 8200, 8.1); {@code ip} is where the IP header begins. */
    static long addPseudoHeader(
        final long sum,
        final DirectBuffer buffer,
        final int ip,
        final boolean isIpv6,
        final int protocol,
        final int transportLength)
    {
        final long addresses = isIpv6 ?
            add(sum, buffer, ip + Wire.IPV6_SOURCE, 32) :
            add(sum, buffer, ip + Wire.IPV4_SOURCE, 8);
        return addNetworkOrder(
            addNetworkOrder(addNetworkOrder(addresses, protocol), transportLength & 0xFFFF), transportLength >>> 16);
    }

    /** Folds a sum to 16 bits, to be stored little endian (a partial checksum is stored like this). */
    static int fold(final long sum)
    {
        long folded = (sum & 0xFFFF_FFFFL) + (sum >>> 32);
        folded = (folded & 0xFFFF) + (folded >>> 16 & 0xFFFF) + (folded >>> 32);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        return (int)folded;
    }

    /** The checksum of a folded sum as it goes into the packet, stored little endian. */
    static short checksum(final long sum)
    {
        return (short)~fold(sum);
    }

    /** As {@link #checksum}, for UDP, where 0 means that there is none (RFC 768). */
    static short checksumOfUdp(final long sum)
    {
        final short checksum = checksum(sum);
        return 0 == checksum ? (short)0xFFFF : checksum;
    }

    private static int swap(final int value)
    {
        return Short.reverseBytes((short)value) & 0xFFFF;
    }
}
