package io.ringtap.xdp.bpf;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** What the verifier refuses, and in which words. */
class VerifierTest
{
    private static final long EXIT = Opcode.EXIT_INSTRUCTION;

    @Test
    void shouldNameProgramInstructionAndLine()
    {
        final LineTable lines = new LineTable(List.of(new LineTable.Line(1, "drop.c", 31, "\treturn x;")));
        final ProgramText text = new ProgramText("drop", Assembler.assemble("mov %r0, 1", "mov %r10, 3", "exit"),
            List.of(), new AddressSpace(), Map.of(), lines, "GPL");

        assertEquals("program drop, instruction 1 `r10 = 3` (drop.c:31: return x;): r10 is only to be read",
            assertThrows(VerifierException.class, () -> Verifier.verify(text, HelperSet.NONE)).getMessage());
    }

    @Test
    void shouldRefuseInstructionsThatAreNone()
    {
        for (int opcode = 0; opcode < 256; opcode++)
        {
            final boolean exists = switch (Opcode.classOf(opcode))
            {
                case Opcode.LD -> Opcode.LDDW == opcode;
                case Opcode.LDX -> Opcode.mode(opcode) == Opcode.MEM ||
                    Opcode.mode(opcode) == Opcode.MEMSX && Opcode.width(opcode) < 8;
                case Opcode.ST -> Opcode.mode(opcode) == Opcode.MEM;
                case Opcode.STX -> Opcode.mode(opcode) == Opcode.MEM ||
                    Opcode.mode(opcode) == Opcode.ATOMIC && Opcode.width(opcode) >= 4;
                case Opcode.ALU, Opcode.ALU64 -> opcode < 0xe0 && (opcode & 0xf8) != (Opcode.NEG | 8) &&
                    opcode != (Opcode.ALU64 | Opcode.END | 8);
                case Opcode.JMP -> opcode < 0xe0 && opcode != (Opcode.JA | 8 | Opcode.JMP) &&
                    opcode != (Opcode.CALL | 8 | Opcode.JMP) && opcode != (Opcode.EXIT | 8 | Opcode.JMP);
                default -> opcode < 0xe0 && opcode != (Opcode.JA | 8 | Opcode.JMP32) &&
                    Opcode.operation(opcode) != Opcode.CALL && Opcode.operation(opcode) != Opcode.EXIT;
            };
            final int immediate = Opcode.END == Opcode.operation(opcode) && Opcode.classOf(opcode) % 3 == 1 ? 16 : 0;
            final ProgramText text = ProgramText.of("test", Instruction.of(opcode, 0, 0, 0, immediate),
                Opcode.LDDW == opcode ? 0 : EXIT, EXIT);
            final String complaint = new InstructionCheck(text, HelperSet.NONE).complaint(0);
            final boolean isCall = Opcode.CALL_INSTRUCTION == opcode;
            assertEquals(exists, null == complaint || isCall, "opcode 0x" + Integer.toHexString(opcode) + complaint);
        }
    }

