package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.Arrays;

/** ARP and IPv6 neighbour discovery: answers questions about us and asks for one neighbour at a time. */
public final class NeighbourTalk
{
    private static final int IP = Wire.ETHER_LENGTH;
    private static final int ND_LENGTH = 24;
    private static final int ND_TARGET = 8;
    private static final int OPTION_LENGTH = 8;
    private static final byte OPTION_SOURCE_MAC = 1;
    private static final byte OPTION_TARGET_MAC = 2;
    /** Only a neighbour on the link can send this hop limit (RFC 4861, 7.1). */
    private static final byte ON_LINK = (byte)255;
    private static final int SOLICITED_OVERRIDE = 0x6000_0000;
    private static final byte[] SOLICITED_NODE =
        {(byte)0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, (byte)0xFF, 0, 0, 0};

    private final GuestAddresses addresses;
    private final FrameWriter out;
    private final CounterSet<StackCounter> counters;
    private final byte[] askerIp = new byte[4];
    private byte[] asked = {};
    /** Read by whoever asked, on another thread. */
    private volatile MacAddress answer;

    NeighbourTalk(
        final GuestAddresses addresses, final FrameWriter out, final CounterSet<StackCounter> counters)
    {
        this.addresses = addresses;
        this.out = out;
        this.counters = counters;
    }

    /**
     * Asks who has an address; the answer comes with a later frame.
     *
     * @return false when the ring has no room at present.
     */
    public boolean ask(final InetAddress address)
    {
        final byte[] bytes = address.getAddress();
        if (!Arrays.equals(bytes, asked))
        {
            asked = bytes;
            answer = null;
        }
        return 4 == bytes.length ? sendArp(Wire.ARP_REQUEST, 0, bytes) : solicit();
    }

    /** Forgets what the last answer was, so that a new one shows. */
    void forget()
    {
        answer = null;
    }

    /** MAC of the neighbour asked for last; null while unknown. */
    public MacAddress answer()
    {
        return answer;
    }

    void onArp(final DirectBuffer buffer, final int frame, final int length)
    {
        final int arp = frame + Wire.ETHER_LENGTH;
        if (length < Wire.ETHER_LENGTH + Wire.ARP_LENGTH ||
            0x0001_0800 != buffer.getInt(arp, ByteOrder.BIG_ENDIAN) ||
            0x0604 != buffer.getShort(arp + 4, ByteOrder.BIG_ENDIAN))
        {
            counters.increment(StackCounter.MALFORMED);
            return;
        }
        final int operation = buffer.getShort(arp + Wire.ARP_OPERATION, ByteOrder.BIG_ENDIAN);
        if (Wire.ARP_REQUEST == operation && addresses.isOurIpv4(buffer, arp + Wire.ARP_TARGET_IP))
        {
            buffer.getBytes(arp + Wire.ARP_SENDER_IP, askerIp);
            if (sendArp(Wire.ARP_REPLY, MacAddress.read(buffer, arp + Wire.ARP_SENDER_MAC), askerIp))
            {
                counters.increment(StackCounter.ARP_REPLIES);
            }
        }
        else if (Wire.ARP_REPLY == operation && 4 == asked.length &&
            GuestAddresses.isSame(buffer, arp + Wire.ARP_SENDER_IP, asked))
        {
            learn(MacAddress.read(buffer, arp + Wire.ARP_SENDER_MAC));
        }
        else
        {
            counters.increment(StackCounter.IGNORED);
        }
    }

    /** The checksum was found good and the ICMPv6 header is there. */
    void onNeighbour(final DirectBuffer buffer, final int frame, final int icmp, final int length)
    {
        if (length < ND_LENGTH || ON_LINK != buffer.getByte(frame + IP + Wire.IPV6_HOPS))
        {
            counters.increment(StackCounter.MALFORMED);
            return;
        }
        final boolean isQuestion = Wire.ICMPV6_NEIGHBOUR_SOLICITATION == (buffer.getByte(icmp) & 0xFF);
        final boolean hasAsker = 0 != buffer.getLong(frame + IP + Wire.IPV6_SOURCE);
        if (isQuestion && hasAsker && addresses.isOurIpv6(buffer, icmp + ND_TARGET))
        {
            advertise(buffer, frame, icmp);
        }
        else if (!isQuestion && 16 == asked.length && length >= ND_LENGTH + OPTION_LENGTH &&
            GuestAddresses.isSame(buffer, icmp + ND_TARGET, asked) &&
            OPTION_TARGET_MAC == buffer.getByte(icmp + ND_LENGTH))
        {
            learn(MacAddress.read(buffer, icmp + ND_LENGTH + 2));
        }
        else
        {
            counters.increment(StackCounter.IGNORED);
        }
    }

    private void learn(final long mac)
    {
        answer = new MacAddress(mac);
        counters.increment(StackCounter.LEARNED);
    }

