package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The first frame of a run as a template: which frame may follow it in one super-frame, by the rules of the kernel's
 * GRO (inet_gro_receive, ipv6_gro_receive, tcp_gro_receive, udp_gro_receive_segment).
 * <p>
 * Everything that a segmenter copies must be equal, everything that it counts must count; lengths and checksums must
 * be what it would write. Then taking the super-frame apart gives the run back bit for bit. The header of a follower is
 * never parsed: it is compared with the template, a few words under a mask. All words are as read little-endian, and
 * so are the checksums.
 */
final class RunTemplate
{
    /** The frame cannot join; a run ends before it. */
    static final int NO = 0;
    /** The frame joined. */
    static final int YES = 1;
    /** The frame joined and nothing can follow it. */
    static final int LAST = 2;

    /** As many as one batch holds; the kernel takes 128 datagrams and any number of TCP segments. */
    static final int MAX_PACKETS = 64;
    private static final int MAX_IP_LENGTH = 65535;

    private static final int ID_UNKNOWN = -1;

    private static final int NET_NEEDS_CSUM = VnetHeader.NEEDS_CSUM;
    private static final int NET_DATA_VALID = VnetHeader.DATA_VALID;
    private static final long NET_GSO_TYPE = 0xFF00;
    /** Version, header length, type of service; DF. Not the length and the identification. */
    private static final long V4_FIRST = 0xFFFF00000000FFFFL;
    /** TTL, protocol, source. Not the checksum. */
    private static final long V4_SECOND = 0xFFFFFFFF0000FFFFL;
    /** Version, traffic class, flow label, next header, hop limit. Not the length. */
    private static final long V6_FIRST = 0xFFFF0000FFFFFFFFL;

    private final boolean isLenient;

    private UnsafeBuffer arena;
    private final HeadParser head = new HeadParser();
    private final RunPrediction prediction = new RunPrediction();
    private int packets;
    private int maxPackets;
    private int idStep;
    /** The pseudo header's sum for a frame of the head's length. */
    private int ordinaryPseudo;
    private int lastPayload;
    private int lastFlags;

    RunTemplate(final CoalesceRule rule)
    {
        isLenient = CoalesceRule.EQUIVALENT == rule;
    }

    HeadParser head()
    {
        return head;
    }

    int packets()
    {
        return packets;
    }

    /** Payload bytes of all frames of the run. */
    int payloadTotal()
    {
        return (packets - 1) * head.payload + lastPayload;
    }

    /** FIN and PSH of the last frame, at their place in the TCP word. */
    int lastFlags()
    {
        return lastFlags;
    }

    boolean hasFixedId()
    {
        return !head.isV6 && idStep == 0;
    }

    /** Takes a frame for the head of a run. @return false when it cannot be one. */
    boolean open(final FrameBatch batch, final int i, final int offloads)
    {
        arena = batch.arena();
        if (batch.segments(i) != 0 || !head.parse(arena, batch.offset(i), batch.linearLength(i), offloads))
        {
            return false;
        }
        if (!isChecksumSound(head.frame, head.length, arena.getLong(batch.netHeader(i), LITTLE_ENDIAN)))
        {
            return false;
        }
        final int room = Math.min(MAX_IP_LENGTH - head.ipLength, FrameLayout.MAX_FRAME - head.headers);
        packets = 1;
        maxPackets = room >= MAX_PACKETS * head.payload ? MAX_PACKETS : room / head.payload;
        ordinaryPseudo = head.pseudo(head.length - head.transport);
        idStep = ID_UNKNOWN;
        lastPayload = head.payload;
        lastFlags = 0;
        return true;
    }

    /** Tries a frame as the next one of the run. */
    int accept(final FrameBatch batch, final int i)
    {
        final int frame = batch.offset(i);
        final int length = batch.linearLength(i);
        if (packets == maxPackets || batch.segments(i) != 0)
        {
            return NO;
        }
        final long net = arena.getLong(frame - FrameLayout.NET_HEADER, LITTLE_ENDIAN);
        if (length == head.length && packets > 1 && prediction.matches(frame))
        {
            if ((net & NET_NEEDS_CSUM) == 0 && !isCompleteChecksumSound(frame, length, net, ordinaryPseudo))
            {
                return NO;
            }
            packets++;
            prediction.advance();
            return YES;
        }
        final int payload = length - head.headers;
        final int result = payload > 0 && payload <= head.payload ? judge(frame, length, payload, net) : NO;
        if (NO != result)
        {
            join(frame, payload, result);
        }
        return result;
    }

    private void join(final int frame, final int payload, final int result)
    {
        packets++;
        lastPayload = payload;
        if (LAST == result && head.isTcp)
        {
            lastFlags = arena.getInt(frame + head.transport + 12, LITTLE_ENDIAN) & HeadParser.ENDING_FLAGS;
        }
        prediction.begin(arena, head, packets, idStep);
    }

    /** By the rules, one after the other. */
    private int judge(final int frame, final int length, final int payload, final long net)
    {
        if ((net & NET_GSO_TYPE) != 0 || !isSameLink(frame) ||
            !(head.isV6 ? isSameV6(frame, length) : isSameV4(frame, length)))
        {
            return NO;
        }
        final boolean ends = payload < head.payload;
        final int result = head.isTcp ? acceptTcp(frame, ends) : acceptUdp(frame, length, ends);
        return NO != result && isChecksumSound(frame, length, net) ? result : NO;
    }

