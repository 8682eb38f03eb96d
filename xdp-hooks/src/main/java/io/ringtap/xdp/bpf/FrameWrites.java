package io.ringtap.xdp.bpf;

/**
 * Tells programs that may change frames from those that only look at them, by what the bases of their stores most
 * likely hold. Whatever is not known to go to the stack or into a map counts as a change. Kinds are hints, so
 * {@link FrameWindow#wroteFrame()} says what has happened: a program that was taken for a reader is found out by its
 * first write.
 */
final class FrameWrites
{
    /** Helpers of linux/bpf.h that move a frame's ends or write into it. */
    private static final int ADJUST_HEAD = 44;
    private static final int ADJUST_META = 54;
    private static final int ADJUST_TAIL = 65;
    private static final int STORE_BYTES = 190;

    private FrameWrites()
    {
    }

    static boolean arePossibleIn(final BpfProgram program)
    {
        final int count = program.functions().size();
        final int[][] kinds = new int[count][RegisterState.REGISTERS];
        kinds[0][1] = RegisterKind.CONTEXT;
        boolean possible = false;
        for (final int number : CallOrder.of(program))
        {
            final FlowGraph graph = new FlowGraph(program, program.functions().get(number));
            final RegisterFlow flow = new RegisterFlow(program, graph, kinds[number]);
            CallOrder.passKinds(program, graph, flow, kinds);
            for (int block = 0; block < graph.count() && !possible; block++)
            {
                possible = arePossibleIn(program, graph, flow, block);
            }
        }
        return possible;
    }

    private static boolean arePossibleIn(
        final BpfProgram program, final FlowGraph graph, final RegisterFlow flow, final int block)
    {
        final RegisterState state = flow.at(block);
        for (int at = graph.start(block); at < graph.end(block); at = graph.next(at))
        {
            final long instruction = program.instruction(at);
            final int kind = Opcode.classOf(Instruction.opcode(instruction));
            final boolean isStore = Opcode.ST == kind || Opcode.STX == kind;
            if (isStore && !isElsewhere(state.kind(Instruction.destination(instruction))) ||
                Opcode.CALL_INSTRUCTION == Instruction.opcode(instruction) && isChange(program, at, instruction))
            {
                return true;
            }
            flow.step(state, at);
        }
        return false;
    }

    private static boolean isElsewhere(final int kind)
    {
        return RegisterKind.isStack(kind) || RegisterKind.isValue(kind) ||
            RegisterKind.LOCAL == kind || RegisterKind.CONTEXT == kind;
    }

    /** A tail call leads to programs that are not known yet. */
    private static boolean isChange(final BpfProgram program, final int at, final long instruction)
    {
        if (ControlFlow.isLocalCall(instruction))
        {
            return false;
        }
        final Helper helper = program.helper(at);
        return null == helper || switch (helper.id())
        {
            case ADJUST_HEAD, ADJUST_META, ADJUST_TAIL, STORE_BYTES -> true;
            default -> false;
        };
    }
}
