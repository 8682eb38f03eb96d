package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * The guest's network stack: answers ARP, IPv6 neighbour discovery, pings and an optional UDP echo port, out of the
 * transmit queue of the same pair. It checks every checksum, also those that are only begun, before it answers.
 * <p>
 * Answers are staged; the caller flushes the queue once a batch.
 */
public final class GuestStack implements FrameConsumer
{
    /** No UDP echo. */
    public static final int NO_PORT = -1;
    private static final int IP = Wire.ETHER_LENGTH;
    private static final byte TTL = 64;

    private final GuestAddresses addresses;
    private final FrameWriter out;
    private final int echoPort;
    private final NeighbourTalk neighbours;
    private final CounterSet<StackCounter> counters;

    /**
     * @param scope     for the counters: {@code queue 0}.
     * @param addresses who we are.
     * @param out       where answers go.
     * @param echoPort  UDP port whose datagrams are sent back, or {@link #NO_PORT}.
     */
    public GuestStack(
        final String scope, final GuestAddresses addresses, final FrameWriter out, final int echoPort)
    {
        this.addresses = addresses;
        this.out = out;
        this.echoPort = echoPort;
        counters = new CounterSet<>(scope, StackCounter.class);
        neighbours = new NeighbourTalk(addresses, out, counters);
    }

    public CounterSet<StackCounter> counters()
    {
        return counters;
    }

    /** Questions and answers about MACs, for a caller that needs the one of its peer. */
    public NeighbourTalk neighbours()
    {
        return neighbours;
    }

    @Override
    public void onFrame(final DirectBuffer buffer, final int headerOffset, final int offset, final int length)
    {
        if (length < Wire.ETHER_LENGTH || !addresses.isForUs(buffer, offset))
        {
            counters.increment(StackCounter.IGNORED);
            return;
        }
        switch (buffer.getShort(offset + Wire.ETHER_TYPE, ByteOrder.BIG_ENDIAN) & 0xFFFF)
        {
            case Wire.TYPE_ARP -> neighbours.onArp(buffer, offset, length);
            case Wire.TYPE_IPV4 -> onIpv4(buffer, headerOffset, offset, length);
            case Wire.TYPE_IPV6 -> onIpv6(buffer, headerOffset, offset, length);
            default -> counters.increment(StackCounter.IGNORED);
        }
    }

    private void onIpv4(final DirectBuffer buffer, final int header, final int frame, final int length)
    {
        final int ip = frame + IP;
        final int room = length - IP;
        if (room < Wire.IPV4_LENGTH || !addresses.isOurIpv4(buffer, ip + Wire.IPV4_DESTINATION))
        {
            counters.increment(StackCounter.IGNORED);
            return;
        }
        final int headerLength = (buffer.getByte(ip) & 0xF) * 4;
        final int total = unsignedShort(buffer, ip + Wire.IPV4_TOTAL);
        if ((buffer.getByte(ip) >> 4) != 4 || headerLength < Wire.IPV4_LENGTH || total < headerLength || total > room)
        {
            counters.increment(StackCounter.MALFORMED);
        }
        else if (!TransportChecksum.isIpv4HeaderGood(buffer, ip, headerLength))
        {
            counters.increment(StackCounter.BAD_CHECKSUM);
        }
        else if ((unsignedShort(buffer, ip + Wire.IPV4_FRAGMENT) & Wire.IPV4_FRAGMENT_MASK) != 0)
        {
            counters.increment(StackCounter.IGNORED);
        }
        else
        {
            final int protocol = buffer.getByte(ip + Wire.IPV4_PROTOCOL) & 0xFF;
            onTransport(buffer, header, frame, false, protocol, ip + headerLength, total - headerLength);
        }
    }

