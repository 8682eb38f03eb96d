package io.ringtap.xdp.bpf;

/** Judges instructions one by one: whether they exist, and whether their fields hold what they may hold. */
final class InstructionCheck
{
    private static final int FRAME_POINTER = 10;

    private final ProgramText text;
    private final long[] code;
    private final HelperSet helpers;

    InstructionCheck(final ProgramText text, final HelperSet helpers)
    {
        this.text = text;
        code = text.code();
        this.helpers = helpers;
    }

    /** What is wrong with the instruction; null when nothing is. */
    String complaint(final int at)
    {
        final long instruction = code[at];
        if (Instruction.destination(instruction) > FRAME_POINTER || Instruction.source(instruction) > FRAME_POINTER)
        {
            return "there are no registers above r10";
        }
        final int opcode = Instruction.opcode(instruction);
        return switch (Opcode.classOf(opcode))
        {
            case Opcode.LD -> ofWide(at);
            case Opcode.LDX -> ofLoad(instruction);
            case Opcode.ST -> ofStore(instruction, 0 != Instruction.source(instruction));
            case Opcode.STX -> Opcode.ATOMIC == Opcode.mode(opcode) ?
                ofAtomic(instruction) :
                ofStore(instruction, 0 != Instruction.immediate(instruction));
            case Opcode.ALU, Opcode.ALU64 -> ofArithmetic(instruction);
            default -> ofJump(instruction);
        };
    }

    private String ofWide(final int at)
    {
        final long instruction = code[at];
        if (!Instruction.isWide(instruction))
        {
            return Opcode.ABS == Opcode.mode(Instruction.opcode(instruction)) ||
                Opcode.IND == Opcode.mode(Instruction.opcode(instruction)) ?
                "legacy packet access is not for XDP" :
                unknown();
        }
        if (at + 1 >= code.length || (code[at + 1] & 0xffff_ffffL) != 0)
        {
            return "its second half is missing";
        }
        if (FRAME_POINTER == Instruction.destination(instruction))
        {
            return readOnly();
        }
        final int high = Instruction.immediate(code[at + 1]);
        return 0 != Instruction.offset(instruction) ? reserved() : switch (Instruction.source(instruction))
        {
            case Opcode.LDDW_NUMBER -> null;
            case Opcode.LDDW_MAP -> 0 != high ? reserved() : mapComplaint(Instruction.immediate(instruction), -1);
            case Opcode.LDDW_MAP_VALUE -> mapComplaint(Instruction.immediate(instruction), high);
            case Opcode.LDDW_FUNCTION -> 0 != high ? reserved() : null;
            default -> "source " + Instruction.source(instruction) + " is for the kernel's own objects";
        };
    }

    /** @param offset into the map's values; -1 when the map itself is meant. */
    private String mapComplaint(final int index, final int offset)
    {
        if (index < 0 || index >= text.maps().size())
        {
            return "map " + index + " is none of the program's " + text.maps().size();
        }
        final BpfMap map = text.maps().get(index);
        if (-1 == offset)
        {
            return null;
        }
        if (MapKind.ARRAY != map.kind())
        {
            return map + " has no single value";
        }
        final int size = map.values().capacity();
        return offset < 0 || offset >= size ? "offset " + offset + " is out of the " + size + " bytes of " + map : null;
    }

    private static String ofLoad(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int mode = Opcode.mode(opcode);
        final int width = Opcode.width(opcode);
        if (Opcode.MEM != mode && (Opcode.MEMSX != mode || 8 == width))
        {
            return unknown();
        }
        if (FRAME_POINTER == Instruction.destination(instruction))
        {
            return readOnly();
        }
        return 0 != Instruction.immediate(instruction) ?
            reserved() :
            ofStack(Instruction.source(instruction), Instruction.offset(instruction), width);
    }

    private static String ofStore(final long instruction, final boolean usesReserved)
    {
        final int opcode = Instruction.opcode(instruction);
        if (Opcode.MEM != Opcode.mode(opcode))
        {
            return unknown();
        }
        return usesReserved ?
            reserved() :
            ofStack(Instruction.destination(instruction), Instruction.offset(instruction), Opcode.width(opcode));
    }

    private static String ofAtomic(final long instruction)
    {
        final int width = Opcode.width(Instruction.opcode(instruction));
        if (width < 4)
        {
            return "atomic operations have 4 or 8 bytes";
        }
        final int operation = Instruction.immediate(instruction);
        switch (operation)
        {
            case Opcode.ADD, Opcode.OR, Opcode.AND, Opcode.XOR ->
            {
                // These leave the source register as it is.
            }
            case Opcode.ADD | Opcode.FETCH, Opcode.OR | Opcode.FETCH, Opcode.AND | Opcode.FETCH,
                Opcode.XOR | Opcode.FETCH, Opcode.XCHG ->
            {
                if (FRAME_POINTER == Instruction.source(instruction))
                {
                    return readOnly();
                }
            }
            case Opcode.CMPXCHG ->
            {
                // Writes r0.
            }
            default ->
            {
                return "there is no atomic operation 0x" + Integer.toHexString(operation);
            }
        }
        return ofStack(Instruction.destination(instruction), Instruction.offset(instruction), width);
    }

