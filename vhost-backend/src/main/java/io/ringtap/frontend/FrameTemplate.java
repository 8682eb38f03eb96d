package io.ringtap.frontend;

import io.ringtap.frontend.FrameSpec.ChecksumMode;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A frame, or a super-frame of several segments, that is copied and patched: a generator writes only what differs from
 * one to the next, and its checksum and hash come from the template's by addition.
 */
final class FrameTemplate
{
    private static final int IP = Wire.ETHER_LENGTH;
    private static final byte TTL = 64;
    private static final int SHORT_COPY = 256;

    private final UnsafeBuffer bytes;
    private final int length;
    private final int copyLength;
    private final int transport;
    private final int payload;
    private final int payloadLength;
    private final int segments;
    private final boolean isTcp;
    private final boolean isFull;
    private final int checksumOffset;
    private final long netHeaderStart;
    private final short netHeaderEnd;
    private final long polynomial;
    private final long portWeight;
    private final long firstWeight;
    private final long secondWeight;
    private final long sum;

    /**
     * @param spec          addresses and protocol.
     * @param payloadLength bytes of payload in each segment, at least {@link TestPayload#LENGTH}.
     * @param segments      1, or more for a super-frame that somebody behind the ring cuts.
     */
    FrameTemplate(final FrameSpec spec, final int payloadLength, final int segments)
    {
        this.payloadLength = payloadLength;
        this.segments = segments;
        isTcp = spec.isTcp();
        payload = spec.headersLength();
        transport = payload - (isTcp ? Wire.TCP_LENGTH : Wire.UDP_LENGTH);
        length = payload + payloadLength * segments;
        copyLength = length + 7 & ~7;
        checksumOffset = transport + (isTcp ? Wire.TCP_CHECKSUM : Wire.UDP_CHECKSUM);
        bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(copyLength));
        final ChecksumMode mode = segments > 1 ? ChecksumMode.PARTIAL : spec.checksum();
        isFull = ChecksumMode.FULL == mode || ChecksumMode.NONE == mode && (isTcp || spec.isIpv6());
        writeHeaders(spec);
        for (int i = 0; i < segments; i++)
        {
            TestPayload.pattern(bytes, payload + i * payloadLength, payloadLength);
        }

        final int words = TestPayload.wordsOf(payloadLength);
        polynomial = TestPayload.polynomial(
            bytes,
            IP + (spec.isIpv6() ? Wire.IPV6_SOURCE : Wire.IPV4_SOURCE),
            spec.isIpv6() ? 32 : 8,
            transport,
            payload,
            payloadLength);
        portWeight = TestPayload.weight(words);
        firstWeight = TestPayload.weight(words - 1);
        secondWeight = TestPayload.weight(words - 2);