    private void onIpv6(final DirectBuffer buffer, final int header, final int frame, final int length)
    {
        final int ip = frame + IP;
        final int room = length - IP - Wire.IPV6_LENGTH;
        if (room < 0)
        {
            counters.increment(StackCounter.IGNORED);
            return;
        }
        final int payload = unsignedShort(buffer, ip + Wire.IPV6_PAYLOAD);
        final int protocol = buffer.getByte(ip + Wire.IPV6_NEXT) & 0xFF;
        final boolean isGroup = -1 == buffer.getByte(ip + Wire.IPV6_DESTINATION);
        if (!isGroup && !addresses.isOurIpv6(buffer, ip + Wire.IPV6_DESTINATION) ||
            isGroup && Wire.PROTOCOL_ICMPV6 != protocol)
        {
            counters.increment(StackCounter.IGNORED);
        }
        else if (payload > room)
        {
            counters.increment(StackCounter.MALFORMED);
        }
        else
        {
            onTransport(buffer, header, frame, true, protocol, ip + Wire.IPV6_LENGTH, payload);
        }
    }

    private void onTransport(
        final DirectBuffer buffer,
        final int header,
        final int frame,
        final boolean isIpv6,
        final int protocol,
        final int transport,
        final int length)
    {
        final boolean isUdp = Wire.PROTOCOL_UDP == protocol;
        final boolean isIcmp = (isIpv6 ? Wire.PROTOCOL_ICMPV6 : Wire.PROTOCOL_ICMP) == protocol;
        if (!isUdp && !isIcmp || NetHeader.GSO_NONE != buffer.getByte(header + NetHeader.GSO_TYPE_OFFSET))
        {
            counters.increment(StackCounter.IGNORED);
            return;
        }
        if (length < Wire.UDP_LENGTH || isUdp && unsignedShort(buffer, transport + Wire.UDP_SIZE) != length)
        {
            counters.increment(StackCounter.MALFORMED);
            return;
        }
        final int checksum = isUdp ? Wire.UDP_CHECKSUM : Wire.ICMP_CHECKSUM;
        final int verdict = TransportChecksum.judge(
            buffer, header, frame, frame + IP, isIpv6, protocol, transport, length, checksum);
        if (TransportChecksum.BAD == verdict)
        {
            counters.increment(StackCounter.BAD_CHECKSUM);
            return;
        }
        if (TransportChecksum.UNFINISHED == verdict)
        {
            counters.increment(StackCounter.UNFINISHED);
        }
        if (isUdp)
        {
            onUdp(buffer, frame, isIpv6, transport, length);
        }
        else
        {
            onIcmp(buffer, frame, isIpv6, transport, length);
        }
    }

    private void onUdp(
        final DirectBuffer buffer, final int frame, final boolean isIpv6, final int transport, final int length)
    {
        if (unsignedShort(buffer, transport + Wire.UDP_DESTINATION) != echoPort)
        {
            counters.increment(StackCounter.IGNORED);
            return;
        }
        final int at = answer(buffer, frame, isIpv6, transport, length);
        if (FrameWriter.FULL != at)
        {
            final UnsafeBuffer to = out.buffer();
            to.putShort(at, buffer.getShort(transport + Wire.UDP_DESTINATION));
            to.putShort(at + Wire.UDP_DESTINATION, buffer.getShort(transport));
            finish(at, isIpv6, Wire.PROTOCOL_UDP, length, Wire.UDP_CHECKSUM);
            counters.increment(StackCounter.UDP_ECHOES);
        }
    }

    private void onIcmp(
        final DirectBuffer buffer, final int frame, final boolean isIpv6, final int transport, final int length)
    {
        final int type = buffer.getByte(transport) & 0xFF;
        if (isIpv6 && (Wire.ICMPV6_NEIGHBOUR_SOLICITATION == type || Wire.ICMPV6_NEIGHBOUR_ADVERTISEMENT == type))
        {
            neighbours.onNeighbour(buffer, frame, transport, length);
            return;
        }
        final boolean isGroup = isIpv6 && -1 == buffer.getByte(frame + IP + Wire.IPV6_DESTINATION);
        if (isGroup || type != (isIpv6 ? Wire.ICMPV6_ECHO_REQUEST : Wire.ICMP_ECHO_REQUEST))
        {
            counters.increment(StackCounter.IGNORED);
            return;
        }
        final int at = answer(buffer, frame, isIpv6, transport, length);
        if (FrameWriter.FULL != at)
        {
            out.buffer().putByte(at, (byte)(isIpv6 ? Wire.ICMPV6_ECHO_REPLY : Wire.ICMP_ECHO_REPLY));
            finish(
                at, isIpv6, isIpv6 ? Wire.PROTOCOL_ICMPV6 : Wire.PROTOCOL_ICMP, length, Wire.ICMP_CHECKSUM);
            counters.increment(StackCounter.ECHO_REPLIES);
        }
    }

