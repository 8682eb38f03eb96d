package io.ringtap.xdp.bpf;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Random programs do the same in every form: r0, faults, fuel, stack, frame and map. More of them with
 * {@code -Dbpf.programs=1000000}, others with {@code -Dbpf.seed=N}; a line a minute says how far it is.
 */
class DifferentialTest
{
    private static final int PROGRAMS = Integer.getInteger("bpf.programs", 20_000);
    private static final long SEED = Long.getLong("bpf.seed", 1);
    private static final long MINUTE_NS = 60_000_000_000L;

    private final FormComparison comparison = new FormComparison();
    private int accepted;
    private int ended;

    @Test
    void shouldDoTheSameInterpretedAndCompiled()
    {
        final List<String> differences = new ArrayList<>();
        final long startNs = System.nanoTime();
        long nextNs = startNs + MINUTE_NS;
        for (int i = 0; i < PROGRAMS && differences.size() < 5; i++)
        {
            if (System.nanoTime() - nextNs > 0)
            {
                System.out.println(i + " of " + PROGRAMS + " programs, " +
                    (System.nanoTime() - startNs) / 1_000_000_000L + " s, " + differences.size() + " differences");
                nextNs += MINUTE_NS;
            }
            final long seed = SEED * 1_000_003 + i;
            final String difference = difference(seed, new ProgramGenerator(seed, 6 + i % 60, i % 4).generate(),
                i % 2 == 0 ? Form.COMPILED : Form.IN_PARTS);
            if (null != difference)
            {
                differences.add(difference);
            }
        }
        System.out.println(PROGRAMS + " programs from seed " + SEED + ": " + accepted + " accepted, " + ended +
            " ran to their end, the others were aborted alike");
        assertEquals(List.of(), differences);
        assertEquals(PROGRAMS, accepted);
    }

    @Test
    void shouldDoTheSameInLongPrograms()
    {
        for (int i = 0; i < 8; i++)
        {
            final long seed = SEED * 1_000_003 - 1 - i;
            final long[] code = new ProgramGenerator(seed, 3000, i % 3).generate();
            assertEquals(null, difference(seed, code, Form.COMPILED));
            assertEquals(null, difference(seed, code, Form.IN_PARTS));
        }
    }

    private String difference(final long seed, final long[] code, final Form form)
    {
        try
        {
            final String difference = comparison.difference(code, form);
            accepted++;
            ended += comparison.hasEnded() ? 1 : 0;
            return null == difference ? null : "seed " + seed + " " + difference;
        }
        catch (final RuntimeException failure)
        {
            return "seed " + seed + ": " + failure;
        }
    }
}
