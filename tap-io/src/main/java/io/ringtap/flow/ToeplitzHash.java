package io.ringtap.flow;

import org.agrona.DirectBuffer;

import java.util.HexFormat;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The hash by which a receiver spreads flows over processors (virtio 1.x, 5.1.6.4.3; "Toeplitz" of Microsoft's RSS):
 * for each bit of the input that is set, 32 bits of the key from there on are added without carry.
 * <p>
 * A table holds the sum for every value of every byte, so a hash costs a load for each byte of input.
 */
public final class ToeplitzHash
{
    /** Bytes of a key. */
    public static final int KEY_LENGTH = 40;

    public static final int TYPE_IPV4 = 1;
    public static final int TYPE_TCPV4 = 1 << 1;
    public static final int TYPE_UDPV4 = 1 << 2;
    public static final int TYPE_IPV6 = 1 << 3;
    public static final int TYPE_TCPV6 = 1 << 4;
    public static final int TYPE_UDPV6 = 1 << 5;
    public static final int ALL_TYPES = 0x3F;

    /** No hash: {@link #of} found nothing that it may hash. */
    public static final long NONE = 0;

    /** What the hash was made of (virtio 1.x, 5.1.6.4.3.4). */
    public static final int REPORT_IPV4 = 1;
    public static final int REPORT_TCPV4 = 2;
    public static final int REPORT_UDPV4 = 3;
    public static final int REPORT_IPV6 = 4;
    public static final int REPORT_TCPV6 = 5;
    public static final int REPORT_UDPV6 = 6;

    /** Two IPv6 addresses and two ports. */
    private static final int MAX_INPUT = 36;
    private static final int BYTES = 256;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int FRAGMENTED = 0xFF3F;
    private static final int IPV6_HEADER = 40;
    private static final int PORTS = 4;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int DESTINATION = 60;
    private static final int MAX_EXTENSIONS = 8;

    /** The key that Microsoft's RSS was published with, and that devices use before they are told one. */
    private static final byte[] USUAL_KEY = HexFormat.of().parseHex(
        "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa");

    private final int[] table = new int[MAX_INPUT * BYTES];

    /** @param key of {@link #KEY_LENGTH} bytes. */
    public ToeplitzHash(final byte[] key)
    {
        if (KEY_LENGTH != key.length)
        {
            throw new IllegalArgumentException("a key of " + key.length + " bytes, not of " + KEY_LENGTH);
        }
        for (int at = 0; at < MAX_INPUT; at++)
        {
            // The key from this byte on: 32 bits for each of its eight bits.
            long window = 0;
            for (int i = 0; i < 5; i++)
            {
                window = window << 8 | key[at + i] & 0xFF;
            }
            for (int value = 0; value < BYTES; value++)
            {
                int sum = 0;
                for (int bit = 0; bit < Byte.SIZE; bit++)
                {
                    sum ^= (value >>> 7 - bit & 1) == 0 ? 0 : (int)(window >>> 8 - bit);
                }
                table[at * BYTES + value] = sum;
            }
        }
    }

    /** With the key that everybody knows. */
    public static ToeplitzHash withUsualKey()
    {
        return new ToeplitzHash(USUAL_KEY);
    }

    /** The hash of some bytes, {@link #KEY_LENGTH} - 4 at most. */
    public int of(final DirectBuffer buffer, final int offset, final int length)
    {
        return add(0, 0, buffer, offset, length);
    }

    /**
     * Hashes what a frame's headers say.
     *
     * @param length bytes that may be read from the frame on.
     * @param types  what may be hashed: TYPE_* bits.
     * @return the hash in the low half and REPORT_* in the high one, or {@link #NONE}.
     */
    public long of(final DirectBuffer buffer, final int frame, final int length, final int types)
    {
        final int network = EtherHeader.networkOffset(buffer, frame, length);
        final int type = EtherHeader.type(buffer, frame + network);
        if (EtherHeader.IPV4 == type && length >= network + 20)
        {
            return ofIpv4(buffer, frame + network, length - network, types);
        }
        return EtherHeader.IPV6 == type && length >= network + IPV6_HEADER ?
            ofIpv6(buffer, frame + network, length - network, types) : NONE;
    }

    private long ofIpv4(final DirectBuffer buffer, final int ip, final int length, final int types)
    {
        final int headerLength = (buffer.getByte(ip) & 0xF) * 4;
        final boolean isFragment = (buffer.getShort(ip + 6, LITTLE_ENDIAN) & FRAGMENTED) != 0;
        final int protocol = buffer.getByte(ip + 9) & 0xFF;
        final boolean hasPorts = !isFragment && headerLength >= 20 && length >= headerLength + PORTS;
        final int addresses = add(0, 0, buffer, ip + 12, 8);
        if (hasPorts && TCP == protocol && (types & TYPE_TCPV4) != 0)
        {
            return report(add(addresses, 8, buffer, ip + headerLength, PORTS), REPORT_TCPV4);
        }
        if (hasPorts && UDP == protocol && (types & TYPE_UDPV4) != 0)
        {
            return report(add(addresses, 8, buffer, ip + headerLength, PORTS), REPORT_UDPV4);
        }
        return (types & TYPE_IPV4) != 0 ? report(addresses, REPORT_IPV4) : NONE;
    }

    /** Extension headers that change nothing about the flow are passed over; behind any other, addresses count. */
    private long ofIpv6(final DirectBuffer buffer, final int ip, final int length, final int types)
    {
        int next = buffer.getByte(ip + 6) & 0xFF;
        int at = IPV6_HEADER;
        for (int i = 0; i < MAX_EXTENSIONS && isPassedOver(next) && length >= at + 8; i++)
        {
            next = buffer.getByte(ip + at) & 0xFF;
            at += 8 + (buffer.getByte(ip + at + 1) & 0xFF) * 8;
        }
        final int addresses = add(0, 0, buffer, ip + 8, 32);
        if (TCP == next && length >= at + PORTS && (types & TYPE_TCPV6) != 0)
        {
            return report(add(addresses, 32, buffer, ip + at, PORTS), REPORT_TCPV6);
        }
        if (UDP == next && length >= at + PORTS && (types & TYPE_UDPV6) != 0)
        {
            return report(add(addresses, 32, buffer, ip + at, PORTS), REPORT_UDPV6);
        }
        return (types & TYPE_IPV6) != 0 ? report(addresses, REPORT_IPV6) : NONE;
    }

    private static boolean isPassedOver(final int header)
    {
        return HOP_BY_HOP == header || ROUTING == header || DESTINATION == header;
    }

    private int add(final int sum, final int from, final DirectBuffer buffer, final int offset, final int length)
    {
        int hash = sum;
        for (int i = 0; i < length; i++)
        {
            hash ^= table[(from + i) * BYTES + (buffer.getByte(offset + i) & 0xFF)];
        }
        return hash;
    }

    private static long report(final int hash, final int what)
    {
        return hash & 0xFFFF_FFFFL | (long)what << 32;
    }
}
