package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpHook;

/** A program as a hook of one queue and direction. */
public final class BpfHook implements XdpHook
{
    private final ProgramCode code;
    private final BpfContext context;

    /** @param context of this queue and direction alone. */
    public BpfHook(final ProgramCode code, final BpfContext context)
    {
        this.code = code;
        this.context = context;
    }

    @Override
    public int onFrame(final FrameView frame)
    {
        return code.runOn(context, frame);
    }

    @Override
    public void onBatch(final FrameView[] frames, final int count, final int[] verdicts)
    {
        code.runBatch(context, frames, count, verdicts);
    }

    public ProgramCode code()
    {
        return code;
    }

    public BpfContext context()
    {
        return context;
    }
}
