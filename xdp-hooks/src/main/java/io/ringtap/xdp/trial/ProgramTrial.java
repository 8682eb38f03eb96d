package io.ringtap.xdp.trial;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfHook;
import io.ringtap.xdp.bpf.ProgramCode;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;
import java.util.List;

/** Shows frames to a program one by one, as a worker would, and tells what became of each. */
public final class ProgramTrial
{
    /** Bytes before a frame that a program may grow into: as many as on the data path. */
    static final int HEADROOM = 244;
    /** Bytes behind it. */
    static final int TAILROOM = 256;

    private final UnsafeBuffer slot = new UnsafeBuffer(new byte[HEADROOM + CaptureReader.MAX_FRAME + TAILROOM]);
    private final FrameView view = new FrameView();
    private final BpfContext context;
    private final HookChain chain;
    private final long[] verdicts = new long[XdpVerdict.REDIRECT + 1];

    /**
     * What became of a frame.
     *
     * @param verdict one of {@link XdpVerdict}.
     * @param frame   what it is now.
     * @param isSame  whether it is what it was.
     * @param target  for REDIRECT the port, or -1 when the program named none.
     * @param fault   why it was aborted; null when it was not.
     */
    public record Outcome(int verdict, CapturedFrame frame, boolean isSame, int target, String fault)
    {
    }

    /**
     * @param direction {@link FrameView#FROM_GUEST} or {@link FrameView#TO_GUEST}.
     * @param queue     the queue that the program is told.
     * @param processor the processor that it is told, which selects the value of a map that has one for each.
     */
    public ProgramTrial(final ProgramCode code, final int direction, final int queue, final int processor)
    {
        context = new BpfContext(code);
        chain = new HookChain(List.of(new NamedHook(code.program().name(), new BpfHook(code, context))));
        view.wrap(slot, direction, queue, processor);
    }

    /** What the program is told of the ports that frames come from and go to. */
    public void interfaces(final int ingress, final int egress)
    {
        context.interfaces(ingress, egress);
    }

    /** Shows it one frame; the original is left as it is. */
    public Outcome judge(final CapturedFrame frame)
    {
        final byte[] before = frame.bytes();
        final int end = HEADROOM + before.length + TAILROOM;
        slot.setMemory(0, end, (byte)0);
        slot.putBytes(HEADROOM, before);
        view.frame(0, end, HEADROOM, before.length, before.length);
        final long faults = context.faults();
        final long shortFrames = context.shortFrames();
        final int verdict = chain.judge(view);
        verdicts[verdict]++;
        final byte[] after = new byte[view.length()];
        slot.getBytes(view.offset(), after);
        String fault = null;
        if (XdpVerdict.ABORTED == verdict)
        {
            fault = context.faults() > faults ? context.lastFault().toString() :
                context.shortFrames() > shortFrames ? "it has less than " + BpfContext.MIN_FRAME + " bytes" :
                "the program says so, or no verdict that there is";
        }
        return new Outcome(verdict, new CapturedFrame(frame.timeNs(), after,
            Math.max(after.length, frame.originalLength() + after.length - before.length)),
            Arrays.equals(before, after), XdpVerdict.REDIRECT == verdict ? view.target() : -1, fault);
    }

    /** How many frames got a verdict so far. */
    public long count(final int verdict)
    {
        return verdicts[verdict];
    }
}
