package io.ringtap.xdp;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A reusable cursor over one frame in its slot: what a hook may look at and change. The data plane points it at one
 * frame after another of its batch, so no object is made per frame.
 * <p>
 * The frame may be longer than what lies here ({@link #totalLength()}): the rest of a super-frame stays outside.
 */
public final class FrameView
{
    /** The frame comes from the guest. */
    public static final int FROM_GUEST = 0;
    /** The frame goes to the guest. */
    public static final int TO_GUEST = 1;
    /** No port was named. */
    public static final int NO_TARGET = -1;

    /** Columns of a row that a view can be pointed at, see {@link #row}. */
    public static final int COLUMNS = 5;
    private static final int SLOT_START = 0;
    private static final int SLOT_END = 1;
    private static final int OFFSET = 2;
    private static final int LENGTH = 3;
    private static final int TOTAL_LENGTH = 4;

    private UnsafeBuffer buffer;
    /** Where the frame lies when nobody else keeps that, or when it has been moved. */
    private final int[] own = new int[COLUMNS];
    private int[] rows = own;
    private int row;
    private int reserved;
    private int direction;
    private int queue;
    private int processor;
    private int target = NO_TARGET;

    /** Points the view at the worker's arena once; the queue counts as the processor. */
    public void wrap(final UnsafeBuffer arena, final int frameDirection, final int queueIndex)
    {
        wrap(arena, frameDirection, queueIndex, queueIndex);
    }

    /**
     * Points the view at the worker's arena once.
     *
     * @param processorIndex what programs are told to run on: selects the value of a map that has one for each.
     */
    public void wrap(
        final UnsafeBuffer arena, final int frameDirection, final int queueIndex, final int processorIndex)
    {
        buffer = arena;
        direction = frameDirection;
        queue = queueIndex;
        processor = processorIndex;
    }

    /** Keeps that many bytes at the start of every slot away from hooks. */
    public void reserve(final int bytes)
    {
        reserved = bytes;
    }

    /** Points the view at a frame. */
    public void frame(
        final int firstByte, final int lastByte, final int dataOffset, final int dataLength, final int wholeLength)
    {
        own[SLOT_START] = firstByte;
        own[SLOT_END] = lastByte;
        own[OFFSET] = dataOffset;
        own[LENGTH] = dataLength;
        own[TOTAL_LENGTH] = wholeLength;
        row(own, 0);
    }

    /**
     * Points the view at a frame that is a row of a table: what its five parameters of {@link #frame} would be, in
     * that order. Only read here: who moves the frame's ends moves them for the view alone.
     *
     * @param first index of the first of the five.
     */
    public void row(final int[] table, final int first)
    {
        // A reference that is stored costs a collector's barrier.
        if (rows != table)
        {
            rows = table;
        }
        row = first;
        target = NO_TARGET;
    }

    /** From now on the view has a row of its own, which it may change. */
    private void detach()
    {
        if (rows != own)
        {
            System.arraycopy(rows, row, own, 0, COLUMNS);
            rows = own;
            row = 0;
        }
    }

    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** First byte of the slot that a hook may write: the lower bound of the headroom. */
    public int slotStart()
    {
        return rows[row + SLOT_START] + reserved;
    }

    /** First byte behind the slot. */
    public int slotEnd()
    {
        return rows[row + SLOT_END];
    }

    /** Where the Ethernet header begins. */
    public int offset()
    {
        return rows[row + OFFSET];
    }

    /** Bytes of the frame that lie in the slot. */
    public int length()
    {
        return rows[row + LENGTH];
    }

    /** Bytes of the whole frame. */
    public int totalLength()
    {
        return rows[row + TOTAL_LENGTH];
    }

    /** {@link #FROM_GUEST} or {@link #TO_GUEST}. */
    public int direction()
    {
        return direction;
    }

    /** Queue pair of the frame. */
    public int queue()
    {
        return queue;
    }

    /** What runs, as far as programs are concerned: one for each queue pair and direction. */
    public int processor()
    {
        return processor;
    }

    /**
     * Names where the frame goes should its verdict be {@link XdpVerdict#REDIRECT}; the last call counts.
     *
     * @param port number of a port: the index of its interface on the host, what bpf_redirect takes.
     */
    public void redirect(final int port)
    {
        target = port;
    }

    /** The port named last; negative for none, and then {@link XdpVerdict#REDIRECT} drops the frame. */
    public int target()
    {
        return target;
    }

    /**
     * Moves the frame's start: negative grows it into the headroom, as bpf_xdp_adjust_head does.
     *
     * @return false, and nothing changed, when that leaves the slot or fewer than 14 bytes.
     */
    public boolean adjustHead(final int delta)
    {
        final long start = (long)offset() + delta;
        final long rest = (long)length() - delta;
        if (start < slotStart() || rest < 14)
        {
            return false;
        }
        detach();
        own[OFFSET] = (int)start;
        own[LENGTH] = (int)rest;
        own[TOTAL_LENGTH] -= delta;
        return true;
    }

    /**
     * Moves the frame's end: positive grows it into the tailroom with zeroes, as bpf_xdp_adjust_tail does.
     *
     * @return false, and nothing changed, when that leaves the slot, fewer than 14 bytes, or the frame has more
     * outside the slot.
     */
    public boolean adjustTail(final int delta)
    {
        final int behind = offset() + length();
        final long end = (long)behind + delta;
        if (totalLength() != length() || end > slotEnd() || (long)length() + delta < 14)
        {
            return false;
        }
        if (delta > 0)
        {
            buffer.setMemory(behind, delta, (byte)0);
        }
        detach();
        own[LENGTH] += delta;
        own[TOTAL_LENGTH] = own[LENGTH];
        return true;
    }
}
