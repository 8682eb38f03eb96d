package io.ringtap.xdp.bpf;

/** How many low bits a result may have, by how many its operands have: never fewer than it has. */
final class Width
{
    private Width()
    {
    }

    /**
     * 64 bits.
     *
     * @param shift     the constant that a shift takes; -1 when it is in a register.
     * @param immediate the number of bits that a swap takes.
     */
    static int alu64(
        final int operation, final int offset, final int a, final int b, final int shift, final int immediate)
    {
        return switch (operation)
        {
            case Opcode.ADD -> Math.max(a, b) + 1;
            case Opcode.MUL -> a + b;
            case Opcode.DIV, Opcode.MOD -> 0 == offset ? a : 64;
            case Opcode.OR, Opcode.XOR -> Math.max(a, b);
            case Opcode.AND -> Math.min(a, b);
            case Opcode.LSH -> shift < 0 ? 64 : a + shift;
            case Opcode.RSH -> shift < 0 ? a : Math.max(0, a - shift);
            case Opcode.ARSH -> a > 63 ? 64 : shift < 0 ? a : Math.max(0, a - shift);
            case Opcode.MOV -> 0 == offset || b < offset ? b : 64;
            case Opcode.END -> immediate;
            default -> 64;
        };
    }

    /** 32 bits, the operands taken as zero-extended. */
    static int alu32(
        final int operation, final int offset, final int a, final int b, final int shift, final int immediate)
    {
        final int bits = switch (operation)
        {
            case Opcode.ARSH -> a > 31 ? 32 : shift < 0 ? a : Math.max(0, a - shift);
            case Opcode.END -> Math.min(32, immediate);
            default -> alu64(operation, offset, a, b, shift, immediate);
        };
        return Math.min(32, bits);
    }
}
