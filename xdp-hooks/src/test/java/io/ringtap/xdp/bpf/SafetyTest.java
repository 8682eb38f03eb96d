package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Whatever a program reaches for that is not its own aborts it there, and is said; every form of program alike. */
class SafetyTest
{
    private static final int LENGTH = 64;

    private final FrameView frame = Programs.frame(Programs.udp(53));
    private BpfContext context;

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldReadFirstAndLastByteOfFrame(final Form form)
    {
        for (final String size : List.of("b", "h", "w", "dw"))
        {
            final int width = width(size);
            assertEquals(XdpVerdict.PASS, run(form, packet("ldx" + size + " %r3, [%r2+0]")));
            assertEquals(XdpVerdict.PASS, run(form, packet("ldx" + size + " %r3, [%r2+" + (LENGTH - width) + "]")));
            assertEquals(XdpVerdict.PASS, run(form, packet("stx" + size + " [%r2+" + (LENGTH - width) + "], %r1")));
            assertEquals(XdpVerdict.PASS, run(form, packet("st" + size + " [%r2+0], -1")));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldAbortWhereFrameEnds(final Form form)
    {
        for (final String size : List.of("b", "h", "w", "dw"))
        {
            for (int over = 1; over <= width(size); over++)
            {
                final int offset = LENGTH - width(size) + over;
                refused(form, FaultKind.READ, packet("ldx" + size + " %r3, [%r2+" + offset + "]"));
                refused(form, FaultKind.WRITE, packet("stx" + size + " [%r2+" + offset + "], %r1"));
                refused(form, FaultKind.WRITE, packet("st" + size + " [%r2+" + offset + "], 1"));
                refused(form, FaultKind.READ, packet("ldx" + size + " %r3, [%r2-" + over + "]"));
                refused(form, FaultKind.WRITE, packet("stx" + size + " [%r2-" + over + "], %r1"));
            }
        }
        final String said = context.lastFault().toString();
        assertTrue(said.startsWith(
            "program test, instruction 1 `*(u64 *)(r2 - 8) = r1`: writes 8 bytes at frame + -8, where 0 to 64"), said);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldAbortAtAddressesThatPointersWrapTo(final Form form)
    {
        for (final String address : List.of("0", "8", "0xfff", "0x1018", "0x1fff", "0x3800", "0x7fffffff", "0x80200000",
            "0xffffffff", "0x100000000", "0x140000000", "0x7fffffffffffffff", "0x8000000000000000",
            "0xffffffffffffffff", "0xffffffff4fffffff", "0x200000000"))
        {
            for (final String size : List.of("b", "h", "w", "dw"))
            {
                final String pointer = "lddw %r2, " + address;
                refused(form, FaultKind.READ, pointer, "ldx" + size + " %r0, [%r2]", "exit");
                refused(form, FaultKind.WRITE, pointer, "stx" + size + " [%r2], %r1", "exit");
                // Where the compiler takes the register for an address in the frame, in the stack, of the context.
                refused(form, FaultKind.READ, "ldxw %r3, [%r1]", pointer, "sub %r2, %r3", "add %r3, %r2",
                    "ldx" + size + " %r0, [%r3]", "exit");
                refused(form, FaultKind.WRITE, "mov %r3, %r10", pointer, "sub %r2, %r10", "add %r3, %r2",
                    "st" + size + " [%r3], 1", "exit");
                refused(form, FaultKind.READ, "mov %r3, %r10", pointer, "sub %r2, %r10", "add %r3, %r2",
                    "ldx" + size + " %r0, [%r3]", "exit");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotLookAtTheUpperHalfOfAddresses(final Form form)
    {
        final String upper = "lddw %r3, 0xabcd00000000";
        assertEquals(17, run(form, "ldxw %r2, [%r1]", upper, "add %r2, %r3", "ldxb %r0, [%r2+23]", "exit"));
        assertEquals(6, run(form, upper, "add %r3, %r10", "stb [%r3-8], 6", "ldxb %r0, [%r10-8]", "exit"));
        assertEquals(4, run(form, "lddw %r2, mapvalue0", upper, "stb [%r2+1], 4", "add %r2, %r3",
            "ldxb %r0, [%r2+1]", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldShowWholeWordsOfTheContextOnly(final Form form)
    {
        for (int offset = -8; offset <= 28; offset++)
        {
            final boolean isField = offset >= 0 && offset <= 20 && offset % 4 == 0;
            final String load = "ldxw %r3, [%r1+" + offset + "]";
            if (isField)
            {
                assertEquals(XdpVerdict.PASS, run(form, load, "mov %r0, 2", "exit"));
            }
            else
            {
                refused(form, FaultKind.READ, load, "exit");
            }
            refused(form, FaultKind.READ, "ldxdw %r0, [%r1+" + offset + "]", "exit");
            refused(form, FaultKind.READ, "ldxh %r0, [%r1+" + offset + "]", "exit");
            refused(form, FaultKind.WRITE, "stxw [%r1+" + offset + "], %r1", "exit");
            refused(form, FaultKind.ATOMIC, "lock add32 [%r1+" + (offset | 1) + "], %r1", "exit");
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldReachStackAndScratchOnly(final Form form)
    {
        assertEquals(7, run(form, "mov %r2, %r10", "sub %r2, 512", "stdw [%r2], 7", "ldxdw %r0, [%r10-512]", "exit"));
        assertEquals(9, run(form, "mov %r2, 8", "add %r2, %r10", "stb [%r2], 9", "ldxb %r0, [%r2]", "exit"));
        refused(form, FaultKind.READ, "mov %r2, %r10", "sub %r2, 513", "ldxb %r0, [%r2]", "exit");
        refused(form, FaultKind.READ, "mov %r2, %r10", "add %r2, " + (AddressSpace.LOCAL_LENGTH - 512 - 7),
            "ldxdw %r0, [%r2]", "exit");
        refused(form, FaultKind.WRITE, "mov %r2, %r10", "lsh %r2, 1", "stdw [%r2], 1", "exit");
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldKeepToTheBoundsOfEachMap(final Form form)
    {
        final String value = "lddw %r2, mapvalue0";
        assertEquals(5, run(form, value, "stb [%r2+15], 5", "ldxb %r0, [%r2+15]", "exit"));
        for (final String size : List.of("b", "h", "w", "dw"))
        {
            final int offset = 17 - width(size);
            refused(form, FaultKind.READ, value, "ldx" + size + " %r0, [%r2+" + offset + "]", "exit");
            refused(form, FaultKind.WRITE, value, "stx" + size + " [%r2+" + offset + "], %r1", "exit");
            refused(form, FaultKind.READ, value, "ldx" + size + " %r0, [%r2-1]", "exit");
            refused(form, FaultKind.READ, value, "add %r2, 0x100000", "ldx" + size + " %r0, [%r2+16]", "exit");
        }
        refused(form, FaultKind.WRITE, value, "lock add [%r2+16], %r1", "exit");
        refused(form, FaultKind.ATOMIC, value, "lock add [%r2+4], %r1", "exit");
        refused(form, FaultKind.ATOMIC, value, "lock fetch or32 [%r2+2], %r1", "exit");
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotWriteToReadOnlyMaps(final Form form)
    {
        final String value = "lddw %r2, mapvalue1";
        assertEquals(3, run(form, value, "ldxb %r0, [%r2]", "exit"));
        refused(form, FaultKind.WRITE, value, "stb [%r2], 1", "exit");
        refused(form, FaultKind.WRITE, value, "lock add [%r2], %r1", "exit");
        refused(form, FaultKind.WRITE, value, "lock cmpxchg32 [%r2], %r1", "exit");
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotUpdateFramesAtomically(final Form form)
    {
        refused(form, FaultKind.ATOMIC, packet("lock add [%r2+0], %r2"));
        refused(form, FaultKind.ATOMIC, packet("lock xchg32 [%r2+4], %r2"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldAbortShortFramesUnseen(final Form form)
    {
        final ProgramCode code = form.of(Programs.verified("test", Assembler.assemble("mov %r0, 2", "exit")));
        final BpfHook hook = new BpfHook(code, new BpfContext(code));

        assertEquals(XdpVerdict.ABORTED, hook.onFrame(Programs.frame(new byte[13])));
        assertEquals(XdpVerdict.PASS, hook.onFrame(Programs.frame(new byte[14])));

        assertEquals(1, hook.context().shortFrames());
        assertEquals(0, hook.context().faults());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNameTheSourceLine(final Form form)
    {
        final AddressSpace space = new AddressSpace();
        final LineTable lines = new LineTable(List.of(
            new LineTable.Line(0, "filter.c", 30, "int x;"), new LineTable.Line(1, "filter.c", 31, "  x = *p;")));
        final long[] bytes = Assembler.assemble("mov %r2, 4", "ldxb %r0, [%r2]", "exit");
        final ProgramText text = new ProgramText("filter", bytes, List.of(), space, Map.of(), lines, "");
        final ProgramCode code = form.of(Verifier.verify(text, HelperSet.NONE));
        final BpfHook hook = new BpfHook(code, new BpfContext(code));

        assertEquals(XdpVerdict.ABORTED, hook.onFrame(frame));

        assertEquals("program filter, instruction 1 `r0 = *(u8 *)(r2 + 0)` (filter.c:31: x = *p;): " +
            "reads 1 byte at 4, which is near a null pointer", hook.context().lastFault().toString());
    }

    private void refused(final Form form, final FaultKind kind, final String... lines)
    {
        final String what = form + ": " + String.join("; ", lines);
        assertEquals(XdpVerdict.ABORTED, run(form, lines), what);
        assertEquals(1, context.faults(), what);
        assertEquals(kind, context.lastFault().kind(), what);
    }

    /** A program that has the frame's first byte in r2 and ends with PASS. */
    private static String[] packet(final String line)
    {
        return new String[] {"ldxw %r2, [%r1+0]", line, "mov %r0, 2", "exit"};
    }

    private int run(final Form form, final String... lines)
    {
        final AddressSpace space = new AddressSpace();
        final BpfMap writable = new MemoryMap("values", new byte[16]);
        final BpfMap constant = new TestMap("constants", new byte[] {3, 0, 0, 0, 0, 0, 0, 0});
        space.add(writable);
        space.add(constant);
        final ProgramText text = new ProgramText("test", Assembler.assemble(lines), List.of(writable, constant), space,
            Map.of(), LineTable.NONE, "");
        final ProgramCode code = form.of(Verifier.verify(text, HelperSet.NONE));
        context = new BpfContext(code);
        return new BpfHook(code, context).onFrame(frame);
    }

    private static int width(final String size)
    {
        return "b".equals(size) ? 1 : "h".equals(size) ? 2 : "w".equals(size) ? 4 : 8;
    }
}
