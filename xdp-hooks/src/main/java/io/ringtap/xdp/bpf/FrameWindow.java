package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The part of the frames' arena that the running program may reach: metadata and linear data of one frame in its slot,
 * and how helpers move its ends. The half of {@link BpfContext} that knows {@link FrameView}.
 */
abstract class FrameWindow
{
    /** A frame without a whole Ethernet header is never shown to a program, and no program can make one. */
    public static final int MIN_FRAME = 14;

    private static final int DEFAULT_MTU = 1500;

    /** What is shown when there is no frame: bytes of nobody. */
    private final UnsafeBuffer nothing = new UnsafeBuffer(new byte[MIN_FRAME]);

    /** Where the window's bytes are, and from which index on. */
    UnsafeBuffer packet = nothing;
    int windowIndex;
    /** Addresses from data_meta up to data_end. The length is never below {@link #MIN_FRAME}: accesses rely on it. */
    int windowStart = (int)AddressSpace.PACKET_DATA;
    int windowLength = MIN_FRAME;
    /** From here on the slot's bytes are this frame's: what lies before may still be somebody else's. */
    private int ownFrom;
    /** data of struct xdp_md. */
    int data = (int)AddressSpace.PACKET_DATA;

    int ingressInterface;
    int egressInterface;
    int receiveQueue;
    int processor;
    /** Set by the first write to a frame, never taken back. */
    boolean wroteFrame;

    private int mtu = DEFAULT_MTU;

    private final FrameView[] single = new FrameView[1];
    private FrameView[] frames = single;
    private int frame;
    private long shortFrames;

    /** Sets what struct xdp_md says about the frame's way; 0 where nobody did. */
    public final void interfaces(final int ingress, final int egress)
    {
        ingressInterface = ingress;
        egressInterface = egress;
    }

    /** Number of the port that the frame came from. */
    public final int ingressInterface()
    {
        return ingressInterface;
    }

    /** What bpf_check_mtu says of the frame's port. */
    public final int mtu()
    {
        return mtu;
    }

    /** Sets what bpf_check_mtu says. */
    public final void mtu(final int bytes)
    {
        mtu = bytes;
    }

    /** How far the frame's start has been moved since the program began: negative when it grew. */
    public final int headMoved()
    {
        return data - (int)AddressSpace.PACKET_DATA;
    }

    /** The frames that are going to be judged, of one queue; a reference that is stored costs a collector's barrier. */
    final void show(final FrameView[] views)
    {
        if (frames != views)
        {
            frames = views;
        }
        if (0 < views.length)
        {
            receiveQueue = views[0].queue();
            processor = views[0].processor();
        }
    }

    /** One frame to be judged. */
    final void show(final FrameView view)
    {
        if (single[0] != view)
        {
            single[0] = view;
        }
        show(single);
    }

    /** Gets ready to run on one of the frames; false, and counted, when it is too short for any program. */
    final boolean begin(final FrameView view, final int index)
    {
        if (view.length() < MIN_FRAME)
        {
            shortFrames++;
            return false;
        }
        if (packet != view.buffer())
        {
            packet = view.buffer();
        }
        frame = index;
        windowIndex = view.offset();
        windowLength = view.length();
        ownFrom = windowIndex;
        return true;
    }

    /** There is no frame. */
    final void close()
    {
        packet = nothing;
        windowIndex = 0;
        windowLength = MIN_FRAME;
    }

    /** A fresh frame begins where all do, without metadata. */
    final void rewindFrame()
    {
        data = (int)AddressSpace.PACKET_DATA;
        windowStart = (int)AddressSpace.PACKET_DATA;
    }

    /** The frame under judgement. */
    public final FrameView frame()
    {
        return frames[frame];
    }

    /**
     * The processor that runs, as {@link FrameView#processor}: what bpf_get_smp_processor_id says, and what selects a
     * value of a map with one each.
     */
    public final int queue()
    {
        return processor;
    }

    /** Whether a program has ever written to a frame here, or moved its ends. */
    public final boolean wroteFrame()
    {
        return wroteFrame;
    }

    /** Frames aborted unseen since they have less than {@link #MIN_FRAME} bytes. */
    public final long shortFrames()
    {
        return shortFrames;
    }

    /**
     * Moves the frame's start by {@code delta}, as bpf_xdp_adjust_head: addresses that the program holds go on to mean
     * the same bytes, and metadata moves along. New bytes are what this program left there, or 0.
     *
     * @return false, and nothing changed, when the slot has no such room or fewer than {@link #MIN_FRAME} bytes remain.
     */
    public final boolean moveHead(final int delta)
    {
        final FrameView view = frame();
        final int metadata = metadata();
        final int from = view.offset() - metadata;
        if ((long)from + delta < view.slotStart() || !view.adjustHead(delta))
        {
            return false;
        }
        wroteFrame = true;
        own(from + delta);
        if (metadata > 0)
        {
            packet.putBytes(from + delta, packet, from, metadata);
        }
        data += delta;
        windowStart += delta;
        windowIndex += delta;
        windowLength = metadata + view.length();
        return true;
    }

    /** Moves the frame's end, as bpf_xdp_adjust_tail; new bytes are 0. False as in {@link #moveHead}. */
    public final boolean moveTail(final int delta)
    {
        final FrameView view = frame();
        if (!view.adjustTail(delta))
        {
            return false;
        }
        wroteFrame = true;
        windowLength = metadata() + view.length();
        return true;
    }

    /**
     * Sets how many bytes in front of the frame are metadata; new ones are what this program left there, or 0.
     *
     * @return false, and nothing changed, when the slot has no such room.
     */
    public final boolean metadata(final int length)
    {
        final FrameView view = frame();
        if (length < 0 || length > view.offset() - view.slotStart())
        {
            return false;
        }
        own(view.offset() - length);
        windowStart = data - length;
        windowIndex = view.offset() - length;
        windowLength = length + view.length();
        return true;
    }

    /** The headroom may still hold bytes of a frame that was somebody else's: nobody sees them. */
    private void own(final int index)
    {
        if (index < ownFrom)
        {
            packet.setMemory(index, ownFrom - index, (byte)0);
            ownFrom = index;
        }
    }

    /** Bytes of metadata in front of the frame. */
    public final int metadata()
    {
        return data - windowStart;
    }
}
