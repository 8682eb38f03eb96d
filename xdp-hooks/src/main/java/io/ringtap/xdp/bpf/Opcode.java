package io.ringtap.xdp.bpf;

/** The numbers of the instruction set, RFC 9669 sections 3 to 5; the names are those of linux/bpf.h. */
public final class Opcode
{
    /** Low three bits of the opcode. */
    static final int CLASS_MASK = 0x07;
    static final int LD = 0x00;
    static final int LDX = 0x01;
    static final int ST = 0x02;
    static final int STX = 0x03;
    static final int ALU = 0x04;
    static final int JMP = 0x05;
    static final int JMP32 = 0x06;
    public static final int ALU64 = 0x07;

    /** For arithmetic and jumps: the second operand is a register instead of the immediate. */
    static final int SOURCE_REGISTER = 0x08;
    /** For arithmetic and jumps: what to do. */
    static final int OPERATION_MASK = 0xf0;

    static final int ADD = 0x00;
    static final int SUB = 0x10;
    static final int MUL = 0x20;
    static final int DIV = 0x30;
    static final int OR = 0x40;
    static final int AND = 0x50;
    static final int LSH = 0x60;
    static final int RSH = 0x70;
    static final int NEG = 0x80;
    static final int MOD = 0x90;
    static final int XOR = 0xa0;
    public static final int MOV = 0xb0;
    static final int ARSH = 0xc0;
    static final int END = 0xd0;

    static final int JA = 0x00;
    static final int JEQ = 0x10;
    static final int JGT = 0x20;
    static final int JGE = 0x30;
    static final int JSET = 0x40;
    static final int JNE = 0x50;
    static final int JSGT = 0x60;
    static final int JSGE = 0x70;
    static final int CALL = 0x80;
    static final int EXIT = 0x90;
    static final int JLT = 0xa0;
    static final int JLE = 0xb0;
    static final int JSLT = 0xc0;
    static final int JSLE = 0xd0;

    /** For loads and stores: how many bytes. */
    static final int SIZE_MASK = 0x18;
    static final int W = 0x00;
    static final int H = 0x08;
    static final int B = 0x10;
    static final int DW = 0x18;

    /** For loads and stores: how to address. */
    static final int MODE_MASK = 0xe0;
    static final int IMM = 0x00;
    static final int ABS = 0x20;
    static final int IND = 0x40;
    static final int MEM = 0x60;
    static final int MEMSX = 0x80;
    static final int ATOMIC = 0xc0;

    /** Immediates of atomic operations: the operation of ADD, OR, AND, XOR, or one of these, with or without FETCH. */
    static final int FETCH = 0x01;
    static final int XCHG = 0xe0 | FETCH;
    static final int CMPXCHG = 0xf0 | FETCH;

    /** Whole opcodes that are asked for by name. */
    static final int LDDW = LD | IMM | DW;
    static final int EXIT_INSTRUCTION = JMP | EXIT;
    public static final int CALL_INSTRUCTION = JMP | CALL;
    static final int JA_INSTRUCTION = JMP | JA;
    static final int GOTOL = JMP32 | JA;

    /** Sources of LDDW, RFC 9669 section 5.4. */
    public static final int LDDW_NUMBER = 0;
    public static final int LDDW_MAP = 1;
    public static final int LDDW_MAP_VALUE = 2;
    public static final int LDDW_FUNCTION = 4;

    /** Sources of CALL. */
    public static final int CALL_HELPER = 0;
    public static final int CALL_LOCAL = 1;
    static final int CALL_KERNEL = 2;

    private Opcode()
    {
    }

    static int classOf(final int opcode)
    {
        return opcode & CLASS_MASK;
    }

    static int operation(final int opcode)
    {
        return opcode & OPERATION_MASK;
    }

    static int mode(final int opcode)
    {
        return opcode & MODE_MASK;
    }

    static boolean isRegisterSource(final int opcode)
    {
        return (opcode & SOURCE_REGISTER) != 0;
    }

    /** Bytes that a load or store moves. */
    static int width(final int opcode)
    {
        return switch (opcode & SIZE_MASK)
        {
            case W -> 4;
            case H -> 2;
            case B -> 1;
            default -> 8;
        };
    }
}
