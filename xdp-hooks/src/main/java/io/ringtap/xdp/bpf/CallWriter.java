package io.ringtap.xdp.bpf;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

import java.util.List;

/** Writes calls: of helpers, which are constants of the class; of functions; and of other programs. */
final class CallWriter
{
    private static final String C = MethodCode.CONTEXT_TYPE;
    private static final String MAP = MethodCode.PACKAGE + "BpfMap";
    private static final String MAP_TYPE = "L" + MAP + ";";

    private final MethodCode method;
    private final BpfProgram program;
    private final List<HelperCall> helpers;

    CallWriter(final MethodCode method, final BpfProgram program, final List<HelperCall> helpers)
    {
        this.method = method;
        this.program = program;
        this.helpers = helpers;
    }

    /** A function of the program. */
    void local(final String owner, final int at)
    {
        final int callee = program.callee(at);
        method.context();
        for (int register = 1; register <= 5; register++)
        {
            method.load(register);
        }
        method.context();
        method.load(10);
        method.pushInt(program.functions().get(callee).length());
        method.pushInt(at);
        method.visitor().visitMethodInsn(
            Opcodes.INVOKEVIRTUAL, MethodCode.CONTEXT, "enterFunction", "(JII)J", false);
        method.visitor().visitMethodInsn(
            Opcodes.INVOKESTATIC, owner, Compiler.functionName(callee), Compiler.FUNCTION, false);
        method.store(0);
    }

    /** Leaves r0 on the stack; the caller then asks whether the call happened. */
    void tail(final int at)
    {
        method.context();
        method.load(2);
        method.load(3);
        method.load(10);
        method.pushInt(at);
        method.invoke("TailCall", "call", "(" + C + "JJJI)J");
        method.store(0);
    }

    void helper(final RegisterState state, final int at)
    {
        final Helper helper = program.helper(at);
        if (Helper.MAP_LOOKUP == helper.id() && RegisterKind.isMap(state.kind(1)))
        {
            final BpfMap map = program.maps().get(RegisterKind.mapOf(state.kind(1)));
            if (null != map.values() && 4 == map.keySize() && map.stride() > 0)
            {
                entry(map, state, at);
                return;
            }
            if (null != map.values())
            {
                lookup(map, state, at);
                return;
            }
        }
        notePlace(at);
        method.context();
        method.load(10);
        method.visitor().visitFieldInsn(Opcodes.PUTFIELD, MethodCode.CONTEXT, "framePointer", "J");
        method.pushHelper(number(helper.call()));
        method.context();
        for (int register = 1; register <= 5; register++)
        {
            method.load(register);
        }
        method.visitor().visitMethodInsn(
            Opcodes.INVOKEINTERFACE, MethodCode.PACKAGE + "HelperCall", "call", "(" + C + "JJJJJ)J", true);
        method.store(0);
    }

    /** A lookup in an array needs no call: the key is a number, and the rest is known. */
    private void entry(final BpfMap map, final RegisterState state, final int at)
    {
        method.context();
        final int kind = state.kind(2);
        if (RegisterKind.isStack(kind) && isOnStack(RegisterKind.stackOffset(kind), 4))
        {
            method.context();
            method.pushStackIndex(RegisterKind.stackOffset(kind));
            method.invoke("LocalAccess", "loadAt4", "(" + C + "I)J");
        }
        else
        {
            method.context();
            method.load(2);
            method.pushInt(at);
            method.invoke("LocalAccess", "load4", "(" + C + "JI)J");
        }
        method.pushInt(map.maxEntries());
        method.push(address(map));
        method.pushInt(map.stride());
        method.pushInt(map.queueStride());
        method.invoke("CompiledSupport", "entry", "(" + C + "JIJII)J");
        method.store(0);
    }

    /**
     * A lookup in any other map. The call stands here and not in a shared method, so that this place alone decides for
     * the just-in-time compiler which implementation it sees.
     */
    private void lookup(final BpfMap map, final RegisterState state, final int at)
    {
        final int kind = state.kind(2);
        final boolean isOnStack =
            RegisterKind.isStack(kind) && isOnStack(RegisterKind.stackOffset(kind), map.keySize());
        if (!isOnStack)
        {
            notePlace(at);
        }
        method.getContext("maps", "[" + MAP_TYPE);
        method.pushInt((int)(program.space().handle(map) - AddressSpace.HANDLES));
        method.op(Opcodes.AALOAD);
        method.context();
        if (isOnStack)
        {
            method.getContext("localBuffer", MethodCode.MEMORY);
            method.pushStackIndex(RegisterKind.stackOffset(kind));
        }
        else
        {
            method.context();
            method.load(2);
            method.push(map.keySize());
            method.visitor().visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, MethodCode.CONTEXT, "readable", "(JJ)" + MethodCode.MEMORY, false);
            method.context();
            method.visitor().visitMethodInsn(Opcodes.INVOKEVIRTUAL, MethodCode.CONTEXT, "index", "()I", false);
        }
        method.visitor().visitMethodInsn(
            Opcodes.INVOKEVIRTUAL, MAP, "lookup", "(" + C + MethodCode.MEMORY + "I)I", false);
        method.push(address(map));
        method.invoke("CompiledSupport", "address", "(IJ)J");
        method.store(0);
    }

    /** Whether the call of {@link #tail} took place: then goes on, else jumps to the label. */
    void unlessTailCalled(final Label label)
    {
        method.getContext("tailCalled", "Z");
        method.visitor().visitJumpInsn(Opcodes.IFEQ, label);
    }

    private void notePlace(final int at)
    {
        method.context();
        method.pushInt(at);
        method.visitor().visitFieldInsn(Opcodes.PUTFIELD, MethodCode.CONTEXT, "instruction", "I");
    }

    private long address(final BpfMap map)
    {
        return program.space().address(program.space().handle(map));
    }

    private static boolean isOnStack(final int offset, final int length)
    {
        return offset >= -AddressSpace.FRAME_LENGTH && offset + length <= 0;
    }

    private int number(final HelperCall helper)
    {
        final int known = helpers.indexOf(helper);
        if (known >= 0)
        {
            return known;
        }
        helpers.add(helper);
        return helpers.size() - 1;
    }
}
