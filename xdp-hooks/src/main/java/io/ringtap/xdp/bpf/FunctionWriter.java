package io.ringtap.xdp.bpf;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.util.List;

/**
 * Writes one function of a program: as one method when it is short enough for HotSpot's compilers, else as a method for
 * each part and one that goes from part to part. Between parts, registers that are still read travel through
 * {@link BpfContext#registers}; the number of the next entry travels as the method's result.
 */
final class FunctionWriter
{
    /** Result of a part that ended the function; r0 is among the registers. */
    private static final int ENDED = -1;
    private static final int PRIVATE_STATIC = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
    private static final String PART = "(" + MethodCode.CONTEXT_TYPE + "[JI)I";
    /** Registers in the order of a function's parameters, then the others. */
    private static final int[] ORDER = {1, 2, 3, 4, 5, 10, 0, 6, 7, 8, 9};

    private final ClassVisitor target;
    private final String owner;
    private final BpfProgram program;
    private final int number;
    private final List<HelperCall> helpers;
    private final FlowGraph graph;
    private final RegisterFlow flow;
    private final Liveness liveness;
    private final Compiler.Limits limits;
    private final boolean usesFuel;
    private Partition partition;

    FunctionWriter(
        final ClassVisitor target,
        final String owner,
        final BpfProgram program,
        final int number,
        final int[] argumentKinds,
        final Compiler.Limits limits,
        final List<HelperCall> helpers)
    {
        this.target = target;
        this.owner = owner;
        this.program = program;
        this.number = number;
        this.limits = limits;
        this.helpers = helpers;
        graph = new FlowGraph(program, program.functions().get(number));
        flow = new RegisterFlow(program, graph, argumentKinds);
        liveness = new Liveness(program, graph);
        usesFuel = graph.hasLoops();
        partition = Partition.whole(graph);
    }

    FlowGraph graph()
    {
        return graph;
    }

    RegisterFlow flow()
    {
        return flow;
    }

    void write()
    {
        final int[] sizes = new int[graph.count()];
        if (writeWhole(new ClassWriter(ClassWriter.COMPUTE_MAXS), sizes) <= limits.whole())
        {
            writeWhole(target, sizes);
            return;
        }
        int limit = limits.part();
        do
        {
            partition = Partition.inParts(graph, sizes, limit);
            limit /= 2;
        }
        while (limit > 0 && longestPart() > CodeSize.HUGE_METHOD);
        writeDriver();
        for (int part = 0; part < partition.count(); part++)
        {
            writePart(target, part);
        }
    }

    /**
     * Writes one method; its length may be more than a class file can hold.
     *
     * @param sizes takes the bytes of each block.
     * @return bytes of the method.
     */
    private int writeWhole(final ClassVisitor into, final int[] sizes)
    {
        final MethodVisitor visitor =
            into.visitMethod(Opcodes.ACC_STATIC, Compiler.functionName(number), Compiler.FUNCTION, null, null);
        visitor.visitCode();
        final MethodCode method = new MethodCode(visitor, new Object[] {MethodCode.CONTEXT}, ORDER);
        for (final int register : new int[] {0, 6, 7, 8, 9})
        {
            method.push(0);
            method.store(register);
        }
        method.begin(usesFuel);
        final PartWriter writer = new PartWriter(this, method, 0);
        writer.write();
        final int end = end(visitor);
        for (int block = 0; block < sizes.length; block++)
        {
            final int next = block + 1 < sizes.length ? writer.label(block + 1).getOffset() : end;
            sizes[block] = next - writer.label(block).getOffset();
        }
        return end;
    }

    /** Parts are written twice, since what it takes to leave one is known only then. */
    private int longestPart()
    {
        int longest = 0;
        for (int part = 0; part < partition.count(); part++)
        {
            longest = Math.max(longest, writePart(new ClassWriter(ClassWriter.COMPUTE_MAXS), part));
        }
        return longest;
    }

    private int writePart(final ClassVisitor into, final int part)
    {
        final MethodVisitor visitor = into.visitMethod(PRIVATE_STATIC, partName(part), PART, null, null);
        visitor.visitCode();
        final MethodCode method =
            new MethodCode(visitor, new Object[] {MethodCode.CONTEXT, "[J", Opcodes.INTEGER}, ORDER);
        final List<Integer> entries = partition.entries(part);
        int live = 1 << 10;
        for (final int block : entries)
        {
            live |= liveness.at(block);
        }
        for (final int register : ORDER)
        {
            if ((live >> register & 1) != 0)
            {
                visitor.visitVarInsn(Opcodes.ALOAD, 1);
                method.pushInt(register);
                method.op(Opcodes.LALOAD);
            }
            else
            {
                method.push(0);
            }
            method.store(register);
        }
        method.begin(usesFuel);
        final PartWriter writer = new PartWriter(this, method, part);
        final Label[] labels = new Label[entries.size()];
        for (int i = 0; i < labels.length; i++)
        {
            labels[i] = writer.label(entries.get(i));
        }
        visitor.visitVarInsn(Opcodes.ILOAD, 2);
        visitor.visitTableSwitchInsn(0, labels.length - 1, labels[0], labels);
        writer.write();
        return end(visitor);
    }

