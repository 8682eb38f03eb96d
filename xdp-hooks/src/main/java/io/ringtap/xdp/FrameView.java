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

    private UnsafeBuffer buffer;
    private int slotStart;
    private int slotEnd;
    private int offset;
    private int length;
    private int totalLength;
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

    /** Points the view at a frame. */
    public void frame(
        final int firstByte, final int lastByte, final int dataOffset, final int dataLength, final int wholeLength)
    {
        slotStart = firstByte;
        slotEnd = lastByte;
        offset = dataOffset;
        length = dataLength;
        totalLength = wholeLength;
        target = NO_TARGET;
    }

    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** First byte of the slot that a hook may write: the lower bound of the headroom. */
    public int slotStart()
    {
        return slotStart;
    }

    /** First byte behind the slot. */
    public int slotEnd()
    {
        return slotEnd;
    }

    /** Where the Ethernet header begins. */
    public int offset()
    {
        return offset;
    }

    /** Bytes of the frame that lie in the slot. */
    public int length()
    {
        return length;
    }

    /** Bytes of the whole frame. */
    public int totalLength()
    {
        return totalLength;
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
        final long start = (long)offset + delta;
        final long rest = (long)length - delta;
        if (start < slotStart || rest < 14)
        {
            return false;
        }
        offset = (int)start;
        length = (int)rest;
        totalLength -= delta;
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
        final long end = (long)offset + length + delta;
        if (totalLength != length || end > slotEnd || (long)length + delta < 14)
        {
            return false;
        }
        if (delta > 0)
        {
            buffer.setMemory(offset + length, delta, (byte)0);
        }
        length += delta;
        totalLength = length;
        return true;
    }
}
