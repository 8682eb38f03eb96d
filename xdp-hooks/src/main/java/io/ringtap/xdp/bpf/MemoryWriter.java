package io.ringtap.xdp.bpf;

import org.objectweb.asm.Opcodes;

/**
 * Writes loads, stores and atomic operations: the kind of the base register chooses which check comes first. Whatever
 * the kind says, the access that is called checks its address; only offsets from r10, which the verifier has seen, go
 * without.
 */
final class MemoryWriter
{
    private static final String C = MethodCode.CONTEXT_TYPE;

    private final MethodCode method;
    private final BpfProgram program;

    MemoryWriter(final MethodCode method, final BpfProgram program)
    {
        this.method = method;
        this.program = program;
    }

    void load(final long instruction, final RegisterState state, final int at)
    {
        final int opcode = Instruction.opcode(instruction);
        final int width = Opcode.width(opcode);
        final int base = Instruction.source(instruction);
        final int offset = Instruction.offset(instruction);
        final int kind = state.kind(base);
        if (isOnStack(kind, offset, width))
        {
            method.context();
            method.pushStackIndex(RegisterKind.stackOffset(kind) + offset);
            method.invoke("LocalAccess", "loadAt" + width, "(" + C + "I)J");
        }
        else if (RegisterKind.CONTEXT == kind && 4 == width && isContextField(offset))
        {
            method.context();
            address(base, offset);
            method.pushInt(at);
            method.invoke("ContextAccess", ContextAccess.loader(offset), "(" + C + "JI)J");
        }
        else if (isValue(kind))
        {
            map(kind);
            address(base, offset);
            method.pushInt(at);
            method.invoke("ValueAccess", "load" + width, "(" + C + "IIJI)J");
        }
        else
        {
            method.context();
            address(base, offset);
            method.pushInt(at);
            method.invoke(access(kind), "load" + width, "(" + C + "JI)J");
        }
        if (Opcode.MEMSX == Opcode.mode(opcode))
        {
            method.op(Opcodes.L2I);
            if (4 != width)
            {
                method.op(1 == width ? Opcodes.I2B : Opcodes.I2S);
            }
            method.op(Opcodes.I2L);
        }
        method.store(Instruction.destination(instruction));
    }

    /** Stores a register or an immediate. */
    void store(final long instruction, final RegisterState state, final int at)
    {
        final int width = Opcode.width(Instruction.opcode(instruction));
        final int base = Instruction.destination(instruction);
        final int offset = Instruction.offset(instruction);
        final int kind = state.kind(base);
        if (isOnStack(kind, offset, width))
        {
            method.context();
            method.pushStackIndex(RegisterKind.stackOffset(kind) + offset);
            value(instruction);
            method.invoke("LocalAccess", "storeAt" + width, "(" + C + "IJ)V");
            return;
        }
        final boolean isValue = isValue(kind) && !program.maps().get(RegisterKind.mapOf(kind)).isReadOnly();
        if (isValue)
        {
            map(kind);
        }
        else
        {
            method.context();
        }
        address(base, offset);
        value(instruction);
        method.pushInt(at);
        if (isValue)
        {
            method.invoke("ValueAccess", "store" + width, "(" + C + "IIJJI)V");
        }
        else
        {
            method.invoke(access(kind), "store" + width, "(" + C + "JJI)V");
        }
    }

    void atomic(final long instruction, final RegisterState state, final int at)
    {
        final int width = Opcode.width(Instruction.opcode(instruction));
        final int operation = Instruction.immediate(instruction);
        final int base = Instruction.destination(instruction);
        final int source = Instruction.source(instruction);
        final int offset = Instruction.offset(instruction);
        final int kind = state.kind(base);
        if (Opcode.ADD == operation && isValue(kind) && !program.maps().get(RegisterKind.mapOf(kind)).isReadOnly())
        {
            map(kind);
            address(base, offset);
            method.load(source);
            method.pushInt(at);
            method.invoke("ValueAccess", "add" + width, "(" + C + "IIJJI)V");
            return;
        }
        method.context();
        address(base, offset);
        if (Opcode.CMPXCHG == operation)
        {
            method.load(0);
            method.load(source);
            method.pushInt(at);
            method.invoke("AtomicAccess", "compareAndExchange" + width, "(" + C + "JJJI)J");
            method.store(0);
            return;
        }
        method.pushInt(operation);
        method.load(source);
        method.pushInt(at);
        method.invoke("AtomicAccess", "update" + width, "(" + C + "JIJI)J");
        if ((operation & Opcode.FETCH) != 0)
        {
            method.store(source);
        }
        else
        {
            method.op(Opcodes.POP2);
        }
    }

    /** Whether an access lies in the function's stack for certain. */
    private static boolean isOnStack(final int kind, final int offset, final int width)
    {
        if (!RegisterKind.isStack(kind))
        {
            return false;
        }
        final int from = RegisterKind.stackOffset(kind) + offset;
        return from >= -AddressSpace.FRAME_LENGTH && from + width <= 0;
    }

    private static boolean isContextField(final int offset)
    {
        return offset >= 0 && offset < AddressSpace.CONTEXT_LENGTH && (offset & 3) == 0;
    }

    private boolean isValue(final int kind)
    {
        return RegisterKind.isValue(kind) && null != program.maps().get(RegisterKind.mapOf(kind)).values();
    }

    /** The context, the map's number in the space, and where its values begin. */
    private void map(final int kind)
    {
        final long handle = program.space().handle(program.maps().get(RegisterKind.mapOf(kind)));
        method.context();
        method.pushInt((int)(handle - AddressSpace.HANDLES));
        method.pushInt((int)program.space().address(handle));
    }

    private void address(final int base, final int offset)
    {
        method.load(base);
        if (0 != offset)
        {
            method.push(offset);
            method.op(Opcodes.LADD);
        }
    }

    private void value(final long instruction)
    {
        if (Opcode.ST == Opcode.classOf(Instruction.opcode(instruction)))
        {
            method.push(Instruction.immediate(instruction));
        }
        else
        {
            method.load(Instruction.source(instruction));
        }
    }

    /** What most likely holds an address of which no map is known. */
    private static String access(final int kind)
    {
        return RegisterKind.LOCAL == kind || RegisterKind.isStack(kind) ? "LocalAccess" : "PacketAccess";
    }
}
