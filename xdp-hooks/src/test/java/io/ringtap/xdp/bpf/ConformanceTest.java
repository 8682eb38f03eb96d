package io.ringtap.xdp.bpf;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The 313 vectors of bpf_conformance, each through the interpreter and through the compiler. */
class ConformanceTest
{
    private static final int VECTORS = 313;
    /** What we refuse, and why. */
    private static final Map<String, String> REFUSED =
        Map.of("callx", "calls through registers are not part of RFC 9669");

    /** Helper 5 of the suite's runner does nothing that a program sees. */
    private static final HelperSet HELPERS =
        new HelperSet(List.of(Helper.of(5, "unwind", (c, r1, r2, r3, r4, r5) -> 0, Helper.Result.NUMBER)));

    @Test
    void shouldInterpretEveryVector()
    {
        check(Interpreter::new);
    }

    @Test
    void shouldCompileEveryVector()
    {
        check(Compiler::compile);
    }

    @Test
    void shouldCompileEveryVectorInSmallParts()
    {
        check((program) -> Compiler.compile(program, new Compiler.Limits(0, 150)));
    }

    @Test
    void shouldSpeakTheProtocolOfTheRunner()
    {
        // mem-len: mov r0, r2; exit. Two spaces between bytes, as the runner writes them.
        final String program = "bf  20  00  00  00  00  00  00  95  00  00  00  00  00  00  00";
        assertEquals(8, ConformancePlugin.run(program, "00 00 00 01 00 00 00 02"));
        assertEquals(0, ConformancePlugin.run(program, "", "--interpret"));
        assertEquals("7 bytes are no whole number of instructions", assertThrows(IllegalArgumentException.class,
            () -> ConformancePlugin.run("1 2 3 4 5 6 7")).getMessage());
    }

    private static void check(final Function<BpfProgram, ProgramCode> form)
    {
        final List<ConformanceVector> vectors = ConformanceVector.all();
        if (vectors.isEmpty())
        {
            System.out.println(
                "bpf_conformance is not at ../shared/data/bpf-conformance: its 313 vectors are NOT run, only our own");
            return;
        }
        final List<String> failures = new ArrayList<>();
        int passed = 0;
        for (final ConformanceVector vector : vectors)
        {
            final String failure = failure(vector, form);
            if (null == failure)
            {
                passed++;
            }
            else if (!failure.endsWith(REFUSED.getOrDefault(vector.name(), "-")))
            {
                failures.add(vector + ": " + failure);
            }
        }
        System.out.println(passed + " of " + vectors.size() + " vectors pass; refused on purpose: " + REFUSED);
        assertEquals(List.of(), failures);
        assertEquals(VECTORS, vectors.size());
        assertTrue(passed >= VECTORS - REFUSED.size());
    }

    private static String failure(final ConformanceVector vector, final Function<BpfProgram, ProgramCode> form)
    {
        final MemoryMap memory = new MemoryMap("memory", vector.memory());
        final AddressSpace space = new AddressSpace();
        final long handle = space.add(memory);
        final long address = 0 == vector.memory().length ? 0 : space.address(handle);
        try
        {
            final ProgramText text =
                new ProgramText(vector.name(), vector.code(), List.of(), space, Map.of(), LineTable.NONE, "");
            final ProgramCode code = form.apply(Verifier.verify(text, HELPERS));
            final BpfContext context = new BpfContext(code);
            context.begin(code);
            final long result =
                code.run(context, 0, address, vector.memory().length, 0, 0, 0, AddressSpace.FIRST_FRAME);
            return vector.expected() == result ? null :
                "r0 is " + Long.toHexString(result) + ", not " + Long.toHexString(vector.expected());
        }
        catch (final VerifierException refused)
        {
            return refused.getMessage();
        }
        catch (final BpfAbort aborted)
        {
            return "aborted";
        }
    }
}
