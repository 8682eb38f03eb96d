package io.ringtap.flow;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The net header that precedes every frame: accessors by offset, and the check that a guest's header must pass.
 * <pre>
 *   0               1               2               3
 *  +---------------+---------------+-------------------------------+
 *  | flags         | gso_type      | hdr_len                       |
 *  +---------------+---------------+-------------------------------+
 *  | gso_size                      | csum_start                    |
 *  +-------------------------------+-------------------------------+
 *  | csum_offset                   | num_buffers                   |
 *  +-------------------------------+-------------------------------+
 * </pre>
 * Little endian (virtio 1.x, 5.1.6). csum_start counts from the Ethernet header, csum_offset from csum_start.
 */
public final class VnetHeader
{
    /** Bytes of the header as it lies before a frame. */
    public static final int LENGTH = FrameLayout.NET_HEADER;

    public static final int FLAGS_OFFSET = 0;
    public static final int GSO_TYPE_OFFSET = 1;
    public static final int HDR_LEN_OFFSET = 2;
    public static final int GSO_SIZE_OFFSET = 4;
    public static final int CSUM_START_OFFSET = 6;
    public static final int CSUM_OFFSET_OFFSET = 8;
    public static final int NUM_BUFFERS_OFFSET = 10;

    /** Flag: the checksum at csum_start + csum_offset holds the pseudo header's sum only; somebody must complete it. */
    public static final int NEEDS_CSUM = 1;
    /** Flag, towards a guest only: the checksum was verified. */
    public static final int DATA_VALID = 2;

    public static final int GSO_NONE = 0;
    public static final int GSO_TCPV4 = 1;
    /** UFO: one datagram that becomes IP fragments. */
    public static final int GSO_UDP = 3;
    public static final int GSO_TCPV6 = 4;
    /** USO: a train of datagrams of equal length. */
    public static final int GSO_UDP_L4 = 5;
    /** Added to a TCP type: the first segment carries CWR, the others must not. */
    public static final int GSO_ECN = 0x80;

    /** csum_offset of TCP. */
    public static final int TCP_CSUM_OFFSET = 16;
    /** csum_offset of UDP. */
    public static final int UDP_CSUM_OFFSET = 6;

    /** Linux's UDP_MAX_SEGMENTS (include/linux/udp.h): a longer train is EINVAL. */
    public static final int MAX_USO_SEGMENTS = 128;

    /** Linux refuses a transport header that begins closer to the frame's start than an IPv4 header is long. */
    private static final int MIN_CSUM_START = 20;
    private static final int MIN_CSUM_START_TCPV6 = 40;
    private static final int MIN_TCP_HEADER = 20;
    private static final int UDP_HEADER = 8;
    private static final int GSO_BY_FRAGS = 0xFFFF;

    private VnetHeader()
    {
    }

    public static int flags(final DirectBuffer buffer, final int header)
    {
        return buffer.getByte(header + FLAGS_OFFSET) & 0xFF;
    }

    public static boolean needsChecksum(final DirectBuffer buffer, final int header)
    {
        return (flags(buffer, header) & NEEDS_CSUM) != 0;
    }

    /** The GSO type with its ECN bit. */
    public static int gsoType(final DirectBuffer buffer, final int header)
    {
        return buffer.getByte(header + GSO_TYPE_OFFSET) & 0xFF;
    }

