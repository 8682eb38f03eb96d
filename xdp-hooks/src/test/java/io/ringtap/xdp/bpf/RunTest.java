package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs with frames, calls, maps, helpers and limits, in every form. */
class RunTest
{
    private static final int CLOCK = 5;
    private static final int BROKEN = 99;
    private static final int LOOP = 181;
    private static final int MOVE_HEAD = 44;
    private static final int MOVE_TAIL = 65;
    private static final int METADATA = 54;
    private static final HelperSet HELPERS = new HelperSet(List.of(
        Helper.of(Helper.MAP_LOOKUP, "map_lookup_elem", RunTest::lookup, Helper.Result.VALUE_OR_NULL,
            Helper.Argument.MAP, Helper.Argument.KEY),
        Helper.of(CLOCK, "ktime_get_ns", (c, r1, r2, r3, r4, r5) -> r1 + 2 * r2 + 3 * r3 + 4 * r4 + 5 * r5,
            Helper.Result.NUMBER),
        Helper.of(BROKEN, "broken", RunTest::fail, Helper.Result.NUMBER),
        Helper.of(LOOP, "loop", RunTest::loop, Helper.Result.NUMBER,
            Helper.Argument.NUMBER, Helper.Argument.FUNCTION),
        Helper.of(MOVE_HEAD, "xdp_adjust_head", (c, r1, r2, r3, r4, r5) -> c.moveHead((int)r2) ? 0 : -22,
            Helper.Result.NUMBER),
        Helper.of(MOVE_TAIL, "xdp_adjust_tail", (c, r1, r2, r3, r4, r5) -> c.moveTail((int)r2) ? 0 : -22,
            Helper.Result.NUMBER),
        Helper.of(METADATA, "xdp_adjust_meta", (c, r1, r2, r3, r4, r5) -> c.metadata(c.metadata() - (int)r2) ? 0 : -22,
            Helper.Result.NUMBER)));

    private final AddressSpace space = new AddressSpace();
    private final FrameView frame = Programs.frame(Programs.udp(9999));
    private List<BpfMap> maps = List.of();
    private BpfContext context;

    private static long lookup(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = c.map(r1);
        final int offset = map.lookup(c, c.readable(r2, map.keySize()), c.index());
        return BpfMap.MISSING == offset ? 0 : c.address(r1, offset);
    }

    private static long fail(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        throw new UnsupportedOperationException("no clock");
    }

