package io.ringtap.xdp.bpf;

/**
 * How many bytes of JVM code an instruction becomes at most: where methods are split is decided before they are
 * written. A test holds the sums against what was written.
 */
final class CodeSize
{
    /** HotSpot leaves longer methods to its interpreter for ever (-XX:+DontCompileHugeMethods). */
    static final int HUGE_METHOD = 8000;
    /** What a method has besides its instructions. */
    static final int FRAME = 200;
    /** What it takes to leave a part of a split method, each time. */
    static final int LEAVE = 80;

    private CodeSize()
    {
    }

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
