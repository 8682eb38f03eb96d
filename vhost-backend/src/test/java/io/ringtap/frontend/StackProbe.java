package io.ringtap.frontend;

import java.util.Arrays;

/** Checksums the slow way, byte by byte in network order, to hold those of the stack against. */
final class StackProbe
{
    private static final int IP = NetHeader.LENGTH + Wire.ETHER_LENGTH;
    private final byte[] frame;

    StackProbe(final byte[] frame)
    {
        this.frame = frame;
    }

    boolean isIcmpv6Good()
    {
        return isGood(IP + Wire.IPV6_SOURCE, 32, IP + Wire.IPV6_LENGTH, Wire.PROTOCOL_ICMPV6);
    }

    /** Over IPv4; a checksum must be there. */
    boolean isUdpGood()
    {
        final int transport = IP + Wire.IPV4_LENGTH;
        return (frame[transport + 6] != 0 || frame[transport + 7] != 0) &&
            isGood(IP + Wire.IPV4_SOURCE, 8, transport, Wire.PROTOCOL_UDP);
    }

    private boolean isGood(final int addresses, final int addressesLength, final int transport, final int protocol)
    {
        final int length = frame.length - transport;
        final byte[] all = new byte[addressesLength + 8 + length];
        System.arraycopy(frame, addresses, all, 0, addressesLength);
        all[addressesLength + 2] = (byte)(length >> 8);
        all[addressesLength + 3] = (byte)length;
        all[addressesLength + 7] = (byte)protocol;
        System.arraycopy(frame, transport, all, addressesLength + 8, length);
        return 0xFFFF == sum(all, 0, all.length);
    }

    /** The folded sum in network order; an odd last byte counts as if a zero followed. */
    static int sum(final byte[] bytes, final int from, final int length)
    {
        final byte[] even = Arrays.copyOf(Arrays.copyOfRange(bytes, from, from + length), length + (length & 1));
        int sum = 0;
        for (int i = 0; i < even.length; i += 2)
        {
            sum += (even[i] & 0xFF) << 8 | even[i + 1] & 0xFF;
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        return sum;
    }
}
