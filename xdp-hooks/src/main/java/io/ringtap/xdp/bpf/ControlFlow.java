package io.ringtap.xdp.bpf;

/** Where control goes from one instruction. */
final class ControlFlow
{
    private ControlFlow()
    {
    }

    /** Whether it may lead to another instruction than the next one of its function. */
    static boolean jumps(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int kind = Opcode.classOf(opcode);
        final int operation = Opcode.operation(opcode);
        return (Opcode.JMP == kind || Opcode.JMP32 == kind) && Opcode.CALL != operation && Opcode.EXIT != operation;
    }

    /** Whether it may lead to the next one. */
    static boolean fallsThrough(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        return !isGoto(opcode) && Opcode.EXIT_INSTRUCTION != opcode;
    }

    static boolean isGoto(final int opcode)
    {
        return Opcode.JA_INSTRUCTION == opcode || Opcode.GOTOL == opcode;
    }

    /** Where a jump leads when taken. */
    static long target(final long[] code, final int at)
    {
        final long distance = Opcode.GOTOL == Instruction.opcode(code[at]) ?
            Instruction.immediate(code[at]) :
            Instruction.offset(code[at]);
        return at + 1 + distance;
    }

    /** Whether it calls a function of the program or loads one's number. */
    static boolean namesFunction(final long instruction)
    {
        return isLocalCall(instruction) ||
            Instruction.isWide(instruction) && Opcode.LDDW_FUNCTION == Instruction.source(instruction);
    }

    static boolean isLocalCall(final long instruction)
    {
        return Opcode.CALL_INSTRUCTION == Instruction.opcode(instruction) &&
            Opcode.CALL_LOCAL == Instruction.source(instruction);
    }

    /** First instruction of the function that it names; both forms count from the slot behind their first. */
    static long calledInstruction(final long[] code, final int at)
    {
        return at + 1L + Instruction.immediate(code[at]);
    }

    /** Fuel that a jump back takes: all instructions that may have run since its target. */
    static int fuel(final int from, final int target)
    {
        return from - target + 1;
    }
}
