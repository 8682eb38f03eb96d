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
    public String form()
    {
        return "compiled";
    }

    /** Judges one frame. */
    final int runOn(final BpfContext context, final FrameView view)
    {
        context.open(this, view);
        return judge(context, view, 0);
    }

    /**
     * Judges the frames whose verdict so far is PASS.
     *
     * @param verdicts by frame; those of frames that the program judged are overwritten.
     */
    void runBatch(final BpfContext context, final FrameView[] frames, final int count, final int[] verdicts)
    {
        context.open(this, frames);
        for (int i = 0; i < count; i++)
        {
            if (XdpVerdict.PASS == verdicts[i])
            {
                verdicts[i] = judge(context, frames[i], i);
            }
        }
    }

    /** Judges one of the frames for which the context is open. */
    int judge(final BpfContext context, final FrameView view, final int index)
    {
        if (!context.begin(view, index))
        {
            return XdpVerdict.ABORTED;
        }
        context.rewind();
        context.refuel();
        try
        {
            final int verdict = (int)run(context, 0, AddressSpace.CONTEXT, 0, 0, 0, 0, AddressSpace.FIRST_FRAME);
            context.settle();
            return verdict;
        }
        catch (final Throwable aborted)
        {
            // Not only our own: a helper that fails must not end a worker, nor let the rest of a batch pass.
            return context.abandon(this, aborted);
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
}
