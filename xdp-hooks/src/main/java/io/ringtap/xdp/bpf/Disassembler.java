package io.ringtap.xdp.bpf;

/** Instructions as text, in the words that the kernel's verifier and llvm-objdump use. */
public final class Disassembler
{
    private Disassembler()
    {
    }

    /**
     * One instruction.
     *
     * @param next the slot behind it, where wide instructions keep their upper half; anything else otherwise.
     */
    public static String text(final long instruction, final long next)
    {
        final int opcode = Instruction.opcode(instruction);
        return switch (Opcode.classOf(opcode))
        {
            case Opcode.LD -> load64(instruction, next);
            case Opcode.LDX -> load(instruction);
            case Opcode.ST -> memory(instruction, 'u') + " = " + Instruction.immediate(instruction);
            case Opcode.STX -> Opcode.ATOMIC == Opcode.mode(opcode) ?
                atomic(instruction) :
                memory(instruction, 'u') + " = " + source(instruction, 'r');
            case Opcode.ALU -> arithmetic(instruction, 'w');
            case Opcode.ALU64 -> arithmetic(instruction, 'r');
            case Opcode.JMP -> jump(instruction, 'r');
            default -> jump(instruction, 'w');
        };
    }

    /** The instruction at an index of some code. */
    public static String text(final long[] code, final int index)
    {
        return text(code[index], index + 1 < code.length ? code[index + 1] : 0);
    }

    private static String load64(final long instruction, final long next)
    {
        if (!Instruction.isWide(instruction))
        {
            return unknown(instruction);
        }
        final int low = Instruction.immediate(instruction);
        final int high = Instruction.immediate(next);
        final String destination = destination(instruction, 'r') + " = ";
        return destination + switch (Instruction.source(instruction))
        {
            case Opcode.LDDW_NUMBER -> "0x" + Long.toHexString((long)high << 32 | low & 0xffff_ffffL) + " ll";
            case Opcode.LDDW_MAP -> "map[" + low + "]";
            case Opcode.LDDW_MAP_VALUE -> "map[" + low + "].value + " + high;
            case Opcode.LDDW_FUNCTION -> "function pc" + signed(low);
            default -> "0x" + Integer.toHexString(low) + " of source " + Instruction.source(instruction);
        };
    }

    private static String load(final long instruction)
    {
        return switch (Opcode.mode(Instruction.opcode(instruction)))
        {
            case Opcode.MEM -> destination(instruction, 'r') + " = " + memoryOfSource(instruction, 'u');
            case Opcode.MEMSX -> destination(instruction, 'r') + " = " + memoryOfSource(instruction, 's');
            default -> unknown(instruction);
        };
    }

    private static String atomic(final long instruction)
    {
        final int operation = Instruction.immediate(instruction);
        final char register = 4 == Opcode.width(Instruction.opcode(instruction)) ? 'w' : 'r';
        final String address = "(u" + 8 * Opcode.width(Instruction.opcode(instruction)) + " *)(r" +
            Instruction.destination(instruction) + offset(instruction) + ")";
        final String source = source(instruction, register);
        final boolean fetches = (operation & Opcode.FETCH) != 0;
        return switch (operation)
        {
            case Opcode.XCHG -> source + " = xchg(" + address + ", " + source + ")";
            case Opcode.CMPXCHG ->
                register + "0 = cmpxchg(" + address + ", " + register + "0, " + source + ")";
            default -> fetches ?
                source + " = atomic_fetch_" + atomicName(operation) + "(" + address + ", " + source + ")" :
                "lock *" + address + " " + symbol(operation) + " " + source;
        };
    }

    private static String atomicName(final int operation)
    {
        return switch (operation & ~Opcode.FETCH)
        {
            case Opcode.ADD -> "add";
            case Opcode.OR -> "or";
            case Opcode.AND -> "and";
            case Opcode.XOR -> "xor";
            default -> "0x" + Integer.toHexString(operation);
        };
    }

