package io.ringtap.bench.xdp;

import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Side;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfHook;
import io.ringtap.xdp.bpf.ProgramCode;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A compiled program on batches of 64 frames in slots off the heap, as a worker hands them over. */
public final class OurProgramSide extends Side
{
    private static final int BATCH = 64;
    private static final int SLOT = 2048;
    private static final int HEADROOM = 256;
    /** Batches between two looks at the clock. */
    private static final int ROUND = 500;

    private final BpfHook hook;
    private final FrameView[] views = new FrameView[BATCH];
    private final int[] verdicts = new int[BATCH];
    private final UnsafeBuffer arena = new UnsafeBuffer(ByteBuffer.allocateDirect(BATCH * SLOT));
    private final int length;
    private final int cpu;

    public OurProgramSide(final String label, final ProgramCode code, final byte[] frame, final int cpu)
    {
        super(label);
        hook = new BpfHook(code, new BpfContext(code));
        hook.context().interfaces(1, 0);
        length = frame.length;
        this.cpu = cpu;
        for (int i = 0; i < BATCH; i++)
        {
            arena.putBytes(i * SLOT + HEADROOM, frame);
            views[i] = new FrameView();
            views[i].wrap(arena, FrameView.FROM_GUEST, 0);
        }
        batch();
    }

    /** What the program says to the frame. */
    public int verdict()
    {
        return verdicts[0];
    }

    @Override
    public Sample measure(final double seconds)
    {
        return CpuClock.measure(cpu, seconds, () ->
        {
            for (int i = 0; i < ROUND; i++)
            {
                batch();
            }
            return ROUND * BATCH;
        });
    }

    /** Pointing the views at their frames belongs to the work: a worker does it for every batch. */
    private void batch()
    {
        Arrays.fill(verdicts, XdpVerdict.PASS);
        for (int i = 0; i < BATCH; i++)
        {
            final int slot = i * SLOT;
            views[i].frame(slot, slot + SLOT, slot + HEADROOM, length, length);
        }
        hook.onBatch(views, BATCH, verdicts);
    }
}