    /** Ends a method; how many bytes it has. */
    private static int end(final MethodVisitor visitor)
    {
        final Label end = new Label();
        visitor.visitLabel(end);
        visitor.visitMaxs(0, 0);
        visitor.visitEnd();
        return end.getOffset();
    }

    /** The method that other methods call: goes from part to part. */
    private void writeDriver()
    {
        final MethodVisitor visitor =
            target.visitMethod(Opcodes.ACC_STATIC, Compiler.functionName(number), Compiler.FUNCTION, null, null);
        visitor.visitCode();
        final int registers = 13;
        final int next = 14;
        final Object[] frame = {MethodCode.CONTEXT, Opcodes.LONG, Opcodes.LONG, Opcodes.LONG, Opcodes.LONG,
            Opcodes.LONG, Opcodes.LONG, "[J", Opcodes.INTEGER};
        visitor.visitVarInsn(Opcodes.ALOAD, 0);
        for (int register = 1; register <= 5; register++)
        {
            visitor.visitVarInsn(Opcodes.LLOAD, 2 * register - 1);
        }
        visitor.visitVarInsn(Opcodes.LLOAD, 11);
        visitor.visitMethodInsn(Opcodes.INVOKESTATIC, MethodCode.PACKAGE + "CompiledSupport", "registers",
            "(" + MethodCode.CONTEXT_TYPE + "JJJJJJ)[J", false);
        visitor.visitVarInsn(Opcodes.ASTORE, registers);
        visitor.visitInsn(Opcodes.ICONST_0);
        visitor.visitVarInsn(Opcodes.ISTORE, next);
        final Label[] cases = new Label[partition.count()];
        for (int part = 0; part < cases.length; part++)
        {
            cases[part] = new Label();
        }
        final Label loop = new Label();
        final Label ended = new Label();
        place(visitor, loop, frame);
        visitor.visitVarInsn(Opcodes.ILOAD, next);
        visitor.visitIntInsn(Opcodes.BIPUSH, 16);
        visitor.visitInsn(Opcodes.ISHR);
        visitor.visitTableSwitchInsn(0, cases.length - 1, ended, cases);
        for (int part = 0; part < cases.length; part++)
        {
            place(visitor, cases[part], frame);
            visitor.visitVarInsn(Opcodes.ALOAD, 0);
            visitor.visitVarInsn(Opcodes.ALOAD, registers);
            visitor.visitVarInsn(Opcodes.ILOAD, next);
            visitor.visitLdcInsn(0xffff);
            visitor.visitInsn(Opcodes.IAND);
            visitor.visitMethodInsn(Opcodes.INVOKESTATIC, owner, partName(part), PART, false);
            visitor.visitVarInsn(Opcodes.ISTORE, next);
            visitor.visitJumpInsn(Opcodes.GOTO, loop);
        }
        place(visitor, ended, frame);
        visitor.visitVarInsn(Opcodes.ALOAD, registers);
        visitor.visitInsn(Opcodes.ICONST_0);
        visitor.visitInsn(Opcodes.LALOAD);
        visitor.visitInsn(Opcodes.LRETURN);
        visitor.visitMaxs(0, 0);
        visitor.visitEnd();
    }

    private static void place(final MethodVisitor visitor, final Label label, final Object[] frame)
    {
        visitor.visitLabel(label);
        visitor.visitFrame(Opcodes.F_NEW, frame.length, frame, 0, null);
    }

    private String partName(final int part)
    {
        return Compiler.functionName(number) + "_part" + part;
    }

    BpfProgram program()
    {
        return program;
    }

    String owner()
    {
        return owner;
    }

    List<HelperCall> helpers()
    {
        return helpers;
    }

    Partition partition()
    {
        return partition;
    }

    boolean usesFuel()
    {
        return usesFuel;
    }

    /** Ends the function: r0 is its result. */
    void end(final MethodCode method)
    {
        if (usesFuel)
        {
            method.giveFuel();
        }
        if (partition.isWhole())
        {
            method.load(0);
            method.op(Opcodes.LRETURN);
            return;
        }
        keep(method, 0);
        method.pushInt(ENDED);
        method.op(Opcodes.IRETURN);
    }

    /** Leaves a part for a block of another. */
    void leave(final MethodCode method, final int block)
    {
        if (usesFuel)
        {
            method.giveFuel();
        }
        for (int register = 0; register < 10; register++)
        {
            if ((liveness.at(block) >> register & 1) != 0)
            {
                keep(method, register);
            }
        }
        final int part = partition.partOf(block);
        method.pushInt(part << 16 | partition.entries(part).indexOf(block));
        method.op(Opcodes.IRETURN);
    }

    private static void keep(final MethodCode method, final int register)
    {
        method.visitor().visitVarInsn(Opcodes.ALOAD, 1);
        method.pushInt(register);
        method.load(register);
        method.op(Opcodes.LASTORE);
    }
}
