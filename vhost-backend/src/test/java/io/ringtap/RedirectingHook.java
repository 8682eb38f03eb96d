package io.ringtap;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpHook;
import io.ringtap.xdp.XdpVerdict;

/** Sends what comes from the guest to the port that the test names. */
public final class RedirectingHook implements XdpHook
{
    private static volatile int target = -1;

    static void target(final int port)
    {
        target = port;
    }

    @Override
    public int onFrame(final FrameView frame)
    {
        if (FrameView.TO_GUEST == frame.direction())
        {
            return XdpVerdict.PASS;
        }
        frame.redirect(target);
        return XdpVerdict.REDIRECT;
    }

    @Override
    public boolean changesFrames()
    {
        return false;
    }

    @Override
    public boolean needsWholeFrames()
    {
        return false;
    }
}
