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
        final byte[] hit = Programs.udp(9999);
        final byte[] miss = Programs.udp(53);
        report("empty", Form.COMPILED, Assembler.assemble("mov %r0, 1", "exit"), hit, rounds);
        report("drop UDP port, hit", Form.COMPILED, Programs.dropPort(), hit, rounds);
        report("drop UDP port, miss", Form.COMPILED, Programs.dropPort(), miss, rounds);
        report("swap MACs, function", Form.COMPILED, Programs.swap(), hit, rounds);
        report("sum of 64 B", Form.COMPILED, Programs.sum(32), hit, rounds);
        report("sum of 1500 B", Form.COMPILED, Programs.sum(750), new byte[1500], rounds / 10);
        report("drop, hit, in parts", Form.IN_PARTS, Programs.dropPort(), hit, rounds);
        report("drop, hit, interpreted", Form.INTERPRETED, Programs.dropPort(), hit, rounds / 10);
    }

    private static void report(
        final String what, final Form form, final long[] program, final byte[] frame, final int rounds)
    {
        final ProgramCode code = form.of(Programs.verified("bench", program));
        final int batches = frame.length > 64 ? 20 : 500;
        final BpfContext context = new BpfContext(code);
        final byte[][] bytes = new byte[BATCH][];
        Arrays.fill(bytes, frame);
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
        System.out.printf("%-24s %6.2f ns a frame (median %.2f), verdict %d%n", what, least, all[rounds / 2],
            frames.verdictOf(0));
    }
}
