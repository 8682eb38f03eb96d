package io.ringtap.xdp.bpf;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** Writes the blocks of one part of a function into one method. */
final class PartWriter
{
    private final FunctionWriter function;
    private final MethodCode method;
    private final FlowGraph graph;
    private final BpfProgram program;
    private final int part;
    private final Label[] labels;
    private final ArithmeticWriter arithmetic;
    private final MemoryWriter memory;
    private final JumpWriter jumps;
    private final CallWriter calls;

    PartWriter(final FunctionWriter function, final MethodCode method, final int part)
    {
        this.function = function;
        this.method = method;
        this.part = part;
        graph = function.graph();
        program = function.program();
        labels = new Label[graph.count()];
        arithmetic = new ArithmeticWriter(method);
        memory = new MemoryWriter(method, program);
        jumps = new JumpWriter(method);
        calls = new CallWriter(method, program, function.helpers());
    }

    /** Where a block begins, or where this part is left for it. */
    Label label(final int block)
    {
        if (null == labels[block])
        {
            labels[block] = new Label();
        }
        return labels[block];
    }

    void write()
    {
        final Partition partition = function.partition();
        for (int block = partition.first(part); block < partition.end(part); block++)
        {
            method.label(label(block));
            block(block);
        }
        for (int block = 0; block < labels.length; block++)
        {
            if (null != labels[block] && !isHere(block))
            {
                method.label(labels[block]);
                function.leave(method, block);
            }
        }
    }

    private void block(final int block)
    {
        final RegisterState state = function.flow().at(block);
        for (int at = graph.start(block); at < graph.end(block); at = graph.next(at))
        {
            final Label line = new Label();
            method.visitor().visitLabel(line);
            // Profilers and traces show the instruction where they look for a source line.
            method.visitor().visitLineNumber(at, line);
            instruction(block, state, at);
            function.flow().step(state, at);
        }
        if (graph.fallsThrough(block) && !isHere(block + 1))
        {
            method.visitor().visitJumpInsn(Opcodes.GOTO, label(block + 1));
        }
    }

    private void instruction(final int block, final RegisterState state, final int at)
    {
        final long instruction = program.instruction(at);
        final int opcode = Instruction.opcode(instruction);
        switch (Opcode.classOf(opcode))
        {
            case Opcode.LD ->
            {
                method.push(Interpreter.wide(program, at));
                method.store(Instruction.destination(instruction));
            }
            case Opcode.LDX -> memory.load(instruction, state, at);
            case Opcode.ST -> memory.store(instruction, state, at);
            case Opcode.STX ->
            {
                if (Opcode.ATOMIC == Opcode.mode(opcode))
                {
                    memory.atomic(instruction, state, at);
                }
                else
                {
                    memory.store(instruction, state, at);
                }
            }
            case Opcode.ALU64 -> arithmetic.write64(instruction, state);
            case Opcode.ALU -> arithmetic.write32(instruction, state);
            default -> control(block, state, at);
        }
    }

    private void control(final int block, final RegisterState state, final int at)
    {
        final long instruction = program.instruction(at);
        switch (Instruction.opcode(instruction))
        {
            case Opcode.EXIT_INSTRUCTION -> function.end(method);
            case Opcode.CALL_INSTRUCTION -> call(state, at);
            case Opcode.JA_INSTRUCTION, Opcode.GOTOL -> go(graph.jumpTarget(block), at);
            default ->
            {
                final int target = graph.jumpTarget(block);
                if (target > block)
                {
                    jumps.write(instruction, state, true, label(target));
                    return;
                }
                final Label not = new Label();
                jumps.write(instruction, state, false, not);
                go(target, at);
                method.label(not);
                // The next block may begin here: two frames at one place are not allowed.
                method.op(Opcodes.NOP);
            }
        }
    }

    /** Control goes to a block, wherever it is; back needs fuel. */
    private void go(final int target, final int at)
    {
        if (graph.start(target) <= at)
        {
            method.burn(ControlFlow.fuel(at, graph.start(target)), at);
        }
        method.visitor().visitJumpInsn(Opcodes.GOTO, label(target));
    }

    private void call(final RegisterState state, final int at)
    {
        final boolean isTail = !ControlFlow.isLocalCall(program.instruction(at)) && null == program.helper(at);
        final boolean lendsFuel = function.usesFuel() &&
            (isTail || null == program.helper(at) || program.helper(at).takesFunction());
        if (lendsFuel)
        {
            method.giveFuel();
        }
        if (isTail)
        {
            calls.tail(at);
        }
        else if (ControlFlow.isLocalCall(program.instruction(at)))
        {
            calls.local(function.owner(), at);
        }
        else
        {
            calls.helper(state, at);
        }
        if (lendsFuel)
        {
            method.takeFuel();
        }
        if (isTail)
        {
            final Label failed = new Label();
            calls.unlessTailCalled(failed);
            function.end(method);
            method.label(failed);
            method.op(Opcodes.NOP);
        }
    }

    private boolean isHere(final int block)
    {
        return part == function.partition().partOf(block);
    }
}
