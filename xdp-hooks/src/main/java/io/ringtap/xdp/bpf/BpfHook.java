package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpHook;

/** A program as a hook of one queue and direction. */
public final class BpfHook implements XdpHook
{
    private final ProgramCode code;
    private final BpfContext context;
    private final boolean needsWholeFrames;
    private final boolean mayWrite;

    /** @param context of this queue and direction alone. */
    public BpfHook(final ProgramCode code, final BpfContext context)
    {
        this(code, context, true);
    }

    /**
     * @param context          of this queue and direction alone.
     * @param needsWholeFrames whether all of a frame must lie between data and data_end, as for programs of sections
     *                         whose names do not say {@code xdp.frags}.
     */
    public BpfHook(final ProgramCode code, final BpfContext context, final boolean needsWholeFrames)
    {
        this.code = code;
        this.context = context;
        this.needsWholeFrames = needsWholeFrames;
        mayWrite = FrameWrites.arePossibleIn(code.program());
    }

    @Override
    public boolean changesFrames()
    {
        return mayWrite || context.wroteFrame();
    }

    @Override
    public boolean needsWholeFrames()
    {
        return needsWholeFrames;
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