    private static long loop(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        for (long i = 0; i < r1; i++)
        {
            if (0 != c.call(r2, i, r3, 0, 0, 0))
            {
                return i + 1;
            }
        }
        return r1;
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldDropOnePortOnly(final Form form)
    {
        final ProgramCode code = form.of(Programs.verified("drop", Programs.dropPort()));
        final BpfHook hook = new BpfHook(code, new BpfContext(code));

        assertEquals(XdpVerdict.DROP, hook.onFrame(Programs.frame(Programs.udp(9999))));
        assertEquals(XdpVerdict.PASS, hook.onFrame(Programs.frame(Programs.udp(9998))));
        assertEquals(XdpVerdict.PASS, hook.onFrame(Programs.frame(new byte[14])));
        assertEquals(0, hook.context().faults());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldJudgeBatchesAndLeaveWhatIsJudged(final Form form)
    {
        final ProgramCode code = form.of(Programs.verified("drop", Programs.dropPort()));
        final FrameView[] frames = {Programs.frame(Programs.udp(9999)), Programs.frame(Programs.udp(1)),
            Programs.frame(Programs.udp(9999)), Programs.frame(new byte[3]), Programs.frame(Programs.udp(9999))};
        final int[] verdicts = {XdpVerdict.PASS, XdpVerdict.PASS, XdpVerdict.TX, XdpVerdict.PASS, XdpVerdict.PASS};

        new BpfHook(code, new BpfContext(code)).onBatch(frames, 4, verdicts);

        assertEquals(List.of(XdpVerdict.DROP, XdpVerdict.PASS, XdpVerdict.TX, XdpVerdict.ABORTED, XdpVerdict.PASS),
            List.of(verdicts[0], verdicts[1], verdicts[2], verdicts[3], verdicts[4]));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldGoOnAfterAnAbortedFrame(final Form form)
    {
        final ProgramCode code = form.of(Programs.verified("first",
            Assembler.assemble("ldxw %r2, [%r1]", "ldxb %r0, [%r2+60]", "exit")));
        final byte[] longer = new byte[64];
        longer[60] = 3;
        final FrameView[] frames = {Programs.frame(new byte[60]), Programs.frame(longer)};
        final int[] verdicts = {XdpVerdict.PASS, XdpVerdict.PASS};

        new BpfHook(code, new BpfContext(code)).onBatch(frames, 2, verdicts);

        assertEquals(XdpVerdict.ABORTED, verdicts[0]);
        assertEquals(XdpVerdict.TX, verdicts[1]);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldSurviveHelpersThatFail(final Form form)
    {
        assertEquals(XdpVerdict.ABORTED, run(form, "mov %r0, 2", "call 99", "exit"));
        assertEquals("program test, instruction 1 `call skc_lookup_tcp#99`: makes the runtime fail: " +
            "java.lang.UnsupportedOperationException: no clock", context.lastFault().toString());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldShowTheContext(final Form form)
    {
        assertEquals(64, run(form, "ldxw %r0, [%r1+4]", "ldxw %r2, [%r1+0]", "sub %r0, %r2", "exit"));
        assertEquals(0, run(form, "ldxw %r0, [%r1+8]", "ldxw %r2, [%r1+0]", "sub %r0, %r2", "exit"));
        assertEquals(0, run(form, "ldxw %r0, [%r1+16]", "exit"));
        assertEquals(0, run(form, "ldxw %r0, [%r1+12]", "ldxw %r2, [%r1+20]", "add %r0, %r2", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldMoveTheEndsOfTheFrame(final Form form)
    {
        final String both = "ldxw %r2, [%r6+0]\nldxw %r0, [%r6+4]\nsub %r0, %r2";
        final String call = "mov %r6, %r1\nmov %r2, ";
        assertEquals(84, run(form, call + "-20", "call 44", "jne %r0, 0, exit", both, "exit"));
        assertEquals(Programs.HEADROOM - 20, frame.offset());
        assertEquals(64, run(form, call + "20", "call 44", "jne %r0, 0, exit", both, "exit"));
        assertEquals(-22, run(form, call + "51", "call 44", "exit"));
        assertEquals(96, run(form, call + "32", "call 65", "jne %r0, 0, exit", both, "exit"));
        assertEquals(96, frame.length());
        // What was in the headroom stays unseen.
        frame.buffer().setMemory(0, frame.offset(), (byte)0x5a);
        assertEquals(0, run(form, call + "-8", "call 44", "jne %r0, 0, exit", "ldxw %r2, [%r6+0]",
            "ldxdw %r0, [%r2]", "exit"));
        assertEquals(0, run(form, call + "-4", "call 54", "jne %r0, 0, exit", "ldxw %r2, [%r6+8]",
            "ldxw %r0, [%r2]", "exit"));
        // Metadata lies in front of data, and moves with it.
        assertEquals(77, run(form, call + "-8", "call 54", "jne %r0, 0, exit", "ldxw %r2, [%r6+8]",
            "stb [%r2], 77", "mov %r1, %r6", "mov %r2, 4", "call 44", "ldxw %r2, [%r6+8]", "ldxw %r3, [%r6+0]",
            "sub %r3, %r2", "jne %r3, 8, exit", "ldxb %r0, [%r2]", "exit"));
        assertEquals(0, context.faults());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldPassArgumentsAndKeepRegisters(final Form form)
    {
        final String args = "mov %r1, 1\nmov %r2, 20\nmov %r3, 300\nmov %r4, 4000\nmov %r5, 50000";
        assertEquals(1 + 40 + 900 + 16000 + 250000, run(form, args, "call 5", "exit"));
        assertEquals(54321, run(form, args, "mov %r6, 9", "stdw [%r10-8], 3", "call local sum", "jne %r6, 9, bad",
            "ldxdw %r6, [%r10-8]", "jne %r6, 3, bad", "jne %r2, 20, bad", "exit", "bad:", "mov %r0, -1", "exit",
            "sum:", "stdw [%r10-8], 4", "mov %r0, %r1", "add %r0, %r2", "add %r0, %r3", "add %r0, %r4",
            "add %r0, %r5", "mov %r6, 5", "mov %r2, 0", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCallBack(final Form form)
    {
        // r6 counts in the caller's stack, through a pointer that the callback gets.
        final long[] code = Assembler.assemble("stdw [%r10-8], 0", "mov %r1, 10", "lddw %r2, 0", "mov %r3, %r10",
            "add %r3, -8", "call 181", "ldxdw %r1, [%r10-8]", "add %r0, %r1", "exit",
            "each:", "ldxdw %r3, [%r2]", "add %r3, 100", "stxdw [%r2], %r3", "mov %r0, 0", "jlt %r1, 4, +1",
            "mov %r0, 1", "exit");
        code[2] = Instruction.withSource(Instruction.withImmediate(code[2], 7), Opcode.LDDW_FUNCTION);

        assertEquals(505, run(form, code));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldLookUpInMaps(final Form form)
    {
        final TestMap array = new TestMap("array", MapKind.ARRAY, 4, 10, 0);
        final TestMap perQueue = new TestMap("per_queue", MapKind.PERCPU_ARRAY, 4, 10, 4);
        final TestMap hash = new TestMap("hash", MapKind.HASH, 6, 10, 0);
        maps = List.of(array, perQueue, hash);
        array.values().putLong(72, 1001);
        perQueue.values().putLong((10 * 0 + 3) * 8, 2002);
        perQueue.values().putLong((10 * 2 + 3) * 8, 2003);
        final byte[] key = {1, 2, 3, 4, 5, 6};
        final UnsafeBuffer memory = new UnsafeBuffer(key);
        hash.update(null, memory, 0, array.values(), 72, 0);
        final String value = "call 1\njne %r0, 0, +2\nmov %r0, -5\nexit\nldxdw %r0, [%r0]\nexit";
        final String stackKey = "mov %r2, %r10\nadd %r2, -4";

        assertEquals(1001, run(form, "stw [%r10-4], 9", "lddw %r1, map0", stackKey, value));
        assertEquals(-5, run(form, "stw [%r10-4], 10", "lddw %r1, map0", stackKey, value));
        assertEquals(-5, run(form, "stw [%r10-4], -1", "lddw %r1, map0", stackKey, value));
        assertEquals(2002, run(form, "stw [%r10-4], 3", "lddw %r1, map1", stackKey, value));
        frame.wrap(frame.buffer(), FrameView.FROM_GUEST, 2);
        assertEquals(2003, run(form, "stw [%r10-4], 3", "lddw %r1, map1", stackKey, value));
        assertEquals(1001, run(form, "stw [%r10-8], 0x04030201", "sth [%r10-4], 0x0605", "lddw %r1, map2",
            "mov %r2, %r10", "add %r2, -8", value));
        assertEquals(-5, run(form, "stw [%r10-8], 0x04030201", "sth [%r10-4], 0x0606", "lddw %r1, map2",
            "mov %r2, %r10", "add %r2, -8", value));
        // A key in the frame, and one that is nowhere.
        frame.buffer().putInt(frame.offset() + 20, 9);
        assertEquals(1001, run(form, "ldxw %r2, [%r1]", "add %r2, 20", "lddw %r1, map0", value));
        assertEquals(-5, run(form, "ldxw %r2, [%r1]", "add %r2, 40", "lddw %r1, map2", value));
        assertEquals(0, run(form, "mov %r2, 0", "lddw %r1, map0", value));
        assertEquals(0, run(form, "mov %r2, 0", "lddw %r1, map2", value));
        // A map that the compiler cannot know, and one that is none.
        assertEquals(1001, run(form, "lddw %r3, map0", "stxdw [%r10-16], %r3", "stw [%r10-4], 9",
            "ldxdw %r1, [%r10-16]", stackKey, value));
        assertEquals(0, run(form, "mov %r1, 77", stackKey, value));
        assertEquals("passes a bad argument 0x4d: that is no map",
            context.lastFault().toString().replaceAll(".*: passes", "passes"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldTailCall(final Form form)
    {
        final TestMap programs = new TestMap("programs", MapKind.PROG_ARRAY, 4, 4, 0);
        maps = List.of(programs);
        programs.program(1, form.of(verify(Assembler.assemble("ldxw %r0, [%r1+4]", "ldxw %r1, [%r1]", "sub %r0, %r1",
            "add %r0, 1000", "exit"))));
        programs.program(2, form.of(verify(Assembler.assemble("lddw %r2, map0", "mov %r3, 2", "call 12",
            "mov %r0, 33", "exit"))));
        programs.program(3, form.of(verify(Assembler.assemble("mov %r0, 0", "ldxb %r0, [%r0]", "exit"))));
        final String call = "lddw %r2, map0\nmov %r3, ";

        assertEquals(1064, run(form, call + "1", "call 12", "mov %r0, 5", "exit"));
        assertEquals(5, run(form, call + "0", "call 12", "mov %r0, 5", "exit"));
        assertEquals(5, run(form, call + "4", "call 12", "mov %r0, 5", "exit"));
        assertEquals(-2, run(form, call + "-1", "call 12", "exit"));
        // The 34th call fails, and the program that tried it goes on.
        assertEquals(33, run(form, call + "2", "call 12", "mov %r0, 5", "exit"));
        // From a function, the other program's result is the function's.
        assertEquals(1065, run(form, "call local f", "add %r0, 1", "exit", "f:", call + "1", "call 12",
            "mov %r0, 5", "exit"));
        assertEquals(0, run(form, call + "3", "call 12", "exit"));
        assertTrue(context.lastFault().toString().contains("instruction 1 `r0 = *(u8 *)(r0 + 0)`"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldEndWhatDoesNotEnd(final Form form)
    {
        assertEquals(0, run(form, "again:", "ja again"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldBurnFuelOnWaysBackAndCallsOnly(final Form form)
    {
        // 5 slots a round: the loop ends itself after 10 ways back, and 50 are just enough.
        final String[] loop = {"mov %r0, 0", "again:", "mov %r2, 0", "lddw %r3, 7", "add %r0, 1",
            "jne %r0, 11, again", "exit"};
        assertEquals(11, run(form, 50, Assembler.assemble(loop)));
        assertEquals(0, run(form, 49, Assembler.assemble(loop)));
        assertEquals(FaultKind.FUEL, context.lastFault().kind());
        assertEquals(5, context.lastFault().instruction());
        final String[] call = {"call local f", "call local f", "exit", "f:", "mov %r0, 3", "exit"};
        assertEquals(3, run(form, 4, Assembler.assemble(call)));
        assertEquals(0, run(form, 3, Assembler.assemble(call)));
        assertEquals(1, context.lastFault().instruction());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCountFuelInFunctionsThatLoop(final Form form)
    {
        final String[] lines = {"mov %r6, 0", "again:", "call local f", "add %r6, 1", "jne %r6, 5, again",
            "mov %r0, %r6", "exit", "f:", "mov %r0, 0", "in:", "add %r0, 1", "jne %r0, 4, in", "exit"};
        // 5 calls of 4 slots, each with 3 ways back of 2, and 4 ways back of 3.
        assertEquals(5, run(form, 5 * 4 + 5 * 3 * 2 + 4 * 3, Assembler.assemble(lines)));
        assertEquals(0, run(form, 5 * 4 + 5 * 3 * 2 + 4 * 3 - 1, Assembler.assemble(lines)));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldEndCallbacksThatNestTooDeep(final Form form)
    {
        final long[] code = Assembler.assemble("mov %r1, 1", "lddw %r2, 0", "call 181", "exit",
            "f:", "call local g", "exit", "g:", "call local h", "exit", "h:", "call local i", "exit",
            "i:", "call local j", "exit", "j:", "call local k", "exit", "k:", "call local l", "exit",
            "l:", "mov %r0, 0", "exit");
        code[1] = Instruction.withSource(Instruction.withImmediate(code[1], 3), Opcode.LDDW_FUNCTION);
        assertEquals(1, run(form, code));
    }

    private BpfProgram verify(final long[] code)
    {
        maps.forEach(space::add);
        return Verifier.verify(new ProgramText("test", code, maps, space, Map.of(), LineTable.NONE, ""), HELPERS);
    }

    private int run(final Form form, final String... lines)
    {
        return run(form, Assembler.assemble(lines));
    }

    private int run(final Form form, final long[] code)
    {
        return run(form, BpfContext.DEFAULT_FUEL, code);
    }

    private int run(final Form form, final int fuel, final long[] code)
    {
        final ProgramCode program = form.of(verify(code));
        context = new BpfContext(space, fuel);
        return new BpfHook(program, context).onFrame(frame);
    }
}
