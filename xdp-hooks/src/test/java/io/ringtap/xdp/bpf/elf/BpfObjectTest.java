package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.bpf.Assembler;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfHook;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Objects put together by hand: every way in which code may refer to something. */
class BpfObjectTest
{
    private static final String CALL = "call local f";

    private final ElfWriter writer = new ElfWriter();

    @Test
    void shouldChooseProgramsOfOneSectionByFunction()
    {
        final int code = writer.code("xdp", Assembler.assemble("mov %r0, 1", "exit", "mov %r0, 3", "exit"));
        writer.function("drop", code, 0, 2);
        writer.function("back", code, 2, 2);
        writer.license("MIT");
        final LoadedObject loaded = load();

        assertEquals(1, run(loaded, "drop"));
        assertEquals(3, run(loaded, "back"));
        assertEquals("MIT", loaded.object().license());
        assertEquals(2, loaded.programs().size());
        assertEquals("test.o: it has 2 programs, name one of drop, back as test.o:NAME",
            assertThrows(ObjectException.class, () -> loaded.program(null)).getMessage());
        assertEquals("test.o: there is no program pass; it has drop, back",
            assertThrows(ObjectException.class, () -> loaded.program("pass")).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"xdp", "xdp.frags", "xdp/devmap", "xdp_devmap/x", "xdp_icmp_echo", "?xdp"})
    void shouldTakeAnySectionThatBeginsSo(final String section)
    {
        writer.code(section, Assembler.assemble("mov %r0, 2", "exit"));
        assertEquals(2, run(load(), null));
    }

    @Test
    void shouldSkipProgramsOfOtherTypes()
    {
        final int tc = writer.code("tc", Assembler.assemble("ldxb %r0, [%r1+0]", "exit"));
        writer.function("shape", tc, 0, 2);
        assertEquals("test.o: no XDP program; put a function into SEC(\"xdp\") (it has 1 of other types)",
            assertThrows(ObjectException.class, this::load).getMessage());

        writer.code("xdp", Assembler.assemble("mov %r0, 2", "exit"));
        assertEquals(2, run(load(), null));
        assertEquals("shape", load().object().otherPrograms().get(0).name());
    }

    @Test
    void shouldTakeLocalFunctionsBesideProgramsForSubprograms()
    {
        final int code = writer.code("xdp", Assembler.assemble(
            "f:", "mov %r0, 3", "exit", CALL, "add %r0, -1", "exit"));
        writer.symbol("inner", ElfSymbol.FUNC, ElfWriter.LOCAL, code, 0, 16);
        writer.function("outer", code, 2, 3);
        final LoadedObject loaded = load();

        assertEquals(2, run(loaded, null));
        assertEquals(List.of("outer", "inner"),
            loaded.verified().get(0).functions().stream().map((each) -> each.name()).toList());
    }

    @Test
    void shouldCallFunctionsOfTextByTheirSymbol()
    {
        final int text = writer.code(".text", Assembler.assemble("mov %r0, 9", "exit", "mov %r0, 2", "exit"));
        final int code = writer.code("xdp", Assembler.assemble("f:", CALL, "exit"));
        final int second = writer.function("second", text, 2, 2);
        writer.rel(code, 0, ElfRelocation.BPF_64_32, second);

        assertEquals(2, run(load(), null));
    }

    @Test
    void shouldCallFunctionsOfTextByTheirSection()
    {
        final int text = writer.code(".text", Assembler.assemble("mov %r0, 9", "exit", "mov %r0, 2", "exit"));
        // What clang writes for static functions: the immediate is the instruction in .text, less one.
        final int code = writer.code("xdp", call(1), Assembler.assemble("exit")[0]);
        writer.function("first", text, 0, 2);
        writer.rel(code, 0, ElfRelocation.BPF_64_32, writer.sectionSymbol(text));

        assertEquals(2, run(load(), null));
    }

    @Test
    void shouldCallByAddend()
    {
        final int text = writer.code(".text", Assembler.assemble("mov %r0, 9", "exit", "mov %r0, 2", "exit"));
        final int code = writer.code("xdp", call(-1), Assembler.assemble("exit")[0]);
        writer.rela(code, 0, ElfRelocation.BPF_64_32, writer.sectionSymbol(text), 16);

        assertEquals(2, run(load(), null));
    }