    private static String arithmetic(final long instruction, final char register)
    {
        final int opcode = Instruction.opcode(instruction);
        final int operation = Opcode.operation(opcode);
        final String destination = destination(instruction, register);
        if (operation > Opcode.END)
        {
            return unknown(instruction);
        }
        if (Opcode.NEG == operation)
        {
            return destination + " = -" + destination;
        }
        if (Opcode.END == operation)
        {
            final String name = Opcode.ALU64 == Opcode.classOf(opcode) ?
                "bswap" :
                Opcode.isRegisterSource(opcode) ? "be" : "le";
            final String whole = destination(instruction, 'r');
            return whole + " = " + name + Instruction.immediate(instruction) + " " + whole;
        }
        final String operand = Opcode.isRegisterSource(opcode) ?
            source(instruction, register) :
            String.valueOf(Instruction.immediate(instruction));
        final int offset = Instruction.offset(instruction);
        if (Opcode.MOV == operation && 0 != offset)
        {
            return destination + " = (s" + offset + ")" + operand;
        }
        final boolean isSigned = 1 == offset && (Opcode.DIV == operation || Opcode.MOD == operation);
        return destination + " " + (isSigned ? "s" : "") + symbol(operation) + " " + operand;
    }

    private static String jump(final long instruction, final char register)
    {
        final int opcode = Instruction.opcode(instruction);
        final int operation = Opcode.operation(opcode);
        switch (opcode)
        {
            case Opcode.EXIT_INSTRUCTION ->
            {
                return "exit";
            }
            case Opcode.CALL_INSTRUCTION ->
            {
                return call(instruction);
            }
            case Opcode.JA_INSTRUCTION ->
            {
                return "goto " + signed(Instruction.offset(instruction));
            }
            case Opcode.GOTOL ->
            {
                return "gotol " + signed(Instruction.immediate(instruction));
            }
            default ->
            {
                if (comparison(operation).isEmpty())
                {
                    return unknown(instruction);
                }
            }
        }
        final String operand = Opcode.isRegisterSource(opcode) ?
            source(instruction, register) :
            String.valueOf(Instruction.immediate(instruction));
        return "if " + destination(instruction, register) + " " + comparison(operation) + " " + operand +
            " goto " + signed(Instruction.offset(instruction));
    }

    private static String call(final long instruction)
    {
        final int immediate = Instruction.immediate(instruction);
        return switch (Instruction.source(instruction))
        {
            case Opcode.CALL_HELPER -> "call " + HelperNames.of(immediate);
            case Opcode.CALL_LOCAL -> "call pc" + signed(immediate);
            default -> "call kernel-function#" + immediate;
        };
    }

    private static String symbol(final int operation)
    {
        return switch (operation)
        {
            case Opcode.ADD -> "+=";
            case Opcode.SUB -> "-=";
            case Opcode.MUL -> "*=";
            case Opcode.DIV -> "/=";
            case Opcode.OR -> "|=";
            case Opcode.AND -> "&=";
            case Opcode.LSH -> "<<=";
            case Opcode.RSH -> ">>=";
            case Opcode.MOD -> "%=";
            case Opcode.XOR -> "^=";
            case Opcode.MOV -> "=";
            case Opcode.ARSH -> "s>>=";
            default -> "?";
        };
    }

    private static String comparison(final int operation)
    {
        return switch (operation)
        {
            case Opcode.JEQ -> "==";
            case Opcode.JGT -> ">";
            case Opcode.JGE -> ">=";
            case Opcode.JSET -> "&";
            case Opcode.JNE -> "!=";
            case Opcode.JSGT -> "s>";
            case Opcode.JSGE -> "s>=";
            case Opcode.JLT -> "<";
            case Opcode.JLE -> "<=";
            case Opcode.JSLT -> "s<";
            case Opcode.JSLE -> "s<=";
            default -> "";
        };
    }

    private static String memory(final long instruction, final char sign)
    {
        if (Opcode.MEM != Opcode.mode(Instruction.opcode(instruction)))
        {
            return unknown(instruction);
        }
        return memory(instruction, sign, Instruction.destination(instruction));
    }

    private static String memoryOfSource(final long instruction, final char sign)
    {
        return memory(instruction, sign, Instruction.source(instruction));
    }

    private static String memory(final long instruction, final char sign, final int register)
    {
        return "*(" + sign + 8 * Opcode.width(Instruction.opcode(instruction)) + " *)(r" + register +
            offset(instruction) + ")";
    }

    private static String offset(final long instruction)
    {
        final int offset = Instruction.offset(instruction);
        return offset < 0 ? " - " + -offset : " + " + offset;
    }

    private static String signed(final int number)
    {
        return number < 0 ? String.valueOf(number) : "+" + number;
    }

    private static String destination(final long instruction, final char register)
    {
        return register + String.valueOf(Instruction.destination(instruction));
    }

    private static String source(final long instruction, final char register)
    {
        return register + String.valueOf(Instruction.source(instruction));
    }

    private static String unknown(final long instruction)
    {
        return String.format("opcode 0x%02x", Instruction.opcode(instruction));
    }
}
