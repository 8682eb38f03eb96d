package io.ringtap.command;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;

/** A frame's first bytes in a few words: who talks to whom. */
final class FrameText
{
    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int ARP = 0x0806;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final int TCP = 6;
    private static final int UDP = 17;

    private FrameText()
    {
    }

    /** @param hex what is there of the frame. */
    static String of(final String hex)
    {
        final byte[] bytes;
        try
        {
            bytes = HexFormat.of().parseHex(hex);
        }
        catch (final IllegalArgumentException ex)
        {
            return "?";
        }
        if (bytes.length < ETHERNET)
        {
            return "short";
        }
        final int type = number(bytes, 12);
        if (IPV4 == type && ETHERNET + 20 <= bytes.length)
        {
            return ip(bytes, bytes[ETHERNET + 9] & 0xff, ETHERNET + 12, 4, ETHERNET + 4 * (bytes[ETHERNET] & 0xf));
        }
        if (IPV6 == type && ETHERNET + 40 <= bytes.length)
        {
            return ip(bytes, bytes[ETHERNET + 6] & 0xff, ETHERNET + 8, 16, ETHERNET + 40);
        }
        return (ARP == type ? "ARP" : String.format("0x%04x", type)) + " " + mac(bytes, 6) + " > " + mac(bytes, 0);
    }

    private static String ip(
        final byte[] bytes, final int protocol, final int addresses, final int length, final int behind)
    {
        final boolean hasPorts = (TCP == protocol || UDP == protocol) && behind + 4 <= bytes.length;
        final String name = TCP == protocol ? "TCP" : UDP == protocol ? "UDP" :
            ICMP == protocol || ICMPV6 == protocol ? "ICMP" : "protocol " + protocol;
        return name + " " + address(bytes, addresses, length) + (hasPorts ? ":" + number(bytes, behind) : "") + " > " +
            address(bytes, addresses + length, length) + (hasPorts ? ":" + number(bytes, behind + 2) : "");
    }

    private static String address(final byte[] bytes, final int at, final int length)
    {
        try
        {
            final String text = InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + length)).getHostAddress();
            return 4 == length ? text : "[" + text + "]";
        }
        catch (final UnknownHostException ex)
        {
            return "?";
        }
    }

    private static String mac(final byte[] bytes, final int at)
    {
        return HexFormat.ofDelimiter(":").formatHex(bytes, at, at + 6);
    }

    private static int number(final byte[] bytes, final int at)
    {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
}
