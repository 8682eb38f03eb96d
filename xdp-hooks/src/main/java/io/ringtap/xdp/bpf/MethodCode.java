package io.ringtap.xdp.bpf;

import org.objectweb.asm.Handle;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

import java.util.Arrays;

/**
 * One JVM method while it is written: where registers and the rest lie among its locals, and the few phrases that all
 * writers use. Every register is a {@code long} local with a value from the first instruction on, so that one frame
 * describes every label.
 */
final class MethodCode
{
    static final String PACKAGE = "io/ringtap/xdp/bpf/";
    static final String CONTEXT = PACKAGE + "BpfContext";
    static final String CONTEXT_TYPE = "L" + CONTEXT + ";";
    static final String MEMORY = "Lorg/agrona/concurrent/UnsafeBuffer;";

    private static final Handle CLASS_DATA = new Handle(
        Opcodes.H_INVOKESTATIC,
        "java/lang/invoke/MethodHandles",
        "classDataAt",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)Ljava/lang/Object;",
        false);

    private final MethodVisitor visitor;
    private final int[] locals = new int[RegisterState.REGISTERS];
    private final Object[] frame;
    private final int stackBase;
    private final int fuel;
    private final int scratch;

    /**
     * @param parameters what the frame begins with: the method's parameters but registers.
     * @param order      registers in the order of their locals, behind those parameters.
     */
    MethodCode(final MethodVisitor visitor, final Object[] parameters, final int[] order)
    {
        this.visitor = visitor;
        int next = parameters.length;
        for (final int register : order)
        {
            locals[register] = next;
            next += 2;
        }
        stackBase = next;
        fuel = next + 1;
        scratch = next + 2;
        frame = Arrays.copyOf(parameters, parameters.length + order.length + 2);
        Arrays.fill(frame, parameters.length, frame.length, Opcodes.LONG);
        frame[frame.length - 2] = Opcodes.INTEGER;
        frame[frame.length - 1] = Opcodes.INTEGER;
    }

    MethodVisitor visitor()
    {
        return visitor;
    }

    void op(final int opcode)
    {
        visitor.visitInsn(opcode);
    }

    /** The context, which is always local 0. */
    void context()
    {
        visitor.visitVarInsn(Opcodes.ALOAD, 0);
    }

    void load(final int register)
    {
        visitor.visitVarInsn(Opcodes.LLOAD, locals[register]);
    }

    void store(final int register)
    {
        visitor.visitVarInsn(Opcodes.LSTORE, locals[register]);
    }

    /** The low half of a register. */
    void loadInt(final int register)
    {
        load(register);
        op(Opcodes.L2I);
    }

    /** Zero-extends the int on the stack, or keeps the low half of the long. */
    void mask()
    {
        push(0xffff_ffffL);
        op(Opcodes.LAND);
    }

    void push(final long value)
    {
        if (0 == value || 1 == value)
        {
            op(0 == value ? Opcodes.LCONST_0 : Opcodes.LCONST_1);
        }
        else
        {
            visitor.visitLdcInsn(value);
        }
    }

    void pushInt(final int value)
    {
        if (value >= -1 && value <= 5)
        {
            op(Opcodes.ICONST_0 + value);
        }
        else if ((byte)value == value)
        {
            visitor.visitIntInsn(Opcodes.BIPUSH, value);
        }
        else if ((short)value == value)
        {
            visitor.visitIntInsn(Opcodes.SIPUSH, value);
        }
        else
        {
            visitor.visitLdcInsn(value);
        }
    }

    /** Index in {@link BpfContext#local} of an offset from r10. */
    void pushStackIndex(final int offset)
    {
        visitor.visitVarInsn(Opcodes.ILOAD, stackBase);
        pushInt(offset);
        op(Opcodes.IADD);
    }

    /** A helper that the class calls, by its number among them. */
    void pushHelper(final int number)
    {
        visitor.visitLdcInsn(helper(number));
    }

    static ConstantDynamic helper(final int number)
    {
        return new ConstantDynamic("_", Type.getDescriptor(HelperCall.class), CLASS_DATA, number);
    }

    /** Calls a static method of this package. */
    void invoke(final String owner, final String name, final String descriptor)
    {
        visitor.visitMethodInsn(Opcodes.INVOKESTATIC, PACKAGE + owner, name, descriptor, false);
    }

    void getContext(final String field, final String type)
    {
        context();
        visitor.visitFieldInsn(Opcodes.GETFIELD, CONTEXT, field, type);
    }

    /** Computes what is derived from r10, and takes the fuel into a local; once, before the first instruction. */
    void begin(final boolean usesFuel)
    {
        loadInt(10);
        pushInt((int)AddressSpace.LOCAL);
        op(Opcodes.ISUB);
        visitor.visitVarInsn(Opcodes.ISTORE, stackBase);
        if (usesFuel)
        {
            takeFuel();
        }
        else
        {
            pushInt(0);
            visitor.visitVarInsn(Opcodes.ISTORE, fuel);
        }
    }

    void takeFuel()
    {
        getContext("fuel", "I");
        visitor.visitVarInsn(Opcodes.ISTORE, fuel);
    }

    void giveFuel()
    {
        context();
        visitor.visitVarInsn(Opcodes.ILOAD, fuel);
        visitor.visitFieldInsn(Opcodes.PUTFIELD, CONTEXT, "fuel", "I");
    }

    /** Burns fuel, and aborts when there is not enough; then goes on. */
    void burn(final int amount, final int at)
    {
        final Label enough = new Label();
        visitor.visitIincInsn(fuel, -amount);
        visitor.visitVarInsn(Opcodes.ILOAD, fuel);
        visitor.visitJumpInsn(Opcodes.IFGE, enough);
        context();
        pushInt(at);
        invoke("CompiledSupport", "outOfFuel", "(" + CONTEXT_TYPE + "I)L" + PACKAGE + "BpfAbort;");
        op(Opcodes.ATHROW);
        label(enough);
    }

    /** A place that jumps lead to. */
    void label(final Label label)
    {
        visitor.visitLabel(label);
        visitor.visitFrame(Opcodes.F_NEW, frame.length, frame, 0, null);
    }

    /** First local that no frame describes. */
    int scratch()
    {
        return scratch;
    }
}
