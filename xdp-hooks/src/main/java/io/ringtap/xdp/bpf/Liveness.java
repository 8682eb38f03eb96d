package io.ringtap.xdp.bpf;

/** Which registers somebody still reads, at the beginning of each block of a function; sets are bits of an int. */
final class Liveness
{
    private static final int ARGUMENTS = 0b11_1110;
    private static final int RESULT = 1;

    private final long[] code;
    private final FlowGraph graph;
    private final int[] in;

    Liveness(final BpfProgram program, final FlowGraph graph)
    {
        code = program.code();
        this.graph = graph;
        in = new int[graph.count()];
        boolean changed = true;
        while (changed)
        {
            changed = false;
            for (int block = graph.count() - 1; block >= 0; block--)
            {
                final int live = before(block);
                changed |= live != in[block];
                in[block] = live;
            }
        }
    }

    /** Registers that are read from the block on before they are written. */
    int at(final int block)
    {
        return in[block];
    }

    private int before(final int block)
    {
        int live = graph.fallsThrough(block) ? in[block + 1] : 0;
        final int target = graph.jumpTarget(block);
        live |= target >= 0 ? in[target] : 0;
        for (int at = graph.end(block) - 1; at >= graph.start(block); at--)
        {
            if (graph.blockAt(at) >= 0)
            {
                live = live & ~writes(code[at]) | reads(code[at]);
            }
        }
        return live;
    }

    private static int reads(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = 1 << Instruction.destination(instruction);
        final int source = 1 << Instruction.source(instruction);
        switch (Opcode.classOf(opcode))
        {
            case Opcode.LD ->
            {
                return 0;
            }
            case Opcode.LDX ->
            {
                return source;
            }
            case Opcode.ST ->
            {
                return destination;
            }
            case Opcode.STX ->
            {
                return destination | source | RESULT;
            }
            case Opcode.ALU, Opcode.ALU64 ->
            {
                final boolean isMove = Opcode.MOV == Opcode.operation(opcode);
                final boolean usesSource =
                    Opcode.isRegisterSource(opcode) && Opcode.END != Opcode.operation(opcode);
                return (isMove ? 0 : destination) | (usesSource ? source : 0);
            }
            default ->
            {
                return Opcode.CALL_INSTRUCTION == opcode ? ARGUMENTS :
                    Opcode.EXIT_INSTRUCTION == opcode ? RESULT :
                    ControlFlow.isGoto(opcode) ? 0 :
                    destination | (Opcode.isRegisterSource(opcode) ? source : 0);
            }
        }
    }

    private static int writes(final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        return switch (Opcode.classOf(opcode))
        {
            case Opcode.LD, Opcode.LDX, Opcode.ALU, Opcode.ALU64 -> 1 << Instruction.destination(instruction);
            case Opcode.JMP -> Opcode.CALL_INSTRUCTION == opcode ? RESULT : 0;
            default -> 0;
        };
    }
}
