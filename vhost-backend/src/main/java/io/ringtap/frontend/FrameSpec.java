package io.ringtap.frontend;

import java.net.InetAddress;

/**
 * What the frames of a generator look like.
 *
 * @param sourceMac       the guest's address.
 * @param destinationMac  of the next hop.
 * @param source          IP address of the guest.
 * @param destination     IP address of the sink, of the same family.
 * @param isTcp           TCP segments instead of UDP datagrams.
 * @param sourcePort      of the first flow; the others follow.
 * @param destinationPort the sink's.
 * @param checksum        how the transport checksum is left.
 */
public record FrameSpec(
    MacAddress sourceMac,
    MacAddress destinationMac,
    InetAddress source,
    InetAddress destination,
    boolean isTcp,
    int sourcePort,
    int destinationPort,
    ChecksumMode checksum)
{
    /** Refuses addresses of two families and ports that are none. */
    public FrameSpec
    {
        if (source.getAddress().length != destination.getAddress().length)
        {
            throw new IllegalArgumentException(
                "source " + source.getHostAddress() + " and destination " + destination.getHostAddress() +
                " are not of one family");
        }
        requirePort(sourcePort);
        requirePort(destinationPort);
    }

    /** How a generated frame's transport checksum is left. */
    public enum ChecksumMode
    {
        /** UDP over IPv4 without one. */
        NONE,
        /** The guest computes it. */
        FULL,
        /** Begun only; somebody behind the ring completes it (needs the feature CSUM). */
        PARTIAL
    }

    boolean isIpv6()
    {
        return 16 == source.getAddress().length;
    }

    /** Bytes in front of the payload. */
    int headersLength()
    {
        return Wire.ETHER_LENGTH + (isIpv6() ? Wire.IPV6_LENGTH : Wire.IPV4_LENGTH) +
            (isTcp ? Wire.TCP_LENGTH : Wire.UDP_LENGTH);
    }

    /** The shortest frame that a sink can check. */
    int minimumFrame()
    {
        return headersLength() + TestPayload.LENGTH;
    }

    private static void requirePort(final int port)
    {
        if (port < 1 || port > 0xFFFF)
        {
            throw new IllegalArgumentException("port " + port + " is not one of 1 to 65535");
        }
    }
}
