package io.ringtap.xdp.bpf;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** Writes the comparisons of conditional jumps. */
final class JumpWriter
{
    private static final int WORD = 32;

    private final MethodCode method;

    JumpWriter(final MethodCode method)
    {
        this.method = method;
    }

    /**
     * Jumps to the label when the instruction's condition holds, or when it does not.
     *
     * @param wanted whether it must hold.
     */
    void write(final long instruction, final RegisterState state, final boolean wanted, final Label label)
    {
        final int opcode = Instruction.opcode(instruction);
        final int operation = Opcode.operation(opcode);
        final int left = state.bits(Instruction.destination(instruction));
        final int right = Opcode.isRegisterSource(opcode) ? state.bits(Instruction.source(instruction)) :
            RegisterFlow.bitsOf(Instruction.immediate(instruction));
        final boolean isWide = Opcode.JMP == Opcode.classOf(opcode);
        final boolean isUnsigned = isUnsigned(operation);
        final int widest = Math.max(left, right);
        final int condition = wanted ? condition(operation) : negated(condition(operation));
        if (isWide || isUnsigned && widest <= WORD && WORD - 1 < widest)
        {
            // Words that fill 32 bits compare unsigned as what they are in 64 bits.
            compareLongs(instruction, operation, isUnsigned && widest > 63);
            method.visitor().visitJumpInsn(condition, label);
        }
        else
        {
            compareInts(instruction, operation, isUnsigned && widest > WORD - 1, condition, label);
        }
    }

    private void compareLongs(final long instruction, final int operation, final boolean flips)
    {
        final boolean isRegister = Opcode.isRegisterSource(Instruction.opcode(instruction));
        method.load(Instruction.destination(instruction));
        if (flips)
        {
            method.push(Long.MIN_VALUE);
            method.op(Opcodes.LADD);
        }
        if (isRegister)
        {
            method.load(Instruction.source(instruction));
        }
        else
        {
            method.push(Instruction.immediate(instruction) + (flips ? Long.MIN_VALUE : 0));
        }
        if (flips && isRegister)
        {
            method.push(Long.MIN_VALUE);
            method.op(Opcodes.LADD);
        }
        if (Opcode.JSET == operation)
        {
            method.op(Opcodes.LAND);
            method.push(0);
        }
        method.op(Opcodes.LCMP);
    }

    private void compareInts(
        final long instruction, final int operation, final boolean flips, final int condition, final Label label)
    {
        final boolean isRegister = Opcode.isRegisterSource(Instruction.opcode(instruction));
        method.loadInt(Instruction.destination(instruction));
        if (flips)
        {
            method.pushInt(Integer.MIN_VALUE);
            method.op(Opcodes.IADD);
        }
        if (isRegister)
        {
            method.loadInt(Instruction.source(instruction));
        }
        else
        {
            method.pushInt(Instruction.immediate(instruction) + (flips ? Integer.MIN_VALUE : 0));
        }
        if (flips && isRegister)
        {
            method.pushInt(Integer.MIN_VALUE);
            method.op(Opcodes.IADD);
        }
        if (Opcode.JSET == operation)
        {
            method.op(Opcodes.IAND);
            method.visitor().visitJumpInsn(condition, label);
            return;
        }
        method.visitor().visitJumpInsn(condition + (Opcodes.IF_ICMPEQ - Opcodes.IFEQ), label);
    }

    private static boolean isUnsigned(final int operation)
    {
        return Opcode.JGT == operation || Opcode.JGE == operation || Opcode.JLT == operation ||
            Opcode.JLE == operation;
    }

    /** The jump after a comparison that leaves a number below, at or above 0. */
    private static int condition(final int operation)
    {
        return switch (operation)
        {
            case Opcode.JEQ -> Opcodes.IFEQ;
            case Opcode.JNE, Opcode.JSET -> Opcodes.IFNE;
            case Opcode.JGT, Opcode.JSGT -> Opcodes.IFGT;
            case Opcode.JGE, Opcode.JSGE -> Opcodes.IFGE;
            case Opcode.JLT, Opcode.JSLT -> Opcodes.IFLT;
            default -> Opcodes.IFLE;
        };
    }

    private static int negated(final int condition)
    {
        return switch (condition)
        {
            case Opcodes.IFEQ -> Opcodes.IFNE;
            case Opcodes.IFNE -> Opcodes.IFEQ;
            case Opcodes.IFGT -> Opcodes.IFLE;
            case Opcodes.IFLE -> Opcodes.IFGT;
            case Opcodes.IFGE -> Opcodes.IFLT;
            default -> Opcodes.IFGE;
        };
    }
}