    /**
     * Claims an answer that is the packet with its addresses swapped; IPv4 options are left out.
     *
     * @return where its transport header begins, or {@link FrameWriter#FULL}.
     */
    private int answer(
        final DirectBuffer buffer, final int frame, final boolean isIpv6, final int transport, final int length)
    {
        final int ipLength = isIpv6 ? Wire.IPV6_LENGTH : Wire.IPV4_LENGTH;
        final int total = IP + ipLength + length;
        final int at = total > out.maxFrame() ? FrameWriter.FULL : out.claim(total);
        if (FrameWriter.FULL == at)
        {
            counters.increment(StackCounter.NO_ROOM);
            return FrameWriter.FULL;
        }
        final UnsafeBuffer to = out.buffer();
        to.putBytes(at, buffer, frame + Wire.ETHER_SOURCE, Wire.MAC_LENGTH);
        addresses.mac().write(to, at + Wire.ETHER_SOURCE);
        to.putShort(at + Wire.ETHER_TYPE, buffer.getShort(frame + Wire.ETHER_TYPE));
        final int from = frame + IP;
        final int ip = at + IP;
        if (isIpv6)
        {
            to.putBytes(ip, buffer, from, Wire.IPV6_HOPS);
            to.putByte(ip + Wire.IPV6_HOPS, TTL);
            to.putBytes(ip + Wire.IPV6_SOURCE, buffer, from + Wire.IPV6_DESTINATION, 16);
            to.putBytes(ip + Wire.IPV6_DESTINATION, buffer, from + Wire.IPV6_SOURCE, 16);
        }
        else
        {
            to.putShort(ip, (short)(0x4500 | buffer.getByte(from + 1) & 0xFF), ByteOrder.BIG_ENDIAN);
            to.putShort(ip + Wire.IPV4_TOTAL, (short)(Wire.IPV4_LENGTH + length), ByteOrder.BIG_ENDIAN);
            to.putShort(ip + 4, buffer.getShort(from + 4));
            to.putShort(ip + Wire.IPV4_FRAGMENT, (short)0);
            to.putByte(ip + Wire.IPV4_TTL, TTL);
            to.putByte(ip + Wire.IPV4_PROTOCOL, buffer.getByte(from + Wire.IPV4_PROTOCOL));
            to.putShort(ip + Wire.IPV4_CHECKSUM, (short)0);
            to.putBytes(ip + Wire.IPV4_SOURCE, buffer, from + Wire.IPV4_DESTINATION, 4);
            to.putBytes(ip + Wire.IPV4_DESTINATION, buffer, from + Wire.IPV4_SOURCE, 4);
            to.putShort(
                ip + Wire.IPV4_CHECKSUM,
                InternetSum.checksum(InternetSum.add(0, to, ip, Wire.IPV4_LENGTH)),
                ByteOrder.LITTLE_ENDIAN);
        }
        to.putBytes(ip + ipLength, buffer, transport, length);
        return ip + ipLength;
    }

    private void finish(
        final int transport, final boolean isIpv6, final int protocol, final int length, final int checksum)
    {
        final UnsafeBuffer to = out.buffer();
        final int ip = transport - (isIpv6 ? Wire.IPV6_LENGTH : Wire.IPV4_LENGTH);
        to.putShort(transport + checksum, (short)0);
        final long pseudo = Wire.PROTOCOL_ICMP == protocol ?
            0 : InternetSum.addPseudoHeader(0, to, ip, isIpv6, protocol, length);
        final long sum = InternetSum.add(pseudo, to, transport, length);
        to.putShort(
            transport + checksum,
            Wire.PROTOCOL_UDP == protocol ? InternetSum.checksumOfUdp(sum) : InternetSum.checksum(sum),
            ByteOrder.LITTLE_ENDIAN);
        out.commit();
    }

    private static int unsignedShort(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }
}
