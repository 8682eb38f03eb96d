package io.ringtap.xdp.bpf;

import org.objectweb.asm.Opcodes;

/** Writes arithmetic. Zero-extensions are left out where the operands' widths show that there is nothing to extend. */
final class ArithmeticWriter
{
    private static final int WORD = 32;

    private final MethodCode method;

    ArithmeticWriter(final MethodCode method)
    {
        this.method = method;
    }

    void write64(final long instruction, final RegisterState state)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = Instruction.destination(instruction);
        final int operation = Opcode.operation(opcode);
        final int offset = Instruction.offset(instruction);
        switch (operation)
        {
            case Opcode.MOV ->
            {
                operand64(instruction);
                extend(offset);
            }
            case Opcode.NEG ->
            {
                method.load(destination);
                method.op(Opcodes.LNEG);
            }
            case Opcode.END -> swap(destination, Instruction.immediate(instruction));
            case Opcode.LSH, Opcode.RSH, Opcode.ARSH -> shift64(instruction, operation);
            case Opcode.DIV, Opcode.MOD -> divide64(instruction, state);
            default ->
            {
                method.load(destination);
                operand64(instruction);
                method.op(longOperation(operation));
            }
        }
        method.store(destination);
    }

    void write32(final long instruction, final RegisterState state)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = Instruction.destination(instruction);
        final int operation = Opcode.operation(opcode);
        switch (operation)
        {
            case Opcode.MOV -> move32(instruction, state);
            case Opcode.NEG ->
            {
                method.load(destination);
                method.op(Opcodes.LNEG);
                method.mask();
            }
            case Opcode.END -> toEndian(instruction, state);
            case Opcode.LSH, Opcode.RSH, Opcode.ARSH -> shift32(instruction, operation, state);
            case Opcode.DIV, Opcode.MOD -> divide32(instruction, state);
            default ->
            {
                method.load(destination);
                operandUnsigned(instruction);
                method.op(longOperation(operation));
                if (!fitsWord(instruction, operation, state))
                {
                    method.mask();
                }
            }
        }
        method.store(destination);
    }

    /** Whether the 64-bit operation on these operands yields what the 32-bit operation yields. */
    private static boolean fitsWord(final long instruction, final int operation, final RegisterState state)
    {
        final int left = state.bits(Instruction.destination(instruction));
        final int right = Opcode.isRegisterSource(Instruction.opcode(instruction)) ?
            state.bits(Instruction.source(instruction)) :
            RegisterFlow.bitsOf(Instruction.immediate(instruction) & 0xffff_ffffL);
        return Opcode.SUB != operation && Width.alu64(operation, 0, left, right, -1, 0) <= WORD;
    }

    private void move32(final long instruction, final RegisterState state)
    {
        final int source = Instruction.source(instruction);
        final int offset = Instruction.offset(instruction);
        operandUnsigned(instruction);
        extend(offset);
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)) && (0 != offset || state.bits(source) > WORD))
        {
            method.mask();
        }
    }

    private void shift64(final long instruction, final int operation)
    {
        method.load(Instruction.destination(instruction));
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)))
        {
            method.loadInt(Instruction.source(instruction));
        }
        else
        {
            method.pushInt(Instruction.immediate(instruction) & 63);
        }
        method.op(Opcode.LSH == operation ? Opcodes.LSHL : Opcode.RSH == operation ? Opcodes.LUSHR : Opcodes.LSHR);
    }

    private void shift32(final long instruction, final int operation, final RegisterState state)
    {
        final int destination = Instruction.destination(instruction);
        final boolean isNarrow = state.bits(destination) <= WORD;
        if (Opcode.ARSH == operation)
        {
            method.loadInt(destination);
        }
        else
        {
            method.load(destination);
        }
        if (Opcode.RSH == operation && !isNarrow)
        {
            method.mask();
        }
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)))
        {
            method.loadInt(Instruction.source(instruction));
            method.pushInt(31);
            method.op(Opcodes.IAND);
        }
        else
        {
            method.pushInt(Instruction.immediate(instruction) & 31);
        }
        switch (operation)
        {
            case Opcode.LSH ->
            {
                method.op(Opcodes.LSHL);
                method.mask();
            }
            case Opcode.RSH -> method.op(Opcodes.LUSHR);
            default ->
            {
                method.op(Opcodes.ISHR);
                method.op(Opcodes.I2L);
                method.mask();
            }
        }
    }

    private void divide64(final long instruction, final RegisterState state)
    {
        final int destination = Instruction.destination(instruction);
        final boolean isDivision = Opcode.DIV == Opcode.operation(Instruction.opcode(instruction));
        method.load(destination);
        operand64(instruction);
        if (isPlain(instruction, state.bits(destination), 63))
        {
            method.op(isDivision ? Opcodes.LDIV : Opcodes.LREM);
            return;
        }
        final boolean isSigned = 0 != Instruction.offset(instruction);
        method.invoke("Arithmetic", isDivision ? isSigned ? "signedDivide64" : "divide64" :
            isSigned ? "signedModulo64" : "modulo64", "(JJ)J");
    }

    private void divide32(final long instruction, final RegisterState state)
    {
        final int destination = Instruction.destination(instruction);
        final boolean isDivision = Opcode.DIV == Opcode.operation(Instruction.opcode(instruction));
        if (isPlain(instruction, state.bits(destination), WORD))
        {
            method.load(destination);
            operandUnsigned(instruction);
            method.op(isDivision ? Opcodes.LDIV : Opcodes.LREM);
            return;
        }
        method.loadInt(destination);
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)))
        {
            method.loadInt(Instruction.source(instruction));
        }
        else
        {
            method.pushInt(Instruction.immediate(instruction));
        }
        final boolean isSigned = 0 != Instruction.offset(instruction);
        method.invoke("Arithmetic", isDivision ? isSigned ? "signedDivide32" : "divide32" :
            isSigned ? "signedModulo32" : "modulo32", "(II)I");
        method.op(Opcodes.I2L);
        method.mask();
    }

    /** Whether Java's signed division by this constant is the unsigned one: neither operand can look negative. */
    private static boolean isPlain(final long instruction, final int bits, final int limit)
    {
        return bits <= limit && 0 == Instruction.offset(instruction) && Instruction.immediate(instruction) > 0 &&
            !Opcode.isRegisterSource(Instruction.opcode(instruction));
    }

    private void toEndian(final long instruction, final RegisterState state)
    {
        final int destination = Instruction.destination(instruction);
        final int bits = Instruction.immediate(instruction);
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)))
        {
            swap(destination, bits);
            return;
        }
        method.load(destination);
        if (bits < 64 && state.bits(destination) > bits)
        {
            method.push((1L << bits) - 1);
            method.op(Opcodes.LAND);
        }
    }

    private void swap(final int register, final int bits)
    {
        method.load(register);
        if (64 == bits)
        {
            method.visitor().visitMethodInsn(
                Opcodes.INVOKESTATIC, "java/lang/Long", "reverseBytes", "(J)J", false);
        }
        else
        {
            method.invoke("Arithmetic", "swap" + bits, "(J)J");
        }
    }

    /** Sign-extends the low bits of the long on the stack; 0 leaves it. */
    private void extend(final int bits)
    {
        if (0 != bits)
        {
            method.op(Opcodes.L2I);
            if (WORD != bits)
            {
                method.op(8 == bits ? Opcodes.I2B : Opcodes.I2S);
            }
            method.op(Opcodes.I2L);
        }
    }

    private void operand64(final long instruction)
    {
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)))
        {
            method.load(Instruction.source(instruction));
        }
        else
        {
            method.push(Instruction.immediate(instruction));
        }
    }

    /** The second operand; an immediate zero-extended, as 32-bit operations may see it. */
    private void operandUnsigned(final long instruction)
    {
        if (Opcode.isRegisterSource(Instruction.opcode(instruction)))
        {
            method.load(Instruction.source(instruction));
        }
        else
        {
            method.push(Instruction.immediate(instruction) & 0xffff_ffffL);
        }
    }

    private static int longOperation(final int operation)
    {
        return switch (operation)
        {
            case Opcode.ADD -> Opcodes.LADD;
            case Opcode.SUB -> Opcodes.LSUB;
            case Opcode.MUL -> Opcodes.LMUL;
            case Opcode.OR -> Opcodes.LOR;
            case Opcode.AND -> Opcodes.LAND;
            case Opcode.XOR -> Opcodes.LXOR;
            default -> throw new IllegalStateException("operation " + operation);
        };
    }
}
