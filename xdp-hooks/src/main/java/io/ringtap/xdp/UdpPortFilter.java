package io.ringtap.xdp;

/**
 * Drops UDP from or to the given ports, both directions, IPv4 and IPv6, tagged or not.
 * <p>
 * It fails closed: what claims to be IP and cannot be read to the end of its headers is dropped, since the receiver
 * might read it differently. Of a fragmented datagram the first fragment is judged; the others pass and die in the
 * receiver's reassembly without it.
 */
public final class UdpPortFilter implements XdpHook
{
    private static final int PORTS = 1 << 16;
    private static final int UDP_HEADER = 8;

    private final long[] listed = new long[PORTS / Long.SIZE];

    /** @param ports like {@code 53,123,5000-5010}. */
    public UdpPortFilter(final String ports)
    {
        for (final String part : ports.split(",", -1))
        {
            final String[] range = part.trim().split("-", 2);
            final int first = port(range[0], ports);
            final int last = 1 == range.length ? first : port(range[1], ports);
            if (last < first)
            {
                throw new IllegalArgumentException("port range " + part.trim() + " ends before it begins");
            }
            for (int port = first; port <= last; port++)
            {
                listed[port >> 6] |= 1L << port;
            }
        }
    }

    @Override
    public boolean changesFrames()
    {
        return false;
    }

    @Override
    public int onFrame(final FrameView frame)
    {
        final long located = IpLocator.transport(frame.buffer(), frame.offset(), frame.length());
        if (located < 0)
        {
            return IpLocator.UNREADABLE == located ? XdpVerdict.DROP : XdpVerdict.PASS;
        }
        if (IpLocator.UDP != IpLocator.protocol(located))
        {
            return XdpVerdict.PASS;
        }
        final int udp = IpLocator.offset(located);
        if (frame.offset() + frame.length() - udp < UDP_HEADER)
        {
            return XdpVerdict.DROP;
        }
        final int source = IpLocator.unsignedShort(frame.buffer(), udp);
        final int destination = IpLocator.unsignedShort(frame.buffer(), udp + 2);
        return isListed(source) || isListed(destination) ? XdpVerdict.DROP : XdpVerdict.PASS;
    }

    private boolean isListed(final int port)
    {
        return (listed[port >> 6] >>> port & 1) != 0;
    }

    private static int port(final String text, final String all)
    {
        try
        {
            final int port = Integer.parseInt(text.trim());
            if (port >= 0 && port < PORTS)
            {
                return port;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // Said below, with the same words as for a number out of range.
        }
        throw new IllegalArgumentException(
            "'" + text.trim() + "' in '" + all + "' is not a port of 0 to 65535; write 53,123,5000-5010");
    }
}
