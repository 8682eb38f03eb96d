package io.ringtap.frontend;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteOrder;

/**
 * Who a guest is: its MAC, an IPv4 address, an IPv6 address, and the link-local one that follows from the MAC.
 */
public final class GuestAddresses
{
    private static final int NO_IPV4 = 0;

    private final MacAddress mac;
    private final int ipv4;
    private final byte[] ipv6;
    private final byte[] linkLocal;

    /**
     * @param mac  unicast.
     * @param ipv4 may be null.
     * @param ipv6 may be null; the link-local address is there in any case.
     */
    public GuestAddresses(final MacAddress mac, final InetAddress ipv4, final InetAddress ipv6)
    {
        if (mac.isMulticast() || 0 == mac.value())
        {
            throw new IllegalArgumentException("MAC " + mac + " is not one that a guest can have (multicast or zero)");
        }
        if (null != ipv4 && !(ipv4 instanceof Inet4Address) || null != ipv6 && !(ipv6 instanceof Inet6Address))
        {
            throw new IllegalArgumentException("IPv4 and IPv6 address are of the wrong family");
        }
        this.mac = mac;
        this.ipv4 = null == ipv4 ? NO_IPV4 : toInt(ipv4.getAddress());
        linkLocal = linkLocalOf(mac);
        this.ipv6 = null == ipv6 ? linkLocal : ipv6.getAddress();
    }

    public MacAddress mac()
    {
        return mac;
    }

    boolean hasIpv4()
    {
        return NO_IPV4 != ipv4;
    }

    boolean isOurMac(final DirectBuffer buffer, final int offset)
    {
        return MacAddress.read(buffer, offset) == mac.value();
    }

    /** Ours, everybody's or a group's. */
    boolean isForUs(final DirectBuffer buffer, final int offset)
    {
        return (buffer.getByte(offset) & 1) != 0 || isOurMac(buffer, offset);
    }

    boolean isOurIpv4(final DirectBuffer buffer, final int offset)
    {
        return hasIpv4() && buffer.getInt(offset, ByteOrder.BIG_ENDIAN) == ipv4;
    }

    boolean isOurIpv6(final DirectBuffer buffer, final int offset)
    {
        return isSame(buffer, offset, ipv6) || isSame(buffer, offset, linkLocal);
    }

    void writeIpv4(final MutableDirectBuffer buffer, final int offset)
    {
        buffer.putInt(offset, ipv4, ByteOrder.BIG_ENDIAN);
    }

    /** The address to ask this neighbour from: the link-local one for its like. */
    void writeIpv6(final MutableDirectBuffer buffer, final int offset, final byte[] towards)
    {
        buffer.putBytes(offset, (towards[0] & 0xFF) == 0xFE ? linkLocal : ipv6);
    }

    static boolean isSame(final DirectBuffer buffer, final int offset, final byte[] address)
    {
        for (int i = 0; i < address.length; i++)
        {
            if (buffer.getByte(offset + i) != address[i])
            {
                return false;
            }
        }
        return true;
    }

    private static int toInt(final byte[] address)
    {
        return (address[0] & 0xFF) << 24 | (address[1] & 0xFF) << 16 | (address[2] & 0xFF) << 8 | address[3] & 0xFF;
    }

    /** RFC 4291, appendix A: the universal bit flipped, FF FE in the middle. */
    private static byte[] linkLocalOf(final MacAddress mac)
    {
        final long value = mac.value();
        final byte[] address = new byte[16];
        address[0] = (byte)0xFE;
        address[1] = (byte)0x80;
        address[8] = (byte)(value >> 40 ^ 2);
        address[9] = (byte)(value >> 32);
        address[10] = (byte)(value >> 24);
        address[11] = (byte)0xFF;
        address[12] = (byte)0xFE;
        address[13] = (byte)(value >> 16);
        address[14] = (byte)(value >> 8);
        address[15] = (byte)value;
        return address;
    }
}
