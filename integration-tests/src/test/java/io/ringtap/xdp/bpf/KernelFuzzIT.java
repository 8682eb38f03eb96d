package io.ringtap.xdp.bpf;

import io.ringtap.it.rig.Provision;
import io.ringtap.sys.Affinity;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random programs that the kernel's verifier accepts do the same here, bit for bit: verdict, frame with metadata, every
 * map; and what it refuses harms nobody here. More of them with {@code -Dbpf.kernel.programs=100000}, others with
 * {@code -Dbpf.seed=N}.
 */
class KernelFuzzIT
{
    private static final int PROGRAMS = Integer.getInteger("bpf.kernel.programs", 2_000);
    private static final long SEED = Long.getLong("bpf.seed", 1);
    private static final int MOST_DIFFERENCES = 5;
    private static final long INTERVAL_NS = 30_000_000_000L;

    @Test
    void shouldDoWhatTheKernelDoesWithEveryProgramThatItAccepts()
    {
        Provision.root();
        final int[] processors = Affinity.current();
        // The first processor is the first queue.
        Affinity.pin(0);
        try (KernelFuzz fuzz = new KernelFuzz())
        {
            final long startNs = System.nanoTime();
            long nextNs = startNs + INTERVAL_NS;
            for (long seed = SEED * 1_000_000_007L; fuzz.agreed() < PROGRAMS; seed++)
            {
                fuzz.next(seed);
                if (fuzz.differences().size() >= MOST_DIFFERENCES)
                {
                    break;
                }
                if (System.nanoTime() - nextNs > 0)
                {
                    System.out.println((System.nanoTime() - startNs) / 1_000_000_000L + " s: " + fuzz);
                    nextNs += INTERVAL_NS;
                }
            }
            System.out.println("from seed " + SEED + ": " + fuzz);
            fuzz.reasons().forEach((reason, count) -> System.out.println(count + " x " + reason));
            assertEquals("", String.join("\n", fuzz.differences()));
            assertTrue(fuzz.agreed() >= PROGRAMS, fuzz.toString());
        }
        finally
        {
            Affinity.pin(processors);
        }
    }
}
