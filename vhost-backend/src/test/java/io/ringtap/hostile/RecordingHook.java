package io.ringtap.hostile;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpHook;
import io.ringtap.xdp.XdpVerdict;

/** Keeps a copy of the last frame that its guest sent, as the port was about to get it. */
public final class RecordingHook implements XdpHook
{
    private static volatile byte[] last;

    static byte[] last()
    {
        return last;
    }

    @Override
    public int onFrame(final FrameView frame)
    {
        if (FrameView.FROM_GUEST == frame.direction())
        {
            final byte[] bytes = new byte[frame.length()];
            frame.buffer().getBytes(frame.offset(), bytes);
            last = bytes;
        }
        return XdpVerdict.PASS;
    }

    @Override
    public boolean changesFrames()
    {
        return false;
    }

    @Override
    public boolean needsWholeFrames()
    {
        return true;
    }
}
