package io.ringtap.xdp.bpf;

/** How long methods may be, and how long instructions are about. */
final class CodeSize
{
    /** HotSpot leaves longer methods to its interpreter for ever (-XX:+DontCompileHugeMethods). */
    static final int HUGE_METHOD = 8000;

    private CodeSize()
    {
    }

    /** Bytes of JVM code that an instruction becomes at most. */
    static int of(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        return switch (Opcode.classOf(opcode))
        {
            case Opcode.LD -> 6;
            case Opcode.LDX, Opcode.ST -> 26;
            case Opcode.STX -> 32;
            case Opcode.ALU, Opcode.ALU64 -> 18;
            default -> Opcode.CALL_INSTRUCTION == opcode ? 64 : 44;
        };
    }
}