    @Test
    void shouldRefuseWhatReservedFieldsHold()
    {
        final String reserved = "a reserved field is not 0";
        refused(reserved, Instruction.of(Opcode.ALU64 | Opcode.ADD, 1, 2, 0, 5));
        refused(reserved, Instruction.of(Opcode.ALU64 | Opcode.ADD | 8, 1, 2, 0, 5));
        refused("offset 3 means nothing here", Instruction.of(Opcode.ALU64 | Opcode.ADD, 1, 0, 3, 5));
        refused("offset 2 means nothing here", Instruction.of(Opcode.ALU | Opcode.DIV, 1, 0, 2, 5));
        refused("offset 8 means nothing here", Instruction.of(Opcode.ALU | Opcode.MOV, 1, 0, 8, 5));
        refused("offset 32 means nothing here", Instruction.of(Opcode.ALU | Opcode.MOV | 8, 1, 2, 32, 0));
        refused("swaps 16, 32 or 64 bits, not 8", Instruction.of(Opcode.ALU | Opcode.END, 1, 0, 0, 8));
        refused(reserved, Instruction.of(Opcode.ALU | Opcode.NEG, 1, 2, 0, 0));
        refused(reserved, Instruction.of(Opcode.LDX | Opcode.MEM, 1, 2, 0, 1));
        refused(reserved, Instruction.of(Opcode.STX | Opcode.MEM, 1, 2, 0, 1));
        refused(reserved, Instruction.of(Opcode.ST | Opcode.MEM, 1, 2, 0, 1));
        refused(reserved, Instruction.of(Opcode.JA_INSTRUCTION, 1, 0, 0, 0));
        refused(reserved, Instruction.of(Opcode.GOTOL, 0, 0, 1, 0));
        refused(reserved, Instruction.of(Opcode.JMP | Opcode.JEQ | 8, 0, 1, 0, 7));
        refused(reserved, Instruction.of(Opcode.EXIT_INSTRUCTION, 0, 0, 0, 7));
        refused("there are no registers above r10", Instruction.of(Opcode.ALU64 | Opcode.MOV | 8, 11, 0, 0, 0));
        refused("there are no registers above r10", Instruction.of(Opcode.ALU64 | Opcode.MOV | 8, 0, 15, 0, 0));
    }

    @Test
    void shouldRefuseWritesToTheFramePointer()
    {
        final String readOnly = "r10 is only to be read";
        refused(readOnly, Assembler.assemble("add %r10, 1"));
        refused(readOnly, Assembler.assemble("ldxw %r10, [%r1]"));
        refused(readOnly, Assembler.assemble("lddw %r10, 1"));
        refused(readOnly, Assembler.assemble("be16 %r10"));
        refused(readOnly, Assembler.assemble("lock fetch add [%r1], %r10"));
        refused(readOnly, Assembler.assemble("lock xchg [%r1], %r10"));
    }

    @Test
    void shouldRefuseAccessBeyondTheStackFrame()
    {
        refused("8 bytes at -4 are not in the function's stack of 512", Assembler.assemble("stdw [%r10-4], 0"));
        refused("1 bytes at 0 are not in the function's stack of 512", Assembler.assemble("ldxb %r1, [%r10]"));
        refused("4 bytes at -513 are not in the function's stack of 512", Assembler.assemble("ldxw %r1, [%r10-513]"));
        refused("8 bytes at -520 are not in the function's stack of 512",
            Assembler.assemble("lock add [%r10-520], %r1"));
    }

    @Test
    void shouldRefuseJumpsThatLeaveTheFunction()
    {
        refused("jumps to 2, out of its function of 0 to 1", Assembler.assemble("ja +1"));
        refused("jumps to -1, out of its function of 0 to 1", Assembler.assemble("jeq %r1, 0, -2"));
        refused("jumps into the middle of instruction 1", Assembler.assemble("jeq %r1, 0, +1", "lddw %r1, 1"));
        refused("jumps to 4, out of its function of 0 to 2",
            Assembler.assemble("call local f", "jeq %r1, 0, +2", "exit", "f:", "mov %r0, 1"));
        refused("calls instruction 9, which is none of the 2", Instruction.of(Opcode.CALL_INSTRUCTION, 0, 1, 0, 8));
        refused("calls instruction -2, which is none of the 2", Instruction.of(Opcode.CALL_INSTRUCTION, 0, 1, 0, -3));
    }

    @Test
    void shouldRefuseWhatIsNotReachedAndWhatDoesNotEnd()
    {
        refused("nothing leads here", Assembler.assemble("ja +1", "mov %r0, 1"));
        assertEquals("program test, instruction 0 `r0 = 1`: the function ends without exit", message(
            Assembler.assemble("mov %r0, 1")));
        assertEquals("program test, instruction 0 `r0 = 0x1 ll`: its second half is missing", message(
            Instruction.of(Opcode.LDDW, 0, 0, 0, 1)));
        assertEquals("program test: 0 instructions, must be 1 to 65536", message());
        assertEquals("program test: 65537 instructions, must be 1 to 65536", message(new long[65_537]));
    }