    /** The Ethernet header and its tags are equal. */
    private boolean isSameLink(final int frame)
    {
        return arena.getLong(frame, LITTLE_ENDIAN) == head.link0 &&
            arena.getLong(frame + head.network - Long.BYTES, LITTLE_ENDIAN) == head.link1 &&
            (head.network == EtherHeader.LENGTH || arena.getLong(frame + Long.BYTES, LITTLE_ENDIAN) == head.link2);
    }

    private boolean isSameV4(final int frame, final int length)
    {
        final int ip = frame + head.network;
        final long first = arena.getLong(ip, LITTLE_ENDIAN);
        final long second = arena.getLong(ip + 8, LITTLE_ENDIAN);
        if (((first ^ head.ip0) & V4_FIRST) != 0 || ((second ^ head.ip1) & V4_SECOND) != 0 ||
            arena.getLong(ip + 16, LITTLE_ENDIAN) != head.ip2)
        {
            return false;
        }
        final int total = (int)(first >>> 16) & 0xFFFF;
        final int id = (int)(first >>> 32) & 0xFFFF;
        return total == Checksum.swap(length - head.network) && isNextId(Checksum.swap(id)) &&
            head.isSoundV4(total, id, (int)(second >>> 16) & 0xFFFF);
    }

    private boolean isNextId(final int id)
    {
        if (ID_UNKNOWN != idStep)
        {
            return id == (head.id + packets * idStep & 0xFFFF);
        }
        if (id == head.id && (head.isAtomic || isLenient))
        {
            idStep = 0;
        }
        else if (id == (head.id + 1 & 0xFFFF))
        {
            idStep = 1;
        }
        else
        {
            return false;
        }
        return true;
    }

    private boolean isSameV6(final int frame, final int length)
    {
        final int ip = frame + head.network;
        final long first = arena.getLong(ip, LITTLE_ENDIAN);
        return ((first ^ head.ip0) & V6_FIRST) == 0 &&
            ((int)(first >>> 32) & 0xFFFF) == Checksum.swap(length - head.transport) &&
            arena.getLong(ip + 8, LITTLE_ENDIAN) == head.ip1 &&
            arena.getLong(ip + 16, LITTLE_ENDIAN) == head.ip2 &&
            arena.getLong(ip + 24, LITTLE_ENDIAN) == head.ip3 &&
            arena.getLong(ip + 32, LITTLE_ENDIAN) == head.ip4 &&
            arena.getInt(ip + 40, LITTLE_ENDIAN) == head.ports;
    }

    private int acceptUdp(final int frame, final int length, final boolean ends)
    {
        final int udpLength = arena.getShort(frame + head.transport + 4, LITTLE_ENDIAN) & 0xFFFF;
        return udpLength == Checksum.swap(length - head.transport) ? ends ? LAST : YES : NO;
    }

    private int acceptTcp(final int frame, final boolean ends)
    {
        final int tcp = frame + head.transport;
        final int flags = arena.getInt(tcp + 12, LITTLE_ENDIAN);
        if (Integer.reverseBytes(arena.getInt(tcp + 4, LITTLE_ENDIAN)) != head.sequence + packets * head.payload ||
            arena.getInt(tcp + 8, LITTLE_ENDIAN) != head.acknowledged ||
            ((flags ^ head.flags) & ~HeadParser.VARYING_FLAGS) != 0 || (flags & HeadParser.CWR) != 0 ||
            arena.getShort(tcp + 18, LITTLE_ENDIAN) != head.urgent)
        {
            return NO;
        }
        for (int at = head.transport + 20; at < head.headers; at += 4)
        {
            if (arena.getInt(frame + at, LITTLE_ENDIAN) != arena.getInt(head.frame + at, LITTLE_ENDIAN))
            {
                return NO;
            }
        }
        return ends || (flags & HeadParser.ENDING_FLAGS) != 0 ? LAST : YES;
    }

    /**
     * Whether the transport checksum is what a segmenter would write: the pseudo header's sum where it is only begun,
     * else a sound one in its one canonical form.
     */
    private boolean isChecksumSound(final int frame, final int length, final long net)
    {
        if ((net & NET_NEEDS_CSUM) == 0)
        {
            return isCompleteChecksumSound(frame, length, net, head.pseudo(length - head.transport));
        }
        return (net >>> 48) == head.transport &&
            (arena.getShort(frame + head.checksumField, LITTLE_ENDIAN) & 0xFFFF) ==
            head.pseudo(length - head.transport) &&
            arena.getShort(frame - FrameLayout.NET_HEADER + VnetHeader.CSUM_OFFSET_OFFSET, LITTLE_ENDIAN) ==
            head.checksumField - head.transport;
    }

    private boolean isCompleteChecksumSound(final int frame, final int length, final long net, final int pseudo)
    {
        // "None" to UDP, and the one of the two zeros that TCP's arithmetic never gives.
        final int checksum = arena.getShort(frame + head.checksumField, LITTLE_ENDIAN) & 0xFFFF;
        if (checksum == (head.isTcp ? 0xFFFF : 0))
        {
            return isLenient && !head.isTcp && !head.isV6;
        }
        return (net & NET_DATA_VALID) != 0 ||
            Checksum.isSound(arena, frame + head.transport, length - head.transport, pseudo);
    }
}
