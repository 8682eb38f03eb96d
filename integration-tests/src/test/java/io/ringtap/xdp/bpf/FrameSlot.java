package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/** A frame with as much room on both sides as the kernel's test run gives it, and bytes of others beyond that. */
final class FrameSlot
{
    /** XDP_PACKET_HEADROOM without struct xdp_frame. */
    private static final int HEADROOM = 256 - 40;
    /** What a frame may grow to at its end: a page without headroom and skb_shared_info. */
    private static final int LONGEST = 4096 - 256 - 320;
    private static final int MARGIN = 512;
    private static final int START = MARGIN;
    private static final int DATA = START + HEADROOM;
    private static final int END = DATA + LONGEST;

    private final UnsafeBuffer arena = new UnsafeBuffer(ByteBuffer.allocateDirect(END + MARGIN));
    private final FrameView view = new FrameView();

    FrameSlot()
    {
        view.wrap(arena, FrameView.FROM_GUEST, 0);
    }

    FrameView put(final byte[] frame)
    {
        arena.setMemory(0, arena.capacity(), (byte)0xa5);
        arena.putBytes(DATA, frame);
        view.frame(START, END, DATA, frame.length, frame.length);
        return view;
    }

    /** Metadata and frame, as the kernel gives them back. */
    byte[] take(final BpfContext context)
    {
        final int metadata = context.metadata();
        final byte[] bytes = new byte[metadata + view.length()];
        arena.getBytes(view.offset() - metadata, bytes);
        return bytes;
    }

    /** Whether nothing was written beyond the slot. */
    boolean isIntact()
    {
        for (int i = 0; i < MARGIN; i++)
        {
            if ((byte)0xa5 != arena.getByte(i) || (byte)0xa5 != arena.getByte(END + i))
            {
                return false;
            }
        }
        return true;
    }
}
