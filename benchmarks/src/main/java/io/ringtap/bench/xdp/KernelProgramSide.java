package io.ringtap.bench.xdp;

import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Side;
import io.ringtap.it.kernel.KernelProgram;

/** The same program in the kernel, run over and over by BPF_PROG_TEST_RUN. */
public final class KernelProgramSide extends Side
{
    private static final int REPEAT = 100_000;

    private final KernelProgram program;
    private final byte[] frame;
    private final int cpu;

    public KernelProgramSide(final String label, final KernelProgram program, final byte[] frame, final int cpu)
    {
        super(label);
        this.program = program;
        this.frame = frame;
        this.cpu = cpu;
    }

    @Override
    public Sample measure(final double seconds)
    {
        return CpuClock.measure(cpu, seconds, () ->
        {
            program.run(frame, REPEAT);
            return REPEAT;
        });
    }

    @Override
    public boolean needsWarmUp()
    {
        return false;
    }
}
