package io.ringtap.xdp.bpf;

import java.util.ArrayDeque;
import java.util.Deque;

/** Functions of a program so that callers come before what they call, and what callers pass on. */
final class CallOrder
{
    private CallOrder()
    {
    }

    /** Numbers of all functions; the verifier has seen that none calls itself. */
    static Iterable<Integer> of(final BpfProgram program)
    {
        final Deque<Integer> order = new ArrayDeque<>();
        visit(program, 0, new boolean[program.functions().size()], order);
        return order;
    }

    private static void visit(
        final BpfProgram program, final int number, final boolean[] seen, final Deque<Integer> order)
    {
        seen[number] = true;
        final BpfFunction function = program.functions().get(number);
        for (int at = function.first(); at < function.end(); at++)
        {
            final long instruction = program.instruction(at);
            if (ControlFlow.namesFunction(instruction) && !seen[program.callee(at)])
            {
                visit(program, program.callee(at), seen, order);
            }
            at += Instruction.isWide(instruction) ? 1 : 0;
        }
        order.addFirst(number);
    }

    /** Joins the kinds of what a function passes in its calls to what is known of the called. */
    static void passKinds(
        final BpfProgram program, final FlowGraph graph, final RegisterFlow flow, final int[][] kinds)
    {
        for (int block = 0; block < graph.count(); block++)
        {
            final RegisterState state = flow.at(block);
            for (int at = graph.start(block); at < graph.end(block); at = graph.next(at))
            {
                final long instruction = program.instruction(at);
                if (ControlFlow.namesFunction(instruction))
                {
                    final int[] callee = kinds[program.callee(at)];
                    for (int register = 1; register <= 5; register++)
                    {
                        // Helpers call functions that are named by a wide instruction, with what they like.
                        callee[register] = RegisterKind.join(callee[register], Instruction.isWide(instruction) ?
                            RegisterKind.UNKNOWN : RegisterKind.hint(state.kind(register)));
                    }
                }
                flow.step(state, at);
            }
        }
    }
}
