package io.ringtap.xdp;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Anti-spoof: a guest may send with its own MAC only, in the Ethernet header as in the sender field of ARP and RARP.
 * Frames to the guest pass.
 */
public final class SourceMacFilter implements XdpHook
{
    private static final int SOURCE = 6;
    private static final int ETHER_HEADER = 14;
    private static final int TYPE_ARP = 0x0806;
    private static final int TYPE_RARP = 0x8035;
    private static final int ARP_LENGTH = 28;
    /** htype 1 (Ethernet), ptype IPv4, hlen 6, plen 4. */
    private static final int ARP_HARDWARE = 0;
    private static final int ARP_ADDRESS_LENGTH = 4;
    private static final int ARP_SENDER = 8;

    private final int high;
    private final int low;

    /** @param mac the guest's address, like {@code 52:54:00:12:34:56}. */
    public SourceMacFilter(final String mac)
    {
        final String[] parts = mac.trim().split("[:-]", -1);
        if (6 != parts.length)
        {
            throw new IllegalArgumentException("'" + mac + "' is not a MAC; write it as 52:54:00:12:34:56");
        }
        long value = 0;
        for (final String part : parts)
        {
            if (!part.matches("[0-9a-fA-F]{1,2}"))
            {
                throw new IllegalArgumentException("'" + part + "' in MAC '" + mac + "' is not a byte in hex");
            }
            value = value << 8 | Integer.parseInt(part, 16);
        }
        if ((value >> 40 & 1) != 0 || 0 == value)
        {
            throw new IllegalArgumentException("MAC " + mac + " is not one that a guest can have (multicast or zero)");
        }
        high = (int)(value >> 32);
        low = (int)value;
    }

    @Override
    public boolean changesFrames()
    {
        return false;
    }

    @Override
    public int onFrame(final FrameView frame)
    {
        if (FrameView.FROM_GUEST != frame.direction())
        {
            return XdpVerdict.PASS;
        }
        final UnsafeBuffer buffer = frame.buffer();
        final int offset = frame.offset();
        final int end = offset + frame.length();
        if (frame.length() < ETHER_HEADER || !isOurs(buffer, offset + SOURCE))
        {
            return XdpVerdict.DROP;
        }
        final int typeOffset = IpLocator.etherTypeOffset(buffer, offset, end);
        if (typeOffset < 0)
        {
            return XdpVerdict.DROP;
        }
        final int type = IpLocator.unsignedShort(buffer, typeOffset);
        if (TYPE_ARP != type && TYPE_RARP != type)
        {
            return XdpVerdict.PASS;
        }
        final int arp = typeOffset + 2;
        final boolean honest = end - arp >= ARP_LENGTH &&
            1 == IpLocator.unsignedShort(buffer, arp + ARP_HARDWARE) &&
            0x0604 == IpLocator.unsignedShort(buffer, arp + ARP_ADDRESS_LENGTH) &&
            isOurs(buffer, arp + ARP_SENDER);
        return honest ? XdpVerdict.PASS : XdpVerdict.DROP;
    }

    /** The caller has seen that six bytes from {@code at} lie in the frame. */
    private boolean isOurs(final UnsafeBuffer buffer, final int at)
    {
        final int first = IpLocator.unsignedShort(buffer, at);
        final int rest = IpLocator.unsignedShort(buffer, at + 2) << 16 | IpLocator.unsignedShort(buffer, at + 4);
        return first == high && rest == low;
    }
}
