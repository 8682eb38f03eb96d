package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Random programs do the same in every form: r0, faults, fuel, stack, frame and map. More of them with
 * {@code -Dbpf.programs=1000000}, others with {@code -Dbpf.seed=N}; a line a minute says how far it is.
 */
class DifferentialTest
{
    private static final int PROGRAMS = Integer.getInteger("bpf.programs", 20_000);
    private static final long SEED = Long.getLong("bpf.seed", 1);
    private static final int FUEL = 3000;
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final HelperSet HELPERS = new HelperSet(List.of(Helper.of(ProgramGenerator.MIX, "mix",
        (c, r1, r2, r3, r4, r5) -> r1 ^ r2 * 3 ^ r3 * 5 ^ r4 * 7 ^ r5 * 11, Helper.Result.NUMBER)));

    private final AddressSpace space = new AddressSpace();
    private final MemoryMap map = new MemoryMap("values", new byte[64]);
    private final FrameView frame = Programs.frame(new byte[64]);
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
        final Outcome expected;
        final Outcome actual;
        try
        {
            expected = run(code, Form.INTERPRETED);
            accepted++;
            ended += "".equals(expected.fault()) ? 1 : 0;
            actual = run(code, form);
        }
        catch (final RuntimeException failure)
        {
            return "seed " + seed + ": " + failure;
        }
        return expected.equals(actual) ? null :
            "seed " + seed + " " + form + ":\n" + expected + "\n" + actual + "\n" + listing(code);
    }

    private Outcome run(final long[] code, final Form form)
    {
        space.add(map);
        final byte[] values = new byte[64];
        Arrays.fill(values, 3, 40, (byte)0x5a);
        map.values().putBytes(0, values);
        final byte[] bytes = new byte[64];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(i * 37);
        }
        frame.buffer().putBytes(Programs.HEADROOM, bytes);
        final ProgramText text =
            new ProgramText("random", code, List.of(map), space, Map.of(), LineTable.NONE, "");
        final ProgramCode program = form.of(Verifier.verify(text, HELPERS));
        final BpfContext context = new BpfContext(space, FUEL);
        context.open(program, frame);
        context.begin(frame, 0);
        long r0 = 0;
        try
        {
            r0 = program.run(context, 0, AddressSpace.CONTEXT, 0, 0, 0, 0, AddressSpace.FIRST_FRAME);
        }
        catch (final BpfAbort aborted)
        {
            context.abandon(program, aborted);
        }
        frame.buffer().getBytes(Programs.HEADROOM, bytes);
        map.values().getBytes(0, values);
        final boolean failed = context.faults() > 0;
        return new Outcome(r0, failed ? context.lastFault().toString() : "", failed ? 0 : context.fuel,
            Arrays.hashCode(context.local), Arrays.hashCode(bytes), Arrays.hashCode(values));
    }

    private static String listing(final long[] code)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < code.length; i += Instruction.isWide(code[i]) ? 2 : 1)
        {
            text.append(i).append(": ").append(Disassembler.text(code, i)).append('\n');
        }
        return text.toString();
    }

    /** What can be seen of a run afterwards. */
    private record Outcome(long r0, String fault, int fuel, int stack, int frame, int map)
    {
    }
}
