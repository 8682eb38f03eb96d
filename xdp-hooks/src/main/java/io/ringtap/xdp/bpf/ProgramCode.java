package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;

/**
 * A verified program in a form that runs. Has no state: queues share it, each with a {@link BpfContext} of its own.
 */
public abstract class ProgramCode
{
    private final BpfProgram program;

    /** @param program what it runs. */
    protected ProgramCode(final BpfProgram program)
    {
        this.program = program;
    }

    public final BpfProgram program()
    {
        return program;
    }

    /** How it runs, for people: {@code compiled} or {@code interpreted}. */
    public abstract String form();

    /** Judges one frame. */
    final int runOn(final BpfContext context, final FrameView frame)
    {
        if (frame.length() < BpfContext.MIN_FRAME)
        {
            return context.refuseFrame();
        }
        context.begin(this, frame);
        try
        {
            return (int)run(context, 0, AddressSpace.CONTEXT, 0, 0, 0, 0, AddressSpace.FIRST_FRAME);
        }
        catch (final BpfAbort aborted)
        {
            return XdpVerdict.ABORTED;
        }
    }

    /**
     * Runs one of its functions to its end.
     *
     * @param function     number in {@link BpfProgram#functions()}; 0 is the entry.
     * @param framePointer the function's r10: the end of its 512 bytes of stack.
     * @return r0.
     * @throws RuntimeException the context's abort, after the context has noted why.
     */
    abstract long run(
        BpfContext context, int function, long r1, long r2, long r3, long r4, long r5, long framePointer);

    /**
     * Judges the frames whose verdict so far is PASS.
     *
     * @param verdicts by frame; those that the program judged are overwritten.
     */
    abstract void runBatch(BpfContext context, FrameView[] frames, int count, int[] verdicts);
}
