package io.ringtap.xdp.bpf;

import io.ringtap.it.kernel.FewerRights;
import io.ringtap.it.kernel.KernelBtf;
import io.ringtap.it.kernel.KernelCode;
import io.ringtap.it.kernel.KernelProgram;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs one random program after another on both sides, and counts. */
final class KernelFuzz implements AutoCloseable
{
    private static final int MOST_INSTRUCTIONS = 8192;
    private static final int FRAMES = 3;
    private static final int MOST_PLACES = 6;
    private static final int FUEL = BpfContext.DEFAULT_FUEL;

    private final FuzzMaps maps = new FuzzMaps();
    private final UnsafeBuffer instructions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(8 * MOST_INSTRUCTIONS, 8));
    private final FrameSlot slot = new FrameSlot();
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> reasons = new TreeMap<>();
    private int agreed;
    private int agreedMutants;
    private int refused;
    private int refusedByBoth;
    private int refusedByUs;
    private int outOfFuel;
    private int addresses;
    private int showingStack;

    /** Programs that both sides ran alike. */
    int agreed()
    {
        return agreed;
    }

    List<String> differences()
    {
        return differences;
    }

    /** Why programs were refused here that the kernel accepted, with how often. */
    Map<String, Integer> reasons()
    {
        return reasons;
    }

    /** Every third program is spoiled. */
    void next(final long seed)
    {
        final KernelProgramGenerator generator = new KernelProgramGenerator(seed);
        final long[] whole = generator.generate(2 + Math.floorMod(seed, 15));
        final boolean isMutant = Math.floorMod(seed, 3) == 2;
        final long[] code = isMutant ? new ProgramMutator(seed).mutate(whole) : whole;
        if (!isComparable(code))
        {
            return;
        }
        maps.use(code);
        try (KernelProgram program = load(generator, code, isMutant))
        {
            if (null == program)
            {
                refused++;
                if (!isMutant)
                {
                    note("the kernel refuses an unspoiled program");
                }
                survive(seed, code);
            }
            else
            {
                compare(seed, code, program, isMutant);
            }
        }
    }

    private KernelProgram load(final KernelProgramGenerator generator, final long[] code, final boolean isMutant)
    {
        final long[] linked = KernelCode.linked(code, maps.twins().kernel());
        for (int i = 0; i < linked.length; i++)
        {
            instructions.putLong(8 * i, linked[i]);
        }
        try (KernelBtf btf = generator.starts().length > 1 ? KernelBtf.ofFunctions(generator.starts()) : null;
            FewerRights rights = isMutant ? new FewerRights() : null)
        {
            assert isMutant == (null != rights);
            return KernelProgram.tryLoad("fuzz", instructions, linked.length, "Apache-2.0", btf);
        }
    }

    /** Only helpers whose answer depends on nothing else. */
    private static boolean isComparable(final long[] code)
    {
        for (int i = 0; i < code.length; i += Instruction.isWide(code[i]) ? 2 : 1)
        {
            if (Opcode.CALL_INSTRUCTION == Instruction.opcode(code[i]) &&
                Opcode.CALL_LOCAL != Instruction.source(code[i]) &&
                !HelperStatements.ALL.contains(Instruction.immediate(code[i])))
            {
                return false;
            }
        }
        return code.length <= MOST_INSTRUCTIONS;
    }

    private BpfProgram verify(final long[] code)
    {
        return Verifier.verify(new ProgramText("fuzz", code, maps.twins().ours(), maps.twins().space(), Map.of(),
            LineTable.NONE, ""), StandardHelpers.all());
    }

    /** What the kernel refuses is refused here, or runs in its own bounds and to an end, in both forms alike. */
    private void survive(final long seed, final long[] code)
    {
        final BpfProgram verified;
        try
        {
            verified = verify(code);
        }
        catch (final VerifierException expected)
        {
            refusedByBoth++;
            return;
        }
        final ProgramCode interpreter = new Interpreter(verified);
        final String interpreted = run(seed, interpreter, 0);
        final String compiled = run(seed, Compiler.compile(verified), 0);
        if (!slot.isIntact())
        {
            differ(seed, code, "refused by the kernel, others' bytes overwritten");
        }
        else if (!interpreted.equals(compiled))
        {
            // Such a program may show addresses, and where entries lie alternates between a few places.
            boolean isAlike = false;
            for (int i = 0; i < MOST_PLACES && !isAlike; i++)
            {
                isAlike = compiled.equals(run(seed, interpreter, 0));
            }
            addresses += isAlike ? 1 : 0;
            if (!isAlike)
            {
                differ(seed, code, "refused by the kernel, interpreted\n" + interpreted + "\ncompiled\n" + compiled);
            }
        }
    }

    /** @param stack what lies on the stack before the first frame. */
    private String run(final long seed, final ProgramCode program, final int stack)
    {
        maps.resetOurs(seed);
        final BpfContext context = new BpfContext(maps.twins().space(), FUEL / 10);
        Arrays.fill(context.local, (byte)stack);
        final FrameGenerator frames = new FrameGenerator(seed);
        final StringBuilder outcome = new StringBuilder();
        for (int i = 0; i < FRAMES; i++)
        {
            outcome.append(program.runOn(context, slot.put(frames.next()))).append(' ');
            outcome.append(Arrays.hashCode(slot.take(context))).append(' ');
        }
        outcome.append(context.lastFault()).append('\n');
        return outcome.append(maps.oursInWords()).toString();
    }

    private void compare(final long seed, final long[] code, final KernelProgram program, final boolean isMutant)
    {
        final BpfProgram verified;
        try
        {
            verified = verify(code);
        }
        catch (final VerifierException refusal)
        {
            refusedByUs++;
            note(refusal.getMessage().replaceAll(".*instruction ", ""));
            if (!isMutant)
            {
                differ(seed, code, "refused: " + refusal.getMessage());
            }
            return;
        }
        maps.reset(seed);
        final List<KernelProgram.Result> expected = new ArrayList<>();
        final FrameGenerator frames = new FrameGenerator(seed);
        for (int i = 0; i < FRAMES; i++)
        {
            expected.add(program.run(frames.next(), 1));
        }
        final List<SortedMap<String, byte[]>> had = maps.dump();
        for (final ProgramCode form : List.of(Compiler.compile(verified), new Interpreter(verified)))
        {
            final String difference = difference(seed, form, expected, had);
            if ("fuel".equals(difference))
            {
                outOfFuel++;
                return;
            }
            if (null != difference)
            {
                if (isMutant && showsStack(seed, verified))
                {
                    showingStack++;
                }
                else
                {
                    differ(seed, code, form.form() + ": " + difference);
                }
                return;
            }
            maps.resetOurs(seed);
        }
        agreed++;
        agreedMutants += isMutant ? 1 : 0;
    }

    /**
     * Whether the outcome depends on stack bytes that the program did not write. The kernel's verifier takes all eight
     * bytes of a slot for written where a spoiled store wrote fewer; its stack holds other things than ours.
     */
    private boolean showsStack(final long seed, final BpfProgram verified)
    {
        final ProgramCode interpreter = new Interpreter(verified);
        final String first = run(seed, interpreter, 0x11);
        return first.equals(run(seed, interpreter, 0x11)) && !first.equals(run(seed, interpreter, 0xee));
    }

    private String difference(
        final long seed,
        final ProgramCode form,
        final List<KernelProgram.Result> expected,
        final List<SortedMap<String, byte[]>> had)
    {
        final BpfContext context = new BpfContext(maps.twins().space(), FUEL);
        context.interfaces(1, 0);
        final FrameGenerator frames = new FrameGenerator(seed);
        for (final KernelProgram.Result result : expected)
        {
            final int verdict = form.runOn(context, slot.put(frames.next()));
            if (context.faults() > 0)
            {
                return FaultKind.FUEL == context.lastFault().kind() ? "fuel" : context.lastFault().toString();
            }
            if (verdict != result.verdict())
            {
                return "verdict " + verdict + ", not " + result.verdict() + "\n" + maps.difference(had);
            }
            final byte[] bytes = slot.take(context);
            if (!Arrays.equals(bytes, result.frame()))
            {
                return "frame\n" + HexFormat.of().formatHex(bytes) + ", not\n" +
                    HexFormat.of().formatHex(result.frame()) + "\n" + maps.difference(had);
            }
            if (!slot.isIntact())
            {
                return "others' bytes overwritten";
            }
        }
        return maps.difference(had);
    }

    private void note(final String reason)
    {
        reasons.merge(reason.replaceAll("-?\\d+", "N"), 1, Integer::sum);
    }

    private void differ(final long seed, final long[] code, final String what)
    {
        final StringBuilder text = new StringBuilder("seed " + seed + ": " + what + "\n");
        for (int i = 0; i < code.length; i += Instruction.isWide(code[i]) ? 2 : 1)
        {
            text.append(i).append(": ").append(Disassembler.text(code, i)).append('\n');
        }
        differences.add(text.toString());
    }

    @Override
    public String toString()
    {
        return agreed + " programs accepted by the kernel and alike here (" + agreedMutants + " of them spoiled), " +
            refused + " refused by it, " + refusedByBoth + " of those refused here too and the others harmless (" +
            addresses + " show addresses), " + refusedByUs + " refused only here, " + outOfFuel +
            " out of fuel, " + showingStack + " show stack that they did not write, " + differences.size() +
            " different";
    }

    @Override
    public void close()
    {
        maps.close();
    }
}