    @Test
    void shouldRefuseCallsThatCannotBe()
    {
        refused("there is no helper rc_repeat#77 here", Assembler.assemble("call 77"));
        refused("calls through registers are not part of RFC 9669", Assembler.assemble("call %r2"));
        refused("functions of the kernel are not here", Instruction.of(Opcode.CALL_INSTRUCTION, 0, 2, 0, 5));
        refused("a function that calls itself", Assembler.assemble("again:", "call local again"));
        refused("a function that calls itself", Assembler.assemble("call local g", "exit", "f:", "mov %r0, 0",
            "call local g", "exit", "g:", "call local f"));
        final StringBuilder deep = new StringBuilder("call local f1\nexit\n");
        for (int i = 1; i < 8; i++)
        {
            deep.append("f").append(i).append(":\ncall local f").append(i + 1).append("\nexit\n");
        }
        refused("calls are nested deeper than 8 functions", Assembler.assemble(deep + "f8:\nmov %r0, 0"));
    }

    @Test
    void shouldRefuseMapsThatAreNone()
    {
        refused("map 0 is none of the program's 0", Assembler.assemble("lddw %r1, map0"));
        refused("source 3 is for the kernel's own objects",
            Instruction.of(Opcode.LDDW, 1, 3, 0, 0), 0);
        final BpfMap map = new MemoryMap("values", new byte[8]);
        final AddressSpace space = new AddressSpace();
        final long[] far = Assembler.assemble("lddw %r1, mapvalue0", "exit");
        far[1] = Instruction.of(0, 0, 0, 0, 8);
        final ProgramText strange =
            new ProgramText("test", far, List.of(map), space, Map.of(), LineTable.NONE, "");
        assertEquals("program test: ARRAY values is not in its address space",
            assertThrows(VerifierException.class, () -> Verifier.verify(strange, HelperSet.NONE)).getMessage());
        space.add(map);
        assertEquals("program test, instruction 0 `r1 = map[0].value + 8`: " +
            "offset 8 is out of the 8 bytes of ARRAY values",
            assertThrows(VerifierException.class, () -> Verifier.verify(strange, HelperSet.NONE)).getMessage());
    }

    @Test
    void shouldAcceptWhatTheKernelRefusesForItsOddImmediates()
    {
        assertNotNull(Programs.verified("odd",
            Assembler.assemble("lsh %r1, 100", "arsh32 %r1, -1", "div %r1, 0", "mod32 %r1, 0", "exit")));
    }

    @Test
    void shouldKeepNamesOfFunctions()
    {
        final ProgramText text = new ProgramText("entry", Assembler.assemble(
            "call local f", "exit", "f:", "call local g", "exit", "g:", "mov %r0, 1", "exit"), List.of(),
            new AddressSpace(), Map.of(2, "parse"), LineTable.NONE, "");
        assertEquals(List.of(new BpfFunction("entry", 0, 2), new BpfFunction("parse", 2, 4),
            new BpfFunction("function4", 4, 6)), Verifier.verify(text, HelperSet.NONE).functions());
    }

    /** Refused for the reason, with an exit behind the code. */
    private static void refused(final String reason, final long... code)
    {
        final long[] ended = Arrays.copyOf(code, code.length + 1);
        ended[code.length] = EXIT;
        final String said = message(ended);
        assertEquals(reason, said.substring(said.lastIndexOf("`: ") + 3), said);
    }

    private static String message(final long... code)
    {
        return assertThrows(VerifierException.class, () -> Programs.verified("test", code)).getMessage();
    }
}
