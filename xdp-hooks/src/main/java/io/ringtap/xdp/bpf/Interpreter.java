package io.ringtap.xdp.bpf;

/**
 * Runs a program instruction by instruction: the reference that compiled programs are held against, and what runs when
 * the compiler cannot.
 * <p>
 * Registers of a function live in the context, one set for each stack frame, so nothing is allocated. Two points that
 * RFC 9669 leaves open: registers are 0 until written, and calls leave r1 to r5 as they were.
 */
final class Interpreter extends ProgramCode
{
    private final long[] code;
    /** By instruction: what a wide one loads. */
    private final long[] wide;

    Interpreter(final BpfProgram program)
    {
        super(program);
        code = program.code();
        wide = new long[code.length];
        for (int i = 0; i < code.length; i++)
        {
            if (Instruction.isWide(code[i]))
            {
                wide[i] = wide(program, i);
                i++;
            }
        }
    }

    @Override
    public String form()
    {
        return "interpreted";
    }

    @Override
    long run(
        final BpfContext context,
        final int function,
        final long r1,
        final long r2,
        final long r3,
        final long r4,
        final long r5,
        final long framePointer)
    {
        final long[] r = CompiledSupport.registers(context, r1, r2, r3, r4, r5, framePointer);
        int at = program().functions().get(function).first();
        while (true)
        {
            final long instruction = code[at];
            final int opcode = Instruction.opcode(instruction);
            switch (Opcode.classOf(opcode))
            {
                case Opcode.LD ->
                {
                    r[Instruction.destination(instruction)] = wide[at];
                    at++;
                }
                case Opcode.LDX -> load(context, r, at);
                case Opcode.ST, Opcode.STX -> store(context, r, at);
                case Opcode.ALU64 -> arithmetic64(r, instruction);
                case Opcode.ALU -> arithmetic32(r, instruction);
                default ->
                {
                    if (Opcode.EXIT_INSTRUCTION == opcode)
                    {
                        return r[0];
                    }
                    if (Opcode.CALL_INSTRUCTION != opcode)
                    {
                        at = jump(context, r, at) - 1;
                    }
                    else if (call(context, r, at))
                    {
                        return r[0];
                    }
                }
            }
            at++;
        }
    }

    /** What a wide instruction loads. */
    static long wide(final BpfProgram program, final int at)
    {
        final long[] code = program.code();
        final int low = Instruction.immediate(code[at]);
        final int high = Instruction.immediate(code[at + 1]);
        return switch (Instruction.source(code[at]))
        {
            case Opcode.LDDW_MAP -> program.space().handle(program.maps().get(low));
            case Opcode.LDDW_MAP_VALUE ->
                program.space().address(program.space().handle(program.maps().get(low))) + high;
            case Opcode.LDDW_FUNCTION -> AddressSpace.FUNCTIONS + program.callee(at);
            default -> (long)high << 32 | low & 0xffff_ffffL;
        };
    }

    private void load(final BpfContext context, final long[] r, final int at)
    {
        final long instruction = code[at];
        final int opcode = Instruction.opcode(instruction);
        final int width = Opcode.width(opcode);
        final long address = r[Instruction.source(instruction)] + Instruction.offset(instruction);
        final long value = AnyAccess.load(context, address, width, at);
        r[Instruction.destination(instruction)] =
            Opcode.MEMSX == Opcode.mode(opcode) ? Arithmetic.extend(8 * width, value) : value;
    }

    private void store(final BpfContext context, final long[] r, final int at)
    {
        final long instruction = code[at];
        final int opcode = Instruction.opcode(instruction);
        final int width = Opcode.width(opcode);
        final long address = r[Instruction.destination(instruction)] + Instruction.offset(instruction);
        if (Opcode.ST == Opcode.classOf(opcode))
        {
            AnyAccess.store(context, address, Instruction.immediate(instruction), width, at);
        }
        else if (Opcode.MEM == Opcode.mode(opcode))
        {
            AnyAccess.store(context, address, r[Instruction.source(instruction)], width, at);
        }
        else
        {
            atomic(context, r, address, width, at);
        }
    }

