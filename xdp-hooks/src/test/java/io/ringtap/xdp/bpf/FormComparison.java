package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Runs a program in two forms on the same frame and memory, and tells what differs afterwards. */
final class FormComparison
{
    private static final int FUEL = 3000;
    private static final HelperSet HELPERS = new HelperSet(List.of(Helper.of(ProgramGenerator.MIX, "mix",
        (c, r1, r2, r3, r4, r5) -> r1 ^ r2 * 3 ^ r3 * 5 ^ r4 * 7 ^ r5 * 11, Helper.Result.NUMBER)));

    private final AddressSpace space = new AddressSpace();
    private final MemoryMap map = new MemoryMap("values", new byte[64]);
    private final FrameView frame = Programs.frame(new byte[64]);
    private boolean hasEnded;

    /** @throws VerifierException when it is refused. */
    BpfProgram verify(final long[] code)
    {
        space.add(map);
        return Verifier.verify(
            new ProgramText("random", code, List.of(map), space, Map.of(), LineTable.NONE, ""), HELPERS);
    }

    /** Whether the last program ran to its end. */
    boolean hasEnded()
    {
        return hasEnded;
    }

    /** @return null when interpreting it and the other form do the same. */
    String difference(final long[] code, final Form form)
    {
        final Outcome expected = run(code, Form.INTERPRETED);
        hasEnded = "".equals(expected.fault());
        final Outcome actual = run(code, form);
        return expected.equals(actual) ? null : form + ":\n" + expected + "\n" + actual + "\n" + listing(code);
    }

    private Outcome run(final long[] code, final Form form)
    {
        final byte[] values = new byte[64];
        Arrays.fill(values, 3, 40, (byte)0x5a);
        final byte[] bytes = new byte[64];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(i * 37);
        }
        final ProgramCode program = form.of(verify(code));
        map.values().putBytes(0, values);
        frame.buffer().putBytes(Programs.HEADROOM, bytes);
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