    private boolean sendArp(final int operation, final long targetMac, final byte[] targetIp)
    {
        final int at = claim(Wire.ETHER_LENGTH + Wire.ARP_LENGTH);
        if (FrameWriter.FULL == at)
        {
            return false;
        }
        final UnsafeBuffer to = out.buffer();
        final boolean isQuestion = Wire.ARP_REQUEST == operation;
        ether(at, isQuestion ? MacAddress.BROADCAST.value() : targetMac, Wire.TYPE_ARP);
        final int arp = at + Wire.ETHER_LENGTH;
        to.putInt(arp, 0x0001_0800, ByteOrder.BIG_ENDIAN);
        to.putShort(arp + 4, (short)0x0604, ByteOrder.BIG_ENDIAN);
        to.putShort(arp + Wire.ARP_OPERATION, (short)operation, ByteOrder.BIG_ENDIAN);
        addresses.mac().write(to, arp + Wire.ARP_SENDER_MAC);
        addresses.writeIpv4(to, arp + Wire.ARP_SENDER_IP);
        MacAddress.write(to, arp + Wire.ARP_TARGET_MAC, targetMac);
        to.putBytes(arp + Wire.ARP_TARGET_IP, targetIp);
        out.commit();
        return true;
    }

    private boolean solicit()
    {
        final int at = claim(IP + Wire.IPV6_LENGTH + ND_LENGTH + OPTION_LENGTH);
        if (FrameWriter.FULL == at)
        {
            return false;
        }
        final UnsafeBuffer to = out.buffer();
        final int ip = at + IP;
        final long group = 0x3333_FF00_0000L | (asked[13] & 0xFFL) << 16 | (asked[14] & 0xFF) << 8 | asked[15] & 0xFF;
        ether(at, group, Wire.TYPE_IPV6);
        addresses.writeIpv6(to, ip + Wire.IPV6_SOURCE, asked);
        to.putBytes(ip + Wire.IPV6_DESTINATION, SOLICITED_NODE);
        to.putBytes(ip + Wire.IPV6_DESTINATION + 13, asked, 13, 3);
        final int icmp = ip + Wire.IPV6_LENGTH;
        to.putBytes(icmp + ND_TARGET, asked);
        neighbourMessage(ip, Wire.ICMPV6_NEIGHBOUR_SOLICITATION, 0, OPTION_SOURCE_MAC);
        return true;
    }

    private void advertise(final DirectBuffer question, final int frame, final int icmpOfQuestion)
    {
        final int at = claim(IP + Wire.IPV6_LENGTH + ND_LENGTH + OPTION_LENGTH);
        if (FrameWriter.FULL == at)
        {
            return;
        }
        final UnsafeBuffer to = out.buffer();
        final int ip = at + IP;
        ether(at, MacAddress.read(question, frame + Wire.ETHER_SOURCE), Wire.TYPE_IPV6);
        to.putBytes(ip + Wire.IPV6_SOURCE, question, icmpOfQuestion + ND_TARGET, 16);
        to.putBytes(ip + Wire.IPV6_DESTINATION, question, frame + IP + Wire.IPV6_SOURCE, 16);
        to.putBytes(ip + Wire.IPV6_LENGTH + ND_TARGET, question, icmpOfQuestion + ND_TARGET, 16);
        neighbourMessage(ip, Wire.ICMPV6_NEIGHBOUR_ADVERTISEMENT, SOLICITED_OVERRIDE, OPTION_TARGET_MAC);
        counters.increment(StackCounter.NEIGHBOUR_REPLIES);
    }

    /** Addresses and target are written; the rest of the message goes around them. */
    private void neighbourMessage(final int ip, final int type, final int flags, final byte option)
    {
        final UnsafeBuffer to = out.buffer();
        final int length = ND_LENGTH + OPTION_LENGTH;
        final int icmp = ip + Wire.IPV6_LENGTH;
        to.putInt(ip, 0x6000_0000, ByteOrder.BIG_ENDIAN);
        to.putShort(ip + Wire.IPV6_PAYLOAD, (short)length, ByteOrder.BIG_ENDIAN);
        to.putByte(ip + Wire.IPV6_NEXT, (byte)Wire.PROTOCOL_ICMPV6);
        to.putByte(ip + Wire.IPV6_HOPS, ON_LINK);
        to.putInt(icmp, type << 24, ByteOrder.BIG_ENDIAN);
        to.putInt(icmp + 4, flags, ByteOrder.BIG_ENDIAN);
        to.putByte(icmp + ND_LENGTH, option);
        to.putByte(icmp + ND_LENGTH + 1, (byte)1);
        addresses.mac().write(to, icmp + ND_LENGTH + 2);
        final long pseudo = InternetSum.addPseudoHeader(0, to, ip, true, Wire.PROTOCOL_ICMPV6, length);
        to.putShort(
            icmp + Wire.ICMP_CHECKSUM,
            InternetSum.checksum(InternetSum.add(pseudo, to, icmp, length)),
            ByteOrder.LITTLE_ENDIAN);
        out.commit();
    }

    private void ether(final int at, final long destination, final int type)
    {
        final UnsafeBuffer to = out.buffer();
        MacAddress.write(to, at, destination);
        addresses.mac().write(to, at + Wire.ETHER_SOURCE);
        to.putShort(at + Wire.ETHER_TYPE, (short)type, ByteOrder.BIG_ENDIAN);
    }

    private int claim(final int length)
    {
        final int at = out.claim(length);
        if (FrameWriter.FULL == at)
        {
            counters.increment(StackCounter.NO_ROOM);
        }
        return at;
    }
}