    private void atomic(final BpfContext context, final long[] r, final long address, final int width, final int at)
    {
        final int operation = Instruction.immediate(code[at]);
        final int source = Instruction.source(code[at]);
        if (Opcode.CMPXCHG == operation)
        {
            r[0] = 8 == width ?
                AtomicAccess.compareAndExchange8(context, address, r[0], r[source], at) :
                AtomicAccess.compareAndExchange4(context, address, r[0], r[source], at);
            return;
        }
        final long old = 8 == width ?
            AtomicAccess.update8(context, address, operation, r[source], at) :
            AtomicAccess.update4(context, address, operation, r[source], at);
        if ((operation & Opcode.FETCH) != 0)
        {
            r[source] = old;
        }
    }

    private static void arithmetic64(final long[] r, final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = Instruction.destination(instruction);
        final int operation = Opcode.operation(opcode);
        if (Opcode.END == operation)
        {
            r[destination] = Arithmetic.swap(Instruction.immediate(instruction), r[destination]);
            return;
        }
        final long operand =
            Opcode.isRegisterSource(opcode) ? r[Instruction.source(instruction)] : Instruction.immediate(instruction);
        r[destination] = Arithmetic.alu64(operation, Instruction.offset(instruction), r[destination], operand);
    }

    private static void arithmetic32(final long[] r, final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = Instruction.destination(instruction);
        final int operation = Opcode.operation(opcode);
        if (Opcode.END == operation)
        {
            final int bits = Instruction.immediate(instruction);
            r[destination] = Opcode.isRegisterSource(opcode) ?
                Arithmetic.swap(bits, r[destination]) :
                Arithmetic.little(bits, r[destination]);
            return;
        }
        final int operand = Opcode.isRegisterSource(opcode) ?
            (int)r[Instruction.source(instruction)] :
            Instruction.immediate(instruction);
        r[destination] = Arithmetic.alu32(
            operation, Instruction.offset(instruction), (int)r[destination], operand) & 0xffff_ffffL;
    }

    /** Index of the next instruction. */
    private int jump(final BpfContext context, final long[] r, final int at)
    {
        final long instruction = code[at];
        final int opcode = Instruction.opcode(instruction);
        if (!ControlFlow.isGoto(opcode))
        {
            final long a = r[Instruction.destination(instruction)];
            final long b = Opcode.isRegisterSource(opcode) ?
                r[Instruction.source(instruction)] :
                Instruction.immediate(instruction);
            final boolean isTaken = Opcode.JMP == Opcode.classOf(opcode) ?
                Arithmetic.jump64(Opcode.operation(opcode), a, b) :
                Arithmetic.jump32(Opcode.operation(opcode), (int)a, (int)b);
            if (!isTaken)
            {
                return at + 1;
            }
        }
        final int target = (int)ControlFlow.target(code, at);
        if (target <= at)
        {
            context.instruction = at;
            context.charge(ControlFlow.fuel(at, target));
        }
        return target;
    }

    /** Whether the function is over, since another program took its place. */
    private boolean call(final BpfContext context, final long[] r, final int at)
    {
        if (ControlFlow.isLocalCall(code[at]))
        {
            final int callee = program().callee(at);
            final long frame = context.enterFunction(r[10], program().functions().get(callee).length(), at);
            r[0] = run(context, callee, r[1], r[2], r[3], r[4], r[5], frame);
            return false;
        }
        final Helper helper = program().helper(at);
        if (Helper.TAIL_CALL == Instruction.immediate(code[at]))
        {
            r[0] = TailCall.call(context, r[2], r[3], r[10], at);
            return context.tailCalled;
        }
        context.instruction = at;
        context.framePointer = r[10];
        r[0] = helper.call().call(context, r[1], r[2], r[3], r[4], r[5]);
        return false;
    }
}