    private static String ofStack(final int base, final int offset, final int width)
    {
        return FRAME_POINTER == base && (offset < -AddressSpace.FRAME_LENGTH || offset + width > 0) ?
            width + " bytes at " + offset + " are not in the function's stack of " + AddressSpace.FRAME_LENGTH :
            null;
    }

    private static String ofArithmetic(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int operation = Opcode.operation(opcode);
        if (FRAME_POINTER == Instruction.destination(instruction))
        {
            return readOnly();
        }
        if (Opcode.END == operation)
        {
            return ofSwap(instruction);
        }
        if (operation > Opcode.END || Opcode.NEG == operation && Opcode.isRegisterSource(opcode))
        {
            return unknown();
        }
        final boolean usesReserved = Opcode.NEG == operation || Opcode.isRegisterSource(opcode) ?
            0 != Instruction.immediate(instruction) :
            0 != Instruction.source(instruction);
        if (usesReserved || Opcode.NEG == operation && 0 != Instruction.source(instruction))
        {
            return reserved();
        }
        return ofVariant(opcode, operation, Instruction.offset(instruction));
    }

    /** The offset of an arithmetic instruction says whether it is one of the signed ones of cpu v4. */
    private static String ofVariant(final int opcode, final int operation, final int offset)
    {
        final boolean exists = switch (operation)
        {
            case Opcode.DIV, Opcode.MOD -> 0 == offset || 1 == offset;
            case Opcode.MOV -> 0 == offset || Opcode.isRegisterSource(opcode) && (8 == offset || 16 == offset ||
                32 == offset && Opcode.ALU64 == Opcode.classOf(opcode));
            default -> 0 == offset;
        };
        return exists ? null : "offset " + offset + " means nothing here";
    }

    private static String ofSwap(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int bits = Instruction.immediate(instruction);
        if (Opcode.ALU64 == Opcode.classOf(opcode) && Opcode.isRegisterSource(opcode))
        {
            return unknown();
        }
        if (16 != bits && 32 != bits && 64 != bits)
        {
            return "swaps 16, 32 or 64 bits, not " + bits;
        }
        return 0 != Instruction.source(instruction) || 0 != Instruction.offset(instruction) ? reserved() : null;
    }

    private String ofJump(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int immediate = Instruction.immediate(instruction);
        final boolean hasRegisters = 0 != Instruction.source(instruction) || 0 != Instruction.destination(instruction);
        switch (opcode)
        {
            case Opcode.CALL_INSTRUCTION ->
            {
                return ofCall(instruction);
            }
            case Opcode.EXIT_INSTRUCTION ->
            {
                return hasRegisters || 0 != Instruction.offset(instruction) || 0 != immediate ? reserved() : null;
            }
            case Opcode.JA_INSTRUCTION ->
            {
                return hasRegisters || 0 != immediate ? reserved() : null;
            }
            case Opcode.GOTOL ->
            {
                return hasRegisters || 0 != Instruction.offset(instruction) ? reserved() : null;
            }
            case Opcode.CALL_INSTRUCTION | Opcode.SOURCE_REGISTER ->
            {
                return "calls through registers are not part of RFC 9669";
            }
            default ->
            {
                final int operation = Opcode.operation(opcode);
                if (Opcode.JA == operation || Opcode.CALL == operation || Opcode.EXIT == operation ||
                    operation > Opcode.JSLE)
                {
                    return unknown();
                }
                return 0 != (Opcode.isRegisterSource(opcode) ? immediate : Instruction.source(instruction)) ?
                    reserved() :
                    null;
            }
        }
    }

    private String ofCall(final long instruction)
    {
        if (0 != Instruction.destination(instruction) || 0 != Instruction.offset(instruction))
        {
            return reserved();
        }
        final int immediate = Instruction.immediate(instruction);
        return switch (Instruction.source(instruction))
        {
            case Opcode.CALL_HELPER -> Helper.TAIL_CALL == immediate || null != helpers.find(immediate) ?
                null :
                "there is no helper " + HelperNames.of(immediate) + " here";
            case Opcode.CALL_LOCAL -> null;
            case Opcode.CALL_KERNEL -> "functions of the kernel are not here";
            default -> reserved();
        };
    }

    private static String unknown()
    {
        return "there is no such instruction";
    }

    private static String reserved()
    {
        return "a reserved field is not 0";
    }

    private static String readOnly()
    {
        return "r10 is only to be read";
    }
}
