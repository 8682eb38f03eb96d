package io.ringtap.xdp.bpf;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Instructions as the kernel and llvm-objdump write them. */
class DisassemblerTest
{
    private static final Map<String, String> EXPECTED = Map.ofEntries(
        Map.entry("mov %r1, %r2", "r1 = r2"),
        Map.entry("mov32 %r1, -7", "w1 = -7"),
        Map.entry("movsx1664 %r1, %r2", "r1 = (s16)r2"),
        Map.entry("add %r3, 5", "r3 += 5"),
        Map.entry("sdiv32 %r3, %r4", "w3 s/= w4"),
        Map.entry("smod %r3, 3", "r3 s%= 3"),
        Map.entry("arsh %r3, 3", "r3 s>>= 3"),
        Map.entry("neg32 %r3", "w3 = -w3"),
        Map.entry("be16 %r3", "r3 = be16 r3"),
        Map.entry("le64 %r3", "r3 = le64 r3"),
        Map.entry("bswap32 %r3", "r3 = bswap32 r3"),
        Map.entry("ldxh %r3, [%r1+12]", "r3 = *(u16 *)(r1 + 12)"),
        Map.entry("ldxsw %r3, [%r10-4]", "r3 = *(s32 *)(r10 - 4)"),
        Map.entry("stxdw [%r10-8], %r1", "*(u64 *)(r10 - 8) = r1"),
        Map.entry("stb [%r1+0], 9", "*(u8 *)(r1 + 0) = 9"),
        Map.entry("lddw %r1, 0x1122334455667788", "r1 = 0x1122334455667788 ll"),
        Map.entry("lddw %r1, map3", "r1 = map[3]"),
        Map.entry("lddw %r1, mapvalue3", "r1 = map[3].value + 0"),
        Map.entry("lock add32 [%r1+8], %r2", "lock *(u32 *)(r1 + 8) += w2"),
        Map.entry("lock fetch xor [%r1-8], %r2", "r2 = atomic_fetch_xor((u64 *)(r1 - 8), r2)"),
        Map.entry("lock xchg [%r1+0], %r2", "r2 = xchg((u64 *)(r1 + 0), r2)"),
        Map.entry("lock cmpxchg32 [%r1+0], %r2", "w0 = cmpxchg((u32 *)(r1 + 0), w0, w2)"),
        Map.entry("ja +4", "goto +4"),
        Map.entry("ja32 -4", "gotol -4"),
        Map.entry("jsge %r1, 3, +2", "if r1 s>= 3 goto +2"),
        Map.entry("jset32 %r1, %r2, -9", "if w1 & w2 goto -9"),
        Map.entry("call 12", "call tail_call#12"),
        Map.entry("exit", "exit"));

    @Test
    void shouldWriteInstructionsAsTheKernelDoes()
    {
        EXPECTED.forEach((assembly, expected) ->
            assertEquals(expected, Disassembler.text(Assembler.assemble(assembly), 0), assembly));
    }

    @Test
    void shouldSayWhatIsNoInstruction()
    {
        assertEquals("opcode 0xff", Disassembler.text(0xffL, 0));
        assertEquals("opcode 0x20", Disassembler.text(Opcode.LD | Opcode.ABS, 0));
        assertEquals("call kernel-function#5", Disassembler.text(Instruction.of(0x85, 0, 2, 0, 5), 0));
    }
}
