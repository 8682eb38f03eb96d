package io.ringtap.bench.xdp;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.it.kernel.KernelMap;
import io.ringtap.it.kernel.KernelObject;
import io.ringtap.it.rig.RigException;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapAccess;

import java.nio.file.Path;

/** One object loaded here and into the kernel, with the same entries in its maps. */
public final class ProgramPair implements AutoCloseable
{
    /** Of the side that goals name. */
    public static final String KERNEL = "kernel";

    private final LoadedObject ours;
    private final KernelObject kernel;

    private ProgramPair(final LoadedObject ours, final KernelObject kernel)
    {
        this.ours = ours;
        this.kernel = kernel;
    }

    public static ProgramPair load(final Path object)
    {
        final LoadedObject ours = BpfObject.read(object).load(KernelMap.PROCESSORS, StandardHelpers.all());
        return new ProgramPair(ours, KernelObject.load(ours));
    }

    /** Stores an entry on both sides, the same for every queue and processor. */
    public ProgramPair put(final String map, final byte[] key, final byte[] value)
    {
        final BpfMap our = ours.map(map);
        final KernelMap other = kernel.map(map);
        final byte[] entry = new byte[other.entryLength()];
        for (int at = 0; at + value.length <= entry.length; at += value.length + 7 & -8)
        {
            System.arraycopy(value, 0, entry, at, value.length);
        }
        MapAccess.of(our).put(key, value);
        other.put(key, entry);
        return this;
    }

    /**
     * Lets both sides take turns on one frame.
     *
     * @param goal at most so many times the kernel's time; NaN for none.
     */
    public Row compare(final Bed bed, final String name, final String program, final byte[] frame, final double goal)
    {
        final int cpu = bed.settings().backCpu();
        final OurProgramSide our = new OurProgramSide("ringtap", ours.program(program), frame, cpu);
        final int verdict = kernel.program(program).run(frame, 1).verdict();
        if (our.verdict() != verdict)
        {
            throw new RigException(name + ": verdict " + our.verdict() + " here, " + verdict + " in the kernel");
        }
        final Comparison comparison = Comparison.less(bed, name, "ns")
            .side(our)
            .side(new KernelProgramSide(KERNEL, kernel.program(program), frame, cpu));
        return Double.isNaN(goal) ? comparison.run() : comparison.goal(KERNEL, goal).run();
    }

    @Override
    public void close()
    {
        kernel.close();
    }
}
