package io.ringtap.xdp.bpf;

/** Follows kinds and widths of registers through one function; {@link RegisterState} says what they are. */
final class RegisterFlow
{
    private static final int WORD = 32;

    private final BpfProgram program;
    private final long[] code;
    private final FlowGraph graph;
    private final RegisterState[] before;

    /** @param argumentKinds of r1 to r5, by register. */
    RegisterFlow(final BpfProgram program, final FlowGraph graph, final int[] argumentKinds)
    {
        this.program = program;
        this.graph = graph;
        code = program.code();
        before = new RegisterState[graph.count()];
        before[0] = RegisterState.atEntry(argumentKinds);
        settle();
    }

    /** What holds at the beginning of a block; the caller's own copy. */
    RegisterState at(final int block)
    {
        return before[block].copy();
    }

    private void settle()
    {
        final boolean[] isWaiting = new boolean[graph.count()];
        isWaiting[0] = true;
        boolean again = true;
        while (again)
        {
            again = false;
            for (int block = 0; block < graph.count(); block++)
            {
                if (isWaiting[block])
                {
                    isWaiting[block] = false;
                    again |= follow(block, isWaiting);
                }
            }
        }
    }

    /** Whether a block before this one must be seen again. */
    private boolean follow(final int block, final boolean[] isWaiting)
    {
        final RegisterState state = before[block].copy();
        for (int at = graph.start(block); at < graph.end(block); at = graph.next(at))
        {
            step(state, at);
        }
        boolean again = false;
        final int target = graph.jumpTarget(block);
        if (target >= 0 && flowTo(target, state))
        {
            isWaiting[target] = true;
            again = target <= block;
        }
        if (graph.fallsThrough(block) && flowTo(block + 1, state))
        {
            isWaiting[block + 1] = true;
        }
        return again;
    }

    private boolean flowTo(final int block, final RegisterState state)
    {
        if (null == before[block])
        {
            before[block] = state.copy();
            return true;
        }
        return before[block].join(state);
    }

    /** Changes the state as the instruction does. */
    void step(final RegisterState state, final int at)
    {
        final long instruction = code[at];
        final int opcode = Instruction.opcode(instruction);
        switch (Opcode.classOf(opcode))
        {
            case Opcode.LD -> wide(state, at);
            case Opcode.LDX -> load(state, instruction);
            case Opcode.ST -> store(state, instruction, RegisterKind.NUMBER);
            case Opcode.STX -> storeRegister(state, instruction);
            case Opcode.ALU64 -> arithmetic64(state, instruction);
            case Opcode.ALU -> arithmetic32(state, instruction);
            default ->
            {
                if (Opcode.CALL_INSTRUCTION == opcode)
                {
                    call(state, at);
                }
            }
        }
    }

    private void wide(final RegisterState state, final int at)
    {
        final int destination = Instruction.destination(code[at]);
        final long value = Interpreter.wide(program, at);
        final int kind = switch (Instruction.source(code[at]))
        {
            case Opcode.LDDW_MAP -> RegisterKind.map(Instruction.immediate(code[at]));
            case Opcode.LDDW_MAP_VALUE -> RegisterKind.value(Instruction.immediate(code[at]));
            default -> RegisterKind.NUMBER;
        };
        state.set(destination, kind, bitsOf(value));
    }

    private static void load(final RegisterState state, final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int width = Opcode.width(opcode);
        final int base = state.kind(Instruction.source(instruction));
        final int offset = Instruction.offset(instruction);
        int kind = 8 == width ? RegisterKind.UNKNOWN : RegisterKind.NUMBER;
        if (RegisterKind.CONTEXT == base && offset <= ContextAccess.DATA_META)
        {
            kind = RegisterKind.PACKET;
        }
        else if (8 == width && RegisterKind.isStack(base))
        {
            kind = state.slot(RegisterKind.stackOffset(base) + offset);
        }
        final boolean extends64 = Opcode.MEMSX == Opcode.mode(opcode);
        state.set(Instruction.destination(instruction), kind, extends64 ? 64 : 8 * width);
    }