        final long pseudo = InternetSum.addPseudoHeader(
            0, bytes, IP, spec.isIpv6(), isTcp ? Wire.PROTOCOL_TCP : Wire.PROTOCOL_UDP, length - transport);
        sum = InternetSum.add(pseudo, bytes, transport, length - transport);
        if (ChecksumMode.PARTIAL == mode)
        {
            bytes.putShort(checksumOffset, (short)InternetSum.fold(pseudo), ByteOrder.LITTLE_ENDIAN);
            netHeaderStart = NetHeader.NEEDS_CHECKSUM | gsoBits(spec.isIpv6()) | (long)transport << 48;
            netHeaderEnd = (short)(checksumOffset - transport);
        }
        else
        {
            netHeaderStart = 0;
            netHeaderEnd = 0;
        }
    }

    int length()
    {
        return length;
    }

    int segments()
    {
        return segments;
    }

    int payloadLength()
    {
        return payloadLength;
    }

    /**
     * Writes the frame of a flow.
     *
     * @param netHeader    where its net header goes; it is zero.
     * @param frame        where it goes itself; up to seven bytes behind it are written too.
     * @param flow         its number.
     * @param sourcePort   of the flow.
     * @param sequence     number of its (first) segment.
     * @param byteSequence of TCP; ignored otherwise.
     */
    void write(
        final UnsafeBuffer to,
        final int netHeader,
        final int frame,
        final int flow,
        final int sourcePort,
        final long sequence,
        final int byteSequence)
    {
        copy(to, frame);
        if (0 != netHeaderStart)
        {
            to.putLong(netHeader, netHeaderStart, ByteOrder.LITTLE_ENDIAN);
            to.putShort(netHeader + NetHeader.CHECKSUM_OFFSET_OFFSET, netHeaderEnd, ByteOrder.LITTLE_ENDIAN);
        }
        final int port = Short.reverseBytes((short)sourcePort) & 0xFFFF;
        to.putShort(frame + transport, (short)port, ByteOrder.LITTLE_ENDIAN);
        final int tcpSequence = Integer.reverseBytes(byteSequence);
        if (isTcp)
        {
            to.putInt(frame + transport + Wire.TCP_SEQUENCE, tcpSequence, ByteOrder.LITTLE_ENDIAN);
        }
        final long ofFlow = polynomial + port * portWeight;
        int hash = 0;
        int at = frame + payload;
        for (int i = 0; i < segments; i++, at += payloadLength)
        {
            hash = writeFields(to, at, flow, sequence + i, ofFlow);
        }
        if (isFull)
        {
            final long changed = sum + port + flow + words(hash) + words(sequence) + words(sequence >>> 32) +
                (isTcp ? words(tcpSequence) : 0);
            to.putShort(
                frame + checksumOffset,
                isTcp ? InternetSum.checksum(changed) : InternetSum.checksumOfUdp(changed),
                ByteOrder.LITTLE_ENDIAN);
        }
    }

    private int writeFields(
        final UnsafeBuffer to, final int at, final int flow, final long sequence, final long ofFlow)
    {
        final long first = flow | sequence << 16;
        final int hash = TestPayload.finish(ofFlow + first * firstWeight + (sequence >>> 48) * secondWeight);
        to.putInt(at + TestPayload.HASH_OFFSET, hash, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + TestPayload.FLOW_OFFSET, first, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + TestPayload.FLOW_OFFSET + 8, (short)(sequence >>> 48), ByteOrder.LITTLE_ENDIAN);
        return hash;
    }

    /** Both 16-bit words of the low half, for the checksum. */
    private static long words(final long value)
    {
        return (value & 0xFFFF) + (value >>> 16 & 0xFFFF);
    }

    private void copy(final UnsafeBuffer to, final int frame)
    {
        if (copyLength <= SHORT_COPY)
        {
            for (int i = 0; i < copyLength; i += 8)
            {
                to.putLong(frame + i, bytes.getLong(i));
            }
        }
        else
        {
            to.putBytes(frame, bytes, 0, length);
        }
    }

    private long gsoBits(final boolean isIpv6)
    {
        if (1 == segments)
        {
            return 0;
        }
        final int type = isTcp ?
            (isIpv6 ? NetHeader.GSO_TCPV6 : NetHeader.GSO_TCPV4) : NetHeader.GSO_UDP_L4;
        return (long)type << 8 | (long)payload << 16 | (long)payloadLength << 32;
    }

    private void writeHeaders(final FrameSpec spec)
    {
        spec.destinationMac().write(bytes, 0);
        spec.sourceMac().write(bytes, Wire.ETHER_SOURCE);
        final int protocol = isTcp ? Wire.PROTOCOL_TCP : Wire.PROTOCOL_UDP;
        if (spec.isIpv6())
        {
            putShort(Wire.ETHER_TYPE, Wire.TYPE_IPV6);
            bytes.putInt(IP, 0x6000_0000, ByteOrder.BIG_ENDIAN);
            putShort(IP + Wire.IPV6_PAYLOAD, length - transport);
            bytes.putByte(IP + Wire.IPV6_NEXT, (byte)protocol);
            bytes.putByte(IP + Wire.IPV6_HOPS, TTL);
            bytes.putBytes(IP + Wire.IPV6_SOURCE, spec.source().getAddress());
            bytes.putBytes(IP + Wire.IPV6_DESTINATION, spec.destination().getAddress());
        }
        else
        {
            putShort(Wire.ETHER_TYPE, Wire.TYPE_IPV4);
            bytes.putShort(IP, (short)0x4500, ByteOrder.BIG_ENDIAN);
            putShort(IP + Wire.IPV4_TOTAL, length - IP);
            putShort(IP + Wire.IPV4_FRAGMENT, Wire.IPV4_DONT_FRAGMENT);
            bytes.putByte(IP + Wire.IPV4_TTL, TTL);
            bytes.putByte(IP + Wire.IPV4_PROTOCOL, (byte)protocol);
            bytes.putBytes(IP + Wire.IPV4_SOURCE, spec.source().getAddress());
            bytes.putBytes(IP + Wire.IPV4_DESTINATION, spec.destination().getAddress());
            final long header = InternetSum.add(0, bytes, IP, Wire.IPV4_LENGTH);
            bytes.putShort(IP + Wire.IPV4_CHECKSUM, InternetSum.checksum(header), ByteOrder.LITTLE_ENDIAN);
        }
        putShort(transport + Wire.UDP_DESTINATION, spec.destinationPort());
        if (isTcp)
        {
            putShort(transport + Wire.TCP_OFFSET, Wire.TCP_LENGTH / 4 << 12 | 0x10);
            putShort(transport + Wire.TCP_WINDOW, 0xFFFF);
        }
        else
        {
            putShort(transport + Wire.UDP_SIZE, length - transport);
        }
    }

    private void putShort(final int offset, final int value)
    {
        bytes.putShort(offset, (short)value, ByteOrder.BIG_ENDIAN);
    }
}
