package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The headers that the next frame of a run will have if it is an ordinary one: as long as the head, nothing but
 * identification, sequence number and checksum moved on. Such a frame is known by comparing whole words, with one
 * branch for all of them; any other is left to {@link RunTemplate}'s rules. An IPv4 checksum has one canonical value,
 * so even that is predicted instead of verified.
 */
final class RunPrediction
{
    private static final long V4_ID = 0x0000FFFF00000000L;
    private static final long V4_CHECKSUM = 0x00000000FFFF0000L;
    /** The UDP word is ports, length, checksum; the TCP one is header length, flags, window, checksum, urgent. */
    private static final long UDP_CHECKSUM = 0xFFFF000000000000L;
    private static final long TCP_CHECKSUM = 0x0000FFFF00000000L;

    private HeadParser head;
    private UnsafeBuffer arena;
    private boolean isTagged;
    private boolean isV6;
    private boolean isTcp;
    private long net;
    private int netRest;
    private long ip0;
    private long ip1;
    private long last;
    private long lastMask;
    /** Sequence number and acknowledgement. */
    private long numbers;
    private int optionsEnd;
    private int id;
    private int idStep;
    private int sequence;

    /**
     * Predicts the next frame of a run.
     *
     * @param packets frames that it has.
     * @param step    by how much the identification grows.
     */
    void begin(final UnsafeBuffer buffer, final HeadParser parsed, final int packets, final int step)
    {
        arena = buffer;
        head = parsed;
        isTagged = head.network != EtherHeader.LENGTH;
        isV6 = head.isV6;
        isTcp = head.isTcp;
        net = arena.getLong(head.frame - FrameLayout.NET_HEADER, LITTLE_ENDIAN);
        netRest = arena.getInt(head.frame - Integer.BYTES, LITTLE_ENDIAN);
        ip0 = head.ip0;
        ip1 = head.ip1;
        final boolean isPartial = (net & VnetHeader.NEEDS_CSUM) != 0;
        if (isTcp)
        {
            last = arena.getLong(head.frame + head.transport + 12, LITTLE_ENDIAN);
            // CWR is the head's own.
            last &= ~(long)HeadParser.CWR;
            lastMask = isPartial ? -1L : ~TCP_CHECKSUM;
            optionsEnd = head.headers;
        }
        else
        {
            last = arena.getLong(head.frame + head.transport, LITTLE_ENDIAN);
            lastMask = isPartial ? -1L : ~UDP_CHECKSUM;
        }
        idStep = step;
        id = head.id + (packets - 1) * step;
        sequence = head.sequence + (packets - 1) * head.payload;
        advance();
    }

    /** Moves on by one frame. */
    void advance()
    {
        if (!isV6)
        {
            id += idStep;
            final int rawId = Checksum.swap(id);
            ip0 = ip0 & ~V4_ID | (long)rawId << 32;
            ip1 = ip1 & ~V4_CHECKSUM | (long)(head.checksumV4((int)(ip0 >>> 16) & 0xFFFF, rawId) & 0xFFFF) << 16;
        }
        if (isTcp)
        {
            sequence += head.payload;
            numbers = (long)head.acknowledged << 32 | Integer.reverseBytes(sequence) & 0xFFFFFFFFL;
        }
    }

    /** Whether a frame of the head's length has these headers; its transport checksum, when complete, is not judged. */
    boolean matches(final int frame)
    {
        final int ip = frame + head.network;
        long wrong = arena.getLong(frame - FrameLayout.NET_HEADER, LITTLE_ENDIAN) ^ net;
        wrong |= (arena.getInt(frame - Integer.BYTES, LITTLE_ENDIAN) ^ netRest) & 0xFFFFFFFFL;
        wrong |= arena.getLong(frame, LITTLE_ENDIAN) ^ head.link0;
        wrong |= arena.getLong(ip - Long.BYTES, LITTLE_ENDIAN) ^ head.link1;
        wrong |= arena.getLong(ip, LITTLE_ENDIAN) ^ ip0;
        wrong |= arena.getLong(ip + 8, LITTLE_ENDIAN) ^ ip1;
        wrong |= arena.getLong(ip + 16, LITTLE_ENDIAN) ^ head.ip2;
        if (isTagged)
        {
            wrong |= arena.getLong(frame + Long.BYTES, LITTLE_ENDIAN) ^ head.link2;
        }
        if (isV6)
        {
            wrong |= arena.getLong(ip + 24, LITTLE_ENDIAN) ^ head.ip3;
            wrong |= arena.getLong(ip + 32, LITTLE_ENDIAN) ^ head.ip4;
            wrong |= (arena.getInt(ip + 40, LITTLE_ENDIAN) ^ head.ports) & 0xFFFFFFFFL;
        }
        return isTcp ? matchesTcp(frame, wrong) : (wrong | differs(frame + head.transport)) == 0;
    }

    private long differs(final int at)
    {
        return (arena.getLong(at, LITTLE_ENDIAN) ^ last) & lastMask;
    }

    private boolean matchesTcp(final int frame, final long wrongBefore)
    {
        final int tcp = frame + head.transport;
        long wrong = wrongBefore | differs(tcp + 12) | arena.getLong(tcp + 4, LITTLE_ENDIAN) ^ numbers;
        for (int at = head.transport + 20; at < optionsEnd; at += Integer.BYTES)
        {
            wrong |= arena.getInt(frame + at, LITTLE_ENDIAN) ^ arena.getInt(head.frame + at, LITTLE_ENDIAN);
        }
        return wrong == 0;
    }
}
