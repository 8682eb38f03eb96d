package io.ringtap.xdp.bpf;

/**
 * The arithmetic of RFC 9669 section 4.1 where Java's differs or needs more than an operator: interpreter and compiled
 * code call the same methods. 32-bit results are zero-extended by the caller.
 */
final class Arithmetic
{
    private Arithmetic()
    {
    }

    /** 64 bits: {@code a op b}. */
    static long alu64(final int operation, final int offset, final long a, final long b)
    {
        return switch (operation)
        {
            case Opcode.ADD -> a + b;
            case Opcode.SUB -> a - b;
            case Opcode.MUL -> a * b;
            case Opcode.DIV -> 0 == offset ? divide64(a, b) : signedDivide64(a, b);
            case Opcode.OR -> a | b;
            case Opcode.AND -> a & b;
            case Opcode.LSH -> a << b;
            case Opcode.RSH -> a >>> b;
            case Opcode.NEG -> -a;
            case Opcode.MOD -> 0 == offset ? modulo64(a, b) : signedModulo64(a, b);
            case Opcode.XOR -> a ^ b;
            case Opcode.MOV -> extend(offset, b);
            case Opcode.ARSH -> a >> b;
            default -> throw new IllegalStateException("operation " + operation);
        };
    }

    /** 32 bits: {@code a op b}. */
    static int alu32(final int operation, final int offset, final int a, final int b)
    {
        return switch (operation)
        {
            case Opcode.ADD -> a + b;
            case Opcode.SUB -> a - b;
            case Opcode.MUL -> a * b;
            case Opcode.DIV -> 0 == offset ? divide32(a, b) : signedDivide32(a, b);
            case Opcode.OR -> a | b;
            case Opcode.AND -> a & b;
            case Opcode.LSH -> a << b;
            case Opcode.RSH -> a >>> b;
            case Opcode.NEG -> -a;
            case Opcode.MOD -> 0 == offset ? modulo32(a, b) : signedModulo32(a, b);
            case Opcode.XOR -> a ^ b;
            case Opcode.MOV -> (int)extend(offset, b);
            case Opcode.ARSH -> a >> b;
            default -> throw new IllegalStateException("operation " + operation);
        };
    }

    /** Sign-extends the low bits; 0 means all of them. */
    static long extend(final int bits, final long value)
    {
        return switch (bits)
        {
            case 8 -> (byte)value;
            case 16 -> (short)value;
            case 32 -> (int)value;
            default -> value;
        };
    }

    static long divide64(final long a, final long b)
    {
        return 0 == b ? 0 : Long.divideUnsigned(a, b);
    }

    static long signedDivide64(final long a, final long b)
    {
        return 0 == b ? 0 : a / b;
    }

    static long modulo64(final long a, final long b)
    {
        return 0 == b ? a : Long.remainderUnsigned(a, b);
    }

    static long signedModulo64(final long a, final long b)
    {
        return 0 == b ? a : a % b;
    }

    static int divide32(final int a, final int b)
    {
        return 0 == b ? 0 : Integer.divideUnsigned(a, b);
    }

    static int signedDivide32(final int a, final int b)
    {
        return 0 == b ? 0 : a / b;
    }

    static int modulo32(final int a, final int b)
    {
        return 0 == b ? a : Integer.remainderUnsigned(a, b);
    }

    static int signedModulo32(final int a, final int b)
    {
        return 0 == b ? a : a % b;
    }

    /** le16, le32, le64 on a little-endian machine: keeps the low bits. */
    static long little(final int bits, final long value)
    {
        return switch (bits)
        {
            case 16 -> value & 0xffff;
            case 32 -> value & 0xffff_ffffL;
            default -> value;
        };
    }

    /** be16, be32, be64 on a little-endian machine, and bswap: keeps the low bits in the other order. */
    static long swap(final int bits, final long value)
    {
        return switch (bits)
        {
            case 16 -> swap16(value);
            case 32 -> swap32(value);
            default -> Long.reverseBytes(value);
        };
    }

    static long swap16(final long value)
    {
        return Short.reverseBytes((short)value) & 0xffffL;
    }

    static long swap32(final long value)
    {
        return Integer.reverseBytes((int)value) & 0xffff_ffffL;
    }

    /** Whether a jump is taken, by operands of 64 bits. */
    static boolean jump64(final int operation, final long a, final long b)
    {
        return switch (operation)
        {
            case Opcode.JEQ -> a == b;
            case Opcode.JNE -> a != b;
            case Opcode.JSET -> (a & b) != 0;
            case Opcode.JGT -> Long.compareUnsigned(a, b) > 0;
            case Opcode.JGE -> Long.compareUnsigned(a, b) >= 0;
            case Opcode.JLT -> Long.compareUnsigned(a, b) < 0;
            case Opcode.JLE -> Long.compareUnsigned(a, b) <= 0;
            case Opcode.JSGT -> a > b;
            case Opcode.JSGE -> a >= b;
            case Opcode.JSLT -> a < b;
            case Opcode.JSLE -> a <= b;
            default -> throw new IllegalStateException("jump " + operation);
        };
    }

    /** Whether a jump is taken, by operands of 32 bits. */
    static boolean jump32(final int operation, final int a, final int b)
    {
        return switch (operation)
        {
            case Opcode.JGT, Opcode.JGE, Opcode.JLT, Opcode.JLE ->
                jump64(operation, a & 0xffff_ffffL, b & 0xffff_ffffL);
            default -> jump64(operation, a, b);
        };
    }
}
