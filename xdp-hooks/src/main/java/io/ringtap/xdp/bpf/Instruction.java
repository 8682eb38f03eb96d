package io.ringtap.xdp.bpf;

/**
 * Fields of one instruction in a {@code long}, as its eight bytes read in little-endian order (RFC 9669 section 3.1).
 * <pre>
 *  63           32 31     16 15    12 11     8 7      0
 *  +--------------+---------+--------+--------+--------+
 *  |  immediate   | offset  | source | destin.| opcode |
 *  +--------------+---------+--------+--------+--------+
 * </pre>
 * A wide one ({@link #isWide}) is followed by a slot that carries nothing but the upper half of its immediate.
 */
public final class Instruction
{
    /** Bytes of one slot. */
    public static final int LENGTH = 8;

    private Instruction()
    {
    }

    /** Puts an instruction together. */
    public static long of(
        final int opcode, final int destination, final int source, final int offset, final int immediate)
    {
        return (long)immediate << 32 | (offset & 0xffffL) << 16 | (source & 0xfL) << 12 | (destination & 0xfL) << 8 |
            opcode & 0xffL;
    }

    public static int opcode(final long instruction)
    {
        return (int)instruction & 0xff;
    }

    public static int destination(final long instruction)
    {
        return (int)instruction >>> 8 & 0xf;
    }

    public static int source(final long instruction)
    {
        return (int)instruction >>> 12 & 0xf;
    }

    public static int offset(final long instruction)
    {
        return (int)instruction >> 16;
    }

    public static int immediate(final long instruction)
    {
        return (int)(instruction >> 32);
    }

    /** The same instruction with another immediate: what relocations do. */
    public static long withImmediate(final long instruction, final int immediate)
    {
        return (long)immediate << 32 | instruction & 0xffff_ffffL;
    }

    /** The same instruction with another source: what marks a number as a map or a function. */
    public static long withSource(final long instruction, final int source)
    {
        return instruction & ~0xf000L | (source & 0xfL) << 12;
    }

    /** Whether a second slot belongs to it. */
    public static boolean isWide(final long instruction)
    {
        return Opcode.LDDW == opcode(instruction);
    }
}
