package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Recognises transport checksums that a virtual device left begun. A veth hands the sender's frame over as it is, with
 * the pseudo header's sum where the checksum belongs, and an AF_XDP socket has no word for that; a receiver would drop
 * it. Once in 65536 a complete checksum looks alike: to complete it again gives the same one.
 */
public final class BegunChecksum
{
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int TCP_HEADER = 20;
    private static final int UDP_HEADER = 8;

    private BegunChecksum()
    {
    }

    /**
     * Says NEEDS_CSUM in the net header of a frame that needs it; another frame's stays as it is.
     *
     * @param frame  arena offset of the Ethernet header, behind a cleared net header.
     * @param linear bytes of the frame that lie there.
     * @param length bytes of the whole frame.
     */
    public static void mark(final UnsafeBuffer arena, final int frame, final int linear, final int length)
    {
        final int network = EtherHeader.networkOffset(arena, frame, linear);
        final int ip = frame + network;
        final int type = EtherHeader.type(arena, ip);
        // No transport header is shorter than UDP's, so a frame without room for one has none.
        if (EtherHeader.IPV4 == type && linear >= network + IPV4_HEADER + UDP_HEADER)
        {
            final int header = (arena.getByte(ip) & 0xf) << 2;
            final int total = Checksum.swap(arena.getShort(ip + 2, LITTLE_ENDIAN));
            final boolean isWhole = 0 == (arena.getShort(ip + 6, LITTLE_ENDIAN) & 0xff3f);
            final int protocol = arena.getByte(ip + 9) & 0xff;
            final int transport = total - header;
            if (isWhole && header >= IPV4_HEADER && network + total <= length &&
                isTransport(protocol, transport, linear - network - header))
            {
                mark(arena, frame, network + header, protocol, Checksum.pseudoV4(arena, ip, protocol, transport));
            }
        }
        else if (EtherHeader.IPV6 == type && linear >= network + IPV6_HEADER + UDP_HEADER)
        {
            final int transport = Checksum.swap(arena.getShort(ip + 4, LITTLE_ENDIAN));
            final int protocol = arena.getByte(ip + 6) & 0xff;
            if (network + IPV6_HEADER + transport <= length &&
                isTransport(protocol, transport, linear - network - IPV6_HEADER))
            {
                mark(arena, frame, network + IPV6_HEADER, protocol,
                    Checksum.pseudoV6(arena, ip, protocol, transport));
            }
        }
    }

    /** Whether it is a transport that we know, with its header within {@code available} bytes. */
    private static boolean isTransport(final int protocol, final int transport, final int available)
    {
        final int header = TCP == protocol ? TCP_HEADER : UDP_HEADER;
        return (TCP == protocol || UDP == protocol) && transport >= header && available >= header;
    }

    private static void mark(
        final UnsafeBuffer arena, final int frame, final int start, final int protocol, final long pseudoSum)
    {
        final int field = TCP == protocol ? VnetHeader.TCP_CSUM_OFFSET : VnetHeader.UDP_CSUM_OFFSET;
        final int found = arena.getShort(frame + start + field, LITTLE_ENDIAN) & 0xffff;
        if (0 != found && found == Checksum.fold(pseudoSum))
        {
            VnetHeader.partial(arena, frame - FrameLayout.NET_HEADER, start, field);
        }
    }
}