    public static int headerLength(final DirectBuffer buffer, final int header)
    {
        return buffer.getShort(header + HDR_LEN_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int gsoSize(final DirectBuffer buffer, final int header)
    {
        return buffer.getShort(header + GSO_SIZE_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int checksumStart(final DirectBuffer buffer, final int header)
    {
        return buffer.getShort(header + CSUM_START_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int checksumOffset(final DirectBuffer buffer, final int header)
    {
        return buffer.getShort(header + CSUM_OFFSET_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int bufferCount(final DirectBuffer buffer, final int header)
    {
        return buffer.getShort(header + NUM_BUFFERS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static void bufferCount(final MutableDirectBuffer buffer, final int header, final int count)
    {
        buffer.putShort(header + NUM_BUFFERS_OFFSET, (short)count, LITTLE_ENDIAN);
    }

    /** A plain frame with a complete checksum, or one that was never looked at. */
    public static void clear(final MutableDirectBuffer buffer, final int header)
    {
        buffer.putLong(header, 0L);
        buffer.putInt(header + CSUM_OFFSET_OFFSET, 0);
    }

    /** A plain frame whose checksum was verified; for receivers that negotiated GUEST_CSUM. */
    public static void dataValid(final MutableDirectBuffer buffer, final int header)
    {
        clear(buffer, header);
        buffer.putByte(header + FLAGS_OFFSET, (byte)DATA_VALID);
    }

    /** A plain frame whose checksum is only begun. */
    public static void partial(
        final MutableDirectBuffer buffer, final int header, final int checksumStart, final int checksumOffset)
    {
        superFrame(buffer, header, GSO_NONE, 0, 0, checksumStart, checksumOffset);
    }

    /** A super-frame; its checksum is only begun, as GSO demands. */
    public static void superFrame(
        final MutableDirectBuffer buffer,
        final int header,
        final int gsoType,
        final int gsoSize,
        final int headerLength,
        final int checksumStart,
        final int checksumOffset)
    {
        buffer.putByte(header + FLAGS_OFFSET, (byte)NEEDS_CSUM);
        buffer.putByte(header + GSO_TYPE_OFFSET, (byte)gsoType);
        buffer.putShort(header + HDR_LEN_OFFSET, (short)headerLength, LITTLE_ENDIAN);
        buffer.putShort(header + GSO_SIZE_OFFSET, (short)gsoSize, LITTLE_ENDIAN);
        buffer.putShort(header + CSUM_START_OFFSET, (short)checksumStart, LITTLE_ENDIAN);
        buffer.putShort(header + CSUM_OFFSET_OFFSET, (short)checksumOffset, LITTLE_ENDIAN);
        buffer.putShort(header + NUM_BUFFERS_OFFSET, (short)0, LITTLE_ENDIAN);
    }

    /**
     * Judges a header that came from a guest, in private memory, and brings it to the one form that the rest relies
     * on: nothing but NEEDS_CSUM in the flags, no checksum fields without it, no GSO type on a frame that is not longer
     * than one segment, hdr_len inside the frame. The rules are those of Linux's virtio_net_hdr_to_skb, so that a
     * header that passes is not the reason for an EINVAL; but UFO with a complete checksum, which the specification
     * allows, Linux 6 refuses.
     *
     * @param header      offset of the header in the buffer.
     * @param frameLength bytes of the frame behind the header, wherever they lie.
     * @param offloads    {@link Offloads} that the sender negotiated.
     * @return {@link VnetFault#OK}, or the fault; then the header is untouched.
     */
    public static int validate(
        final MutableDirectBuffer buffer, final int header, final int frameLength, final int offloads)
    {
        if (frameLength < FrameLayout.MIN_FRAME || frameLength > FrameLayout.MAX_FRAME)
        {
            return frameLength < FrameLayout.MIN_FRAME ? VnetFault.FRAME_TOO_SHORT : VnetFault.FRAME_TOO_LONG;
        }
        final int type = gsoType(buffer, header);
        final boolean partial = needsChecksum(buffer, header);
        if (!partial && GSO_NONE == type)
        {
            clear(buffer, header);
            return VnetFault.OK;
        }
        if (partial)
        {
            final int fault = checkChecksum(buffer, header, type, frameLength, offloads);
            if (VnetFault.OK != fault)
            {
                return fault;
            }
        }
        return GSO_NONE == type ?
            plainPartial(buffer, header) : validateGso(buffer, header, type, partial, frameLength, offloads);
    }

    /**
     * Whether a receiver takes the frame as it is.
     *
     * @param offloads {@link Offloads} of the receiver.
     */
    public static boolean fits(final DirectBuffer buffer, final int header, final int offloads)
    {
        final int type = gsoType(buffer, header);
        if (GSO_NONE == type)
        {
            return (offloads & Offloads.CSUM) != 0 || !needsChecksum(buffer, header);
        }
        final int needed = type == GSO_UDP_L4 ? usoOf(buffer, header + LENGTH) : offloadOf(type);
        return needed != 0 && (offloads & needed) == needed && (offloads & Offloads.CSUM) != 0;
    }

    private static int plainPartial(final MutableDirectBuffer buffer, final int header)
    {
        partial(buffer, header, checksumStart(buffer, header), checksumOffset(buffer, header));
        return VnetFault.OK;
    }

    private static int checkChecksum(
        final DirectBuffer buffer, final int header, final int type, final int frameLength, final int offloads)
    {
        if ((offloads & Offloads.CSUM) == 0)
        {
            return VnetFault.CHECKSUM_NOT_NEGOTIATED;
        }
        final int start = checksumStart(buffer, header);
        final int least = (type & ~GSO_ECN) == GSO_TCPV6 ? MIN_CSUM_START_TCPV6 : MIN_CSUM_START;
        // Both are 16 bits wide, so the sum cannot overflow (CVE-2024-11614).
        final boolean inside = start >= least && start + checksumOffset(buffer, header) + 2 <= frameLength;
        return inside ? VnetFault.OK : VnetFault.CHECKSUM_OUT_OF_RANGE;
    }

    private static int validateGso(
        final MutableDirectBuffer buffer,
        final int header,
        final int type,
        final boolean partial,
        final int frameLength,
        final int offloads)
    {
        final int needed = offloadOf(type);
        if (0 == needed)
        {
            return VnetFault.GSO_UNKNOWN;
        }
        // A USO header does not say which IP it is: one of the two bits is enough here.
        if (type == GSO_UDP_L4 ? (offloads & needed) == 0 : (offloads & needed) != needed)
        {
            return VnetFault.GSO_NOT_NEGOTIATED;
        }
        final int gsoSize = gsoSize(buffer, header);
        if (0 == gsoSize || GSO_BY_FRAGS == gsoSize)
        {
            return VnetFault.GSO_SIZE;
        }
        if (!partial)
        {
            return type == GSO_UDP ?
                finishGso(buffer, header, type, 0, 0, frameLength) : VnetFault.GSO_WITHOUT_CHECKSUM;
        }
        final boolean udp = type == GSO_UDP_L4 || type == GSO_UDP;
        final int start = checksumStart(buffer, header);
        final int headers = start + (udp ? UDP_HEADER : MIN_TCP_HEADER);
        if (checksumOffset(buffer, header) != (udp ? UDP_CSUM_OFFSET : TCP_CSUM_OFFSET))
        {
            return VnetFault.GSO_CHECKSUM_OFFSET;
        }
        if (headers > frameLength)
        {
            return VnetFault.GSO_HEADERS;
        }
        if (type == GSO_UDP_L4 && frameLength - headers > gsoSize * MAX_USO_SEGMENTS)
        {
            return VnetFault.GSO_SEGMENTS;
        }
        return finishGso(buffer, header, type, type == GSO_UDP ? start : headers, headers, frameLength);
    }

    private static int finishGso(
        final MutableDirectBuffer buffer,
        final int header,
        final int type,
        final int segmentedFrom,
        final int headers,
        final int frameLength)
    {
        if (frameLength - segmentedFrom <= gsoSize(buffer, header))
        {
            if (needsChecksum(buffer, header))
            {
                return plainPartial(buffer, header);
            }
            clear(buffer, header);
            return VnetFault.OK;
        }
        // hdr_len is a hint; Linux wants it to cover the checksum and not to pass the frame's end.
        final int hint = Math.min(Math.max(headerLength(buffer, header), headers), frameLength);
        final byte flags = (byte)(flags(buffer, header) & NEEDS_CSUM);
        superFrame(buffer, header, type, gsoSize(buffer, header), hint,
            checksumStart(buffer, header), checksumOffset(buffer, header));
        buffer.putByte(header + FLAGS_OFFSET, flags);
        return VnetFault.OK;
    }

    private static int offloadOf(final int type)
    {
        switch (type)
        {
            case GSO_TCPV4:
                return Offloads.TSO4;
            case GSO_TCPV6:
                return Offloads.TSO6;
            case GSO_TCPV4 | GSO_ECN:
                return Offloads.TSO4 | Offloads.ECN;
            case GSO_TCPV6 | GSO_ECN:
                return Offloads.TSO6 | Offloads.ECN;
            case GSO_UDP:
                return Offloads.UFO;
            case GSO_UDP_L4:
                return Offloads.USO4 | Offloads.USO6;
            default:
                return 0;
        }
    }

    private static int usoOf(final DirectBuffer buffer, final int frame)
    {
        final int network = EtherHeader.networkOffset(buffer, frame, FrameLayout.MAX_FRAME);
        return EtherHeader.type(buffer, frame + network) == EtherHeader.IPV6 ? Offloads.USO6 : Offloads.USO4;
    }
}
