package io.ringtap.xdp.bpf;

/** How many low bits a result may have, by how many its operands have: never fewer than it has. */
final class Width
{
    /**
     * Width of what comes of a number by adding constants: pointers and counters of loops, which would otherwise seem
     * to grow with each round. Fuel ends a run before {@link BpfContext#MAX_FUEL} instructions, each of which adds less
     * than 2^31, so that all a function can add is less than 2^57; to a number of less than 2^59 that makes less than
     * 2^60. No other operation yields this width, see {@link #other}: the sum of two sums might double with each round.
     */
    static final int SUM = 60;

    /** Numbers up to this width are followed bit by bit when constants are added. */
    private static final int SMALL = 33;

    private Width()
    {
    }

    /** The sum of a register and a constant that is not negative. */
    static int plus(final int a, final int constant)
    {
        final int bits = Math.max(a, constant) + 1;
        return SUM == a || a <= SMALL && bits > SMALL ? SUM : other(bits);
    }

    /** The width of anything but such a sum. */
    static int other(final int bits)
    {
        return SUM == bits ? SUM + 1 : bits;
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