    @Test
    void shouldNameFunctionsForCallbacks()
    {
        final int text = writer.code(".text", Assembler.assemble("mov %r0, 9", "exit", "mov %r0, 2", "exit"));
        final int code = writer.code("xdp", Assembler.assemble("lddw %r2, 16", "mov %r0, 2", "exit"));
        writer.rel(code, 0, ElfRelocation.BPF_64_64, writer.sectionSymbol(text));
        final LoadedObject loaded = load();

        assertEquals(2, run(loaded, null));
        assertEquals(2, loaded.verified().get(0).functions().size());
        assertEquals(4, loaded.verified().get(0).functions().get(1).first());
    }

    @Test
    void shouldReachVariablesBySymbolAndBySection()
    {
        final int data = writer.data(".data", (byte)5, (byte)0, (byte)0, (byte)0, (byte)7, (byte)0, (byte)0, (byte)0);
        final int bss = writer.noBits(".bss", 16);
        final int constants = writer.data(".rodata.cst4", (byte)30, (byte)0, (byte)0, (byte)0);
        final int code = writer.code("xdp", Assembler.assemble(
            "lddw %r1, 4", "ldxw %r0, [%r1+0]",
            "lddw %r1, 0", "ldxw %r2, [%r1+0]", "add %r0, %r2",
            "lddw %r1, 8", "ldxdw %r2, [%r1+0]", "add %r2, 1", "stxdw [%r1+0], %r2", "add %r0, %r2",
            "lddw %r1, 0", "ldxw %r2, [%r1+0]", "add %r0, %r2",
            "and %r0, 3", "exit"));
        final int five = writer.symbol("five", ElfSymbol.OBJECT, 1, data, 0, 4);
        writer.symbol("seen", ElfSymbol.OBJECT, 1, bss, 8, 8);
        writer.rel(code,
            0, ElfRelocation.BPF_64_64, writer.sectionSymbol(data),
            24, ElfRelocation.BPF_64_64, five,
            56, ElfRelocation.BPF_64_64, writer.sectionSymbol(bss),
            104, ElfRelocation.BPF_64_64, writer.sectionSymbol(constants));
        final LoadedObject loaded = load();

        assertEquals(7 + 5 + 1 + 30 & 3, run(loaded, null));
        assertEquals("01 00 00 00 00 00 00 00", loaded.get("seen"));
        loaded.set("seen", "41");
        run(loaded, null);
        assertEquals("2a 00 00 00 00 00 00 00", loaded.get("seen"));
        assertTrue(loaded.map(".rodata.cst4").isReadOnly());
    }

    @Test
    void shouldSetConstantsBeforeLoading()
    {
        final int constants = writer.data(".rodata", (byte)1, (byte)0, (byte)0, (byte)0);
        final int code = writer.code("xdp", Assembler.assemble("lddw %r1, 0", "ldxw %r0, [%r1+0]", "exit"));
        writer.rel(code, 0, ElfRelocation.BPF_64_64, writer.symbol("verdict", ElfSymbol.OBJECT, 1, constants, 0, 4));
        final BpfObject object = BpfObject.read(writer.bytes(), "test.o");
        final LoadedObject before = object.load(1, StandardHelpers.all());
        object.set("verdict", "3");
        final LoadedObject after = object.load(1, StandardHelpers.all());

        assertEquals(1, run(before, null));
        assertEquals(3, run(after, null));
        assertEquals("test.o: variable verdict is constant; set it before the object is loaded",
            assertThrows(ObjectException.class, () -> after.set("verdict", "2")).getMessage());
        assertEquals("test.o: there is no variable other; it has verdict",
            assertThrows(ObjectException.class, () -> object.set("other", "2")).getMessage());
        assertEquals("test.o: variable verdict: x is no number of 32 bits",
            assertThrows(ObjectException.class, () -> object.set("verdict", "x")).getMessage());
    }

    @Test
    void shouldFollowPointersInData()
    {
        final int strings = writer.data(".rodata.str1.1", "zero\0one".getBytes());
        final int data = writer.data(".data", ElfWriter.little(16).putLong(0).putLong(5).array());
        final int code = writer.code("xdp", Assembler.assemble(
            "lddw %r1, 8", "ldxdw %r1, [%r1+0]", "ldxb %r0, [%r1+0]", "sub %r0, 110", "exit"));
        writer.rel(code, 0, ElfRelocation.BPF_64_64, writer.sectionSymbol(data));
        writer.rel(data, 8, ElfRelocation.BPF_64_ABS64, writer.sectionSymbol(strings));

        assertEquals('o' - 110, run(load(), null));
    }