    private static void store(final RegisterState state, final long instruction, final int kind)
    {
        final int base = state.kind(Instruction.destination(instruction));
        if (RegisterKind.isStack(base))
        {
            state.slot(RegisterKind.stackOffset(base) + Instruction.offset(instruction), kind,
                Opcode.width(Instruction.opcode(instruction)));
        }
    }

    private static void storeRegister(final RegisterState state, final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int source = Instruction.source(instruction);
        if (Opcode.MEM == Opcode.mode(opcode))
        {
            store(state, instruction, state.kind(source));
            return;
        }
        store(state, instruction, RegisterKind.UNKNOWN);
        final int operation = Instruction.immediate(instruction);
        if ((operation & Opcode.FETCH) != 0)
        {
            final int written = Opcode.CMPXCHG == operation ? 0 : source;
            state.set(written, RegisterKind.UNKNOWN, 8 * Opcode.width(opcode));
        }
    }

    private static void arithmetic64(final RegisterState state, final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = Instruction.destination(instruction);
        final int source = Instruction.source(instruction);
        final int offset = Instruction.offset(instruction);
        final int immediate = Instruction.immediate(instruction);
        final boolean isRegister = Opcode.isRegisterSource(opcode);
        final int operation = Opcode.operation(opcode);
        final int old = state.kind(destination);
        int kind = RegisterKind.NUMBER;
        if (Opcode.MOV == operation && isRegister && 0 == offset)
        {
            state.set(destination, state.kind(source), state.bits(source));
            return;
        }
        if (Opcode.ADD == operation)
        {
            kind = isRegister ? RegisterKind.sum(old, state.kind(source)) : RegisterKind.plus(old, immediate);
        }
        else if (Opcode.SUB == operation)
        {
            kind = isRegister ?
                RegisterKind.difference(old, state.kind(source)) :
                RegisterKind.plus(old, Integer.MIN_VALUE == immediate ? Integer.MAX_VALUE : -immediate);
        }
        final int left = state.bits(destination);
        final int bits = RegisterKind.isStack(kind) ? WORD :
            Opcode.ADD == operation && !isRegister && immediate >= 0 ? Width.plus(left, bitsOf(immediate)) :
            Width.other(Width.alu64(operation, offset, left, isRegister ? state.bits(source) : bitsOf(immediate),
                isRegister ? -1 : immediate & 63, immediate));
        state.set(destination, kind, bits);
    }

    private static void arithmetic32(final RegisterState state, final long instruction)
    {
        final int opcode = Instruction.opcode(instruction);
        final int destination = Instruction.destination(instruction);
        final int immediate = Instruction.immediate(instruction);
        final boolean isRegister = Opcode.isRegisterSource(opcode);
        final int operation = Opcode.operation(opcode);
        if (Opcode.END == operation && 64 == immediate)
        {
            state.set(destination, RegisterKind.NUMBER, isRegister ? 64 : state.bits(destination));
            return;
        }
        final int left = Math.min(WORD, state.bits(destination));
        final int right = isRegister ?
            Math.min(WORD, state.bits(Instruction.source(instruction))) :
            bitsOf(immediate & 0xffff_ffffL);
        state.set(destination, RegisterKind.NUMBER, Width.alu32(
            operation, Instruction.offset(instruction), left, right, isRegister ? -1 : immediate & 31, immediate));
    }

    private void call(final RegisterState state, final int at)
    {
        final Helper helper = ControlFlow.isLocalCall(code[at]) ? null : program.helper(at);
        int kind = RegisterKind.UNKNOWN;
        if (null != helper && Helper.Result.NUMBER == helper.result())
        {
            kind = RegisterKind.NUMBER;
        }
        else if (null != helper && Helper.Result.VALUE_OR_NULL == helper.result() && RegisterKind.isMap(state.kind(1)))
        {
            final int map = RegisterKind.mapOf(state.kind(1));
            kind = null == program.maps().get(map).values() ? RegisterKind.UNKNOWN : RegisterKind.value(map);
        }
        state.set(0, kind, 64);
    }

    /** Low bits of a number that may be other than 0. */
    static int bitsOf(final long value)
    {
        return 64 - Long.numberOfLeadingZeros(value);
    }
}
