package io.ringtap.xdp.bpf;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Nanoseconds of CPU time per frame, least of many rounds: run it with bounds checks of Agrona off, as in production.
 * Not a test; {@code docs/performance.md} says how to compare it with the kernel.
 */
final class ProgramBenchmark
{
    private static final int BATCH = 64;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ProgramBenchmark()
    {
    }

    public static void main(final String[] args)
    {
        final int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1500;
        final BpfProgram program = Programs.verified("drop", Programs.dropPort());
        report("drop, compiled", Compiler.compile(program), 9999, rounds, 1_000);
        report("drop, compiled", Compiler.compile(program), 9999, rounds, 1_000);
        report("pass, compiled", Compiler.compile(program), 53, rounds, 1_000);
        report("drop, compiled", Compiler.compile(program), 9999, rounds, 1_000);
        report("pass, compiled", Compiler.compile(program), 53, rounds, 1_000);
        report("empty, compiled",
            Compiler.compile(Programs.verified("empty", Assembler.assemble("mov %r0, 1", "exit"))), 1, rounds, 1_000);
        report("drop, interpreted", new Interpreter(program), 9999, rounds / 10, 100);
    }

    private static void report(
        final String what, final ProgramCode code, final int port, final int rounds, final int batches)
    {
        final BpfContext context = new BpfContext(code);
        final byte[][] bytes = new byte[BATCH][];
        Arrays.fill(bytes, Programs.udp(port));
        final FrameArray frames = new FrameArray(bytes);
        double least = Double.MAX_VALUE;
        final double[] all = new double[rounds];
        for (int round = 0; round < rounds; round++)
        {
            final long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < batches; i++)
            {
                frames.rewind();
                frames.run(code, context);
            }
            all[round] = (THREADS.getCurrentThreadCpuTime() - start) / (double)batches / BATCH;
            least = Math.min(least, all[round]);
        }
        Arrays.sort(all);
        System.out.printf("%-20s %6.2f ns a frame (median %.2f), verdict %d%n", what, least, all[rounds / 2],
            frames.verdictOf(0));
    }
}
