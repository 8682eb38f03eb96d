package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A batch of frames in slots of one arena, as a data plane keeps them. */
final class FrameArray
{
    private static final int SLOT = 2048;

    private final FrameView[] views;
    private final int[] lengths;
    private final int[] verdicts;

    FrameArray(final byte[]... frames)
    {
        final UnsafeBuffer arena = new UnsafeBuffer(ByteBuffer.allocateDirect(SLOT * frames.length));
        lengths = new int[frames.length];
        verdicts = new int[frames.length];
        views = new FrameView[frames.length];
        for (int i = 0; i < frames.length; i++)
        {
            arena.putBytes(i * SLOT + Programs.HEADROOM, frames[i]);
            lengths[i] = frames[i].length;
            views[i] = new FrameView();
            views[i].wrap(arena, FrameView.FROM_GUEST, 0);
        }
    }

    /** Points the views at their frames, as is done for every batch. */
    void rewind()
    {
        Arrays.fill(verdicts, XdpVerdict.PASS);
        for (int i = 0; i < views.length; i++)
        {
            final int slot = i * SLOT;
            views[i].frame(slot, slot + SLOT, slot + Programs.HEADROOM, lengths[i], lengths[i]);
        }
    }

    void run(final ProgramCode code, final BpfContext context)
    {
        code.runBatch(context, views, views.length, verdicts);
    }

    int verdictOf(final int frame)
    {
        return verdicts[frame];
    }
}