    @Test
    void shouldTakeWeakThingsOfTheKernelForNothing()
    {
        final int code = writer.code("xdp", Assembler.assemble("lddw %r1, 0", "mov %r0, 2", "jeq %r1, 0, exit",
            "f:", CALL, "exit"));
        final int kfunc = writer.symbol("bpf_new", 0, ElfWriter.WEAK, 0, 0, 0);
        writer.rel(code, 0, ElfRelocation.BPF_64_64, kfunc, 32, ElfRelocation.BPF_64_32, kfunc);

        assertEquals(2, run(load(), null));
    }

    @Test
    void shouldRefuseOtherThingsOfTheKernelByName()
    {
        final int code = writer.code("xdp", Assembler.assemble("f:", CALL, "exit", "lddw %r1, 0", "exit",
            "mov %r0, 2", "exit"));
        writer.function("calls", code, 0, 2);
        writer.function("reads", code, 2, 3);
        writer.function("good", code, 5, 2);
        writer.rel(code,
            0, ElfRelocation.BPF_64_32, writer.symbol("bpf_ct_lookup", 0, ElfWriter.GLOBAL, 0, 0, 0),
            16, ElfRelocation.BPF_64_64, writer.symbol("jiffies", 0, ElfWriter.GLOBAL, 0, 0, 0));
        final LoadedObject loaded = load();

        assertEquals(2, run(loaded, "good"));
        assertEquals("test.o: program calls, instruction 0 `call pc-1`: function bpf_ct_lookup is the kernel's and " +
            "not here; declare it __weak and ask whether it is there", loaded.refusals().get("calls"));
        assertTrue(loaded.refusals().get("reads").contains("variable jiffies is the kernel's"), loaded::toString);
        assertThrows(ObjectException.class, () -> loaded.program("calls"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "3  | call local f | is not for this instruction",
        "10 | mov %r1, 2   | is not for this instruction",
        "10 | lddw %r1, 0  | is not for this instruction",
        "1  | lddw %r1, 64 | calls instruction 8 of section .text, which has 2",
        "1  | lddw %r1, 4  | is not where an instruction begins"})
    void shouldRefuseRelocationsThatMakeNoSense(final int type, final String line, final String part)
    {
        final int text = writer.code(".text", Assembler.assemble("mov %r0, 9", "exit"));
        final int data = writer.data(".data", (byte)1);
        final int code = writer.code("xdp", Assembler.assemble("f:", line, "mov %r0, 2", "exit"));
        writer.rel(code, 0, type, writer.sectionSymbol(1 == type ? text : data));

        final String message = assertThrows(ObjectException.class, () -> load().program(null)).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void shouldRefuseFunctionsThatAreNotInTheirSection()
    {
        final int code = writer.code("xdp", Assembler.assemble("mov %r0, 2", "exit"));
        writer.function("far", code, 1, 2);
        assertEquals("test.o: function far: 16 bytes at 8 are no instructions of section xdp",
            assertThrows(ObjectException.class, this::load).getMessage());
    }

    @Test
    void shouldBoundWhatAllProgramsHaveTogether()
    {
        final long[] lines = new long[65_000];
        Arrays.fill(lines, Assembler.assemble("mov %r0, 2")[0]);
        lines[lines.length - 1] = Assembler.assemble("exit")[0];
        final int code = writer.code("xdp", lines);
        // Functions may overlap: a small file could have many long ones.
        for (int i = 0; i < 17; i++)
        {
            writer.function("f" + i, code, i, lines.length - i);
        }
        final LoadedObject loaded = load();

        assertEquals(15, loaded.verified().size());
        assertEquals("test.o: program f15: it is beyond the 1000000 instructions that all programs of an object may " +
            "have together", loaded.refusals().get("f15"));
    }

    /** A call of a function by an immediate. */
    private static long call(final int immediate)
    {
        return (long)immediate << 32 | 0x1085;
    }

    private LoadedObject load()
    {
        return BpfObject.read(writer.bytes(), "test.o").load(1, StandardHelpers.all());
    }

    static int run(final LoadedObject object, final String program)
    {
        final FrameView frame = new FrameView();
        frame.wrap(new UnsafeBuffer(new byte[512]), FrameView.FROM_GUEST, 0);
        frame.frame(0, 512, 256, 64, 64);
        final BpfContext context = new BpfContext(object.space(), BpfContext.DEFAULT_FUEL);
        final int verdict = new BpfHook(object.program(program), context).onFrame(frame);
        assertEquals(0, context.faults(), () -> String.valueOf(context.lastFault()));
        return verdict;
    }
}
