package io.ringtap.capture;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A frame as it stands in the file, and in the ring before: an enhanced packet block (draft-ietf-opsawg-pcapng 4.3)
 * with three options, in host byte order.
 * <pre>
 *   0      4        8           12           16        20         24       28
 *   | type | length | interface | time, high | time, low | captured | length | captured bytes, padded to 4 |
 *
 *   behind them, where t stands for the offset of the tail:
 *   t       t+4         t+8     t+12    t+16      t+20   t+21      t+29      t+32             t+36
 *   | flags | direction | queue | queue | verdict | kind | verdict | padding | end of options | length |
 * </pre>
 * The time counts nanoseconds from 1970. Directions, queues and verdicts are options of the format itself, so Wireshark
 * and tshark show them ({@code frame.packet_flags_direction}, {@code frame.interface_queue}, {@code frame.verdict}).
 */
final class PacketBlockLayout
{
    /** Length of the block. */
    static final int LENGTH = 4;
    static final int CAPTURED = 20;
    /** Length of the frame as it was. */
    static final int FRAME_LENGTH = 24;
    static final int FRAME = 28;
    /** What stands behind the frame. */
    static final int TAIL = 40;

    private static final int TYPE_AND_LENGTH = 0;
    private static final int INTERFACE_AND_TIME = 8;
    private static final int TIME_AND_CAPTURED = 16;
    private static final int QUEUE_OPTION = 8;
    private static final int VERDICT_OPTION = 16;
    private static final int VERDICT = 21;
    private static final int REST_OF_VERDICT = 24;
    private static final int END_AND_LENGTH = 32;

    private static final int HALF = 32;
    private static final long LOW = 0xffff_ffffL;
    private static final int ENHANCED_PACKET = 6;
    /** Option code in the low 16 bits, length of its value in the high ones. */
    private static final int FLAGS_CODE = 2 | 4 << 16;
    private static final int QUEUE_CODE = 6 | 4 << 16;
    private static final int VERDICT_CODE = 7 | 9 << 16;
    /** A frame from the guest comes in, one to it goes out, as tcpdump on the port's interface says. */
    private static final long INBOUND = 1;
    private static final long OUTBOUND = 2;
    /** Verdicts are those of XDP programs; the action follows in 8 bytes. */
    private static final long VERDICT_XDP = 2;
    private static final int VERDICT_SHIFT = 8;

    private PacketBlockLayout()
    {
    }

    static int blockLength(final int captured)
    {
        return FRAME + padded(captured) + TAIL;
    }

    /**
     * Writes all of a block but the frame, which is to be written after it: the padding is cleared here.
     *
     * @param at        where the block begins.
     * @param captured  bytes of the frame that are kept.
     * @param length    of the frame.
     * @param direction 0 from the guest, 1 to it.
     */
    static void write(
        final MutableDirectBuffer to,
        final int at,
        final int captured,
        final int length,
        final long timeNs,
        final int direction,
        final int queue,
        final int verdict)
    {
        final int tail = at + FRAME + padded(captured);
        final long block = (long)blockLength(captured) << HALF;
        // Overwritten by the fields in front of it when nothing is kept.
        to.putInt(tail - Integer.BYTES, 0);
        to.putLong(at + TYPE_AND_LENGTH, block | ENHANCED_PACKET);
        to.putLong(at + INTERFACE_AND_TIME, timeNs >>> HALF << HALF);
        to.putLong(at + TIME_AND_CAPTURED, timeNs & LOW | (long)captured << HALF);
        to.putInt(at + FRAME_LENGTH, length);
        to.putLong(tail, FLAGS_CODE | (0 == direction ? INBOUND : OUTBOUND) << HALF);
        to.putLong(tail + QUEUE_OPTION, QUEUE_CODE | (long)queue << HALF);
        to.putLong(tail + VERDICT_OPTION, VERDICT_CODE | (VERDICT_XDP | (long)verdict << VERDICT_SHIFT) << HALF);
        to.putLong(tail + REST_OF_VERDICT, 0);
        to.putLong(tail + END_AND_LENGTH, block);
    }

    /** Another verdict, for a block that was written with one. */
    static void verdict(final MutableDirectBuffer to, final int at, final int verdict)
    {
        to.putByte(tail(to, at) + VERDICT, (byte)verdict);
    }

    /** 0 from the guest, 1 to it. */
    static int direction(final DirectBuffer from, final int at)
    {
        return INBOUND == from.getInt(tail(from, at) + Integer.BYTES) ? 0 : 1;
    }

    static int queue(final DirectBuffer from, final int at)
    {
        return from.getInt(tail(from, at) + QUEUE_OPTION + Integer.BYTES);
    }

    /**
     * Copies a block with fewer bytes of its frame to the front of a buffer.
     *
     * @return its length there.
     */
    static int cut(final DirectBuffer from, final int at, final MutableDirectBuffer to, final int captured)
    {
        final int length = blockLength(captured);
        final int tail = length - TAIL;
        to.putInt(tail - Integer.BYTES, 0);
        to.putBytes(0, from, at, FRAME + captured);
        to.putInt(LENGTH, length);
        to.putInt(CAPTURED, captured);
        to.putBytes(tail, from, tail(from, at), TAIL);
        to.putInt(length - Integer.BYTES, length);
        return length;
    }

    private static int tail(final DirectBuffer from, final int at)
    {
        return at + FRAME + padded(from.getInt(at + CAPTURED));
    }

    private static int padded(final int captured)
    {
        return captured + 3 & ~3;
    }
}
