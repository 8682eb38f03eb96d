package io.ringtap.xdp.bpf;

import io.ringtap.xdp.XdpVerdict;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Writes what a compiled program overrides of {@link ProgramCode}: ways into its functions. The loop over a batch is in
 * the class itself, so that no frame costs a call whose target depends on which programs are loaded.
 */
final class EntryWriter
{
    static final String CODE = MethodCode.PACKAGE + "ProgramCode";

    private static final String CONTEXT = MethodCode.CONTEXT;
    private static final String CONTEXT_TYPE = MethodCode.CONTEXT_TYPE;
    private static final String PROGRAM_TYPE = "L" + MethodCode.PACKAGE + "BpfProgram;";
    private static final String VIEW = "io/ringtap/xdp/FrameView";
    private static final String THROWABLE = "java/lang/Throwable";
    private static final String JUDGE = "(" + CONTEXT_TYPE + "L" + VIEW + ";I)I";

    private final ClassWriter writer;
    private final String name;
    private final BpfProgram program;

    private EntryWriter(final ClassWriter writer, final String name, final BpfProgram program)
    {
        this.writer = writer;
        this.name = name;
        this.program = program;
    }

    static void write(final ClassWriter writer, final String name, final BpfProgram program)
    {
        final EntryWriter entries = new EntryWriter(writer, name, program);
        entries.writeConstructor();
        entries.writeRun(program.functions().size());
        entries.writeJudge();
        entries.writeRunBatch();
    }

    /**
     * Names every helper once while the class is initialized: HotSpot's compilers give a method up for good when a
     * constant in it is not resolved, which those on ways that practice did not take would be.
     */
    static void writeResolver(final ClassWriter writer, final int helpers)
    {
        final MethodVisitor visitor = writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        visitor.visitCode();
        for (int i = 0; i < helpers; i++)
        {
            visitor.visitLdcInsn(MethodCode.helper(i));
            visitor.visitInsn(Opcodes.POP);
        }
        visitor.visitInsn(Opcodes.RETURN);
        end(visitor);
    }

    private void writeConstructor()
    {
        final MethodVisitor visitor = begin("<init>", "(" + PROGRAM_TYPE + ")V");
        visitor.visitVarInsn(Opcodes.ALOAD, 0);
        visitor.visitVarInsn(Opcodes.ALOAD, 1);
        visitor.visitMethodInsn(Opcodes.INVOKESPECIAL, CODE, "<init>", "(" + PROGRAM_TYPE + ")V", false);
        visitor.visitInsn(Opcodes.RETURN);
        end(visitor);
    }

    /** run(context, function, r1..r5, r10): a switch over the functions. */
    private void writeRun(final int functions)
    {
        final MethodVisitor visitor = begin("run", "(" + CONTEXT_TYPE + "IJJJJJJ)J");
        final Object[] frame = {name, CONTEXT, Opcodes.INTEGER, Opcodes.LONG, Opcodes.LONG, Opcodes.LONG,
            Opcodes.LONG, Opcodes.LONG, Opcodes.LONG};
        final Label[] cases = new Label[functions];
        for (int i = 0; i < functions; i++)
        {
            cases[i] = new Label();
        }
        visitor.visitVarInsn(Opcodes.ILOAD, 2);
        // Numbers of functions come from checked handles; the default is only there because a switch has one.
        visitor.visitTableSwitchInsn(0, functions - 1, cases[0], cases);
        for (int i = 0; i < functions; i++)
        {
            place(visitor, cases[i], frame);
            visitor.visitVarInsn(Opcodes.ALOAD, 1);
            for (int local = 3; local <= 13; local += 2)
            {
                visitor.visitVarInsn(Opcodes.LLOAD, local);
            }
            visitor.visitMethodInsn(
                Opcodes.INVOKESTATIC, name, Compiler.functionName(i), Compiler.FUNCTION, false);
            visitor.visitInsn(Opcodes.LRETURN);
        }
        end(visitor);
    }

    /** judge(context, view, index): as {@link ProgramCode#judge}, with a direct call and no more than it needs. */
    private void writeJudge()
    {
        final MethodVisitor visitor = begin("judge", JUDGE);
        final Object[] frame = {name, CONTEXT, VIEW, Opcodes.INTEGER};
        final Label isLong = new Label();
        final Label from = new Label();
        final Label to = new Label();
        final Label aborted = new Label();
        visitor.visitTryCatchBlock(from, to, aborted, THROWABLE);
        visitor.visitVarInsn(Opcodes.ALOAD, 1);
        visitor.visitVarInsn(Opcodes.ALOAD, 2);
        visitor.visitVarInsn(Opcodes.ILOAD, 3);
        visitor.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CONTEXT, "begin", "(L" + VIEW + ";I)Z", false);
        visitor.visitJumpInsn(Opcodes.IFNE, isLong);
        visitor.visitInsn(Opcodes.ICONST_0 + XdpVerdict.ABORTED);
        visitor.visitInsn(Opcodes.IRETURN);
        place(visitor, isLong, frame);
        if (program.calls())
        {
            visitor.visitVarInsn(Opcodes.ALOAD, 1);
            visitor.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CONTEXT, "rewind", "()V", false);
        }
        if (program.calls() || program.loops())
        {
            visitor.visitVarInsn(Opcodes.ALOAD, 1);
            visitor.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CONTEXT, "refuel", "()V", false);
        }
        visitor.visitLabel(from);
        visitor.visitVarInsn(Opcodes.ALOAD, 1);
        visitor.visitLdcInsn(AddressSpace.CONTEXT);
        for (int register = 2; register <= 5; register++)
        {
            visitor.visitInsn(Opcodes.LCONST_0);
        }
        visitor.visitLdcInsn(AddressSpace.FIRST_FRAME);
        visitor.visitMethodInsn(Opcodes.INVOKESTATIC, name, Compiler.functionName(0), Compiler.FUNCTION, false);
        visitor.visitInsn(Opcodes.L2I);
        if (program.calls())
        {
            visitor.visitVarInsn(Opcodes.ALOAD, 1);
            visitor.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CONTEXT, "settle", "()V", false);
        }
        visitor.visitInsn(Opcodes.IRETURN);
        visitor.visitLabel(to);
        visitor.visitLabel(aborted);
        visitor.visitFrame(Opcodes.F_NEW, frame.length, frame, 1, new Object[] {THROWABLE});
        visitor.visitVarInsn(Opcodes.ASTORE, 4);
        load(visitor, 1, 0, 4);
        visitor.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL, CONTEXT, "abandon", "(L" + CODE + ";L" + THROWABLE + ";)I", false);
        visitor.visitInsn(Opcodes.IRETURN);
        end(visitor);
    }

    /** runBatch(context, frames, count, verdicts): as {@link ProgramCode#runBatch}, in the class itself. */
    private void writeRunBatch()
    {
        final MethodVisitor visitor = begin("runBatch", "(" + CONTEXT_TYPE + "[L" + VIEW + ";I[I)V");
        final int i = 5;
        final Object[] frame = {name, CONTEXT, "[L" + VIEW + ";", Opcodes.INTEGER, "[I", Opcodes.INTEGER};
        final Label loop = new Label();
        final Label next = new Label();
        final Label test = new Label();
        load(visitor, 1, 0, 2);
        visitor.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL, CONTEXT, "open", "(L" + CODE + ";[L" + VIEW + ";)V", false);
        visitor.visitInsn(Opcodes.ICONST_0);
        visitor.visitVarInsn(Opcodes.ISTORE, i);
        visitor.visitJumpInsn(Opcodes.GOTO, test);
        place(visitor, loop, frame);
        load(visitor, 4);
        visitor.visitVarInsn(Opcodes.ILOAD, i);
        visitor.visitInsn(Opcodes.IALOAD);
        visitor.visitInsn(Opcodes.ICONST_0 + XdpVerdict.PASS);
        visitor.visitJumpInsn(Opcodes.IF_ICMPNE, next);
        load(visitor, 4);
        visitor.visitVarInsn(Opcodes.ILOAD, i);
        load(visitor, 0, 1, 2);
        visitor.visitVarInsn(Opcodes.ILOAD, i);
        visitor.visitInsn(Opcodes.AALOAD);
        visitor.visitVarInsn(Opcodes.ILOAD, i);
        visitor.visitMethodInsn(Opcodes.INVOKEVIRTUAL, name, "judge", JUDGE, false);
        visitor.visitInsn(Opcodes.IASTORE);
        place(visitor, next, frame);
        visitor.visitIincInsn(i, 1);
        place(visitor, test, frame);
        visitor.visitVarInsn(Opcodes.ILOAD, i);
        visitor.visitVarInsn(Opcodes.ILOAD, 3);
        visitor.visitJumpInsn(Opcodes.IF_ICMPLT, loop);
        visitor.visitInsn(Opcodes.RETURN);
        end(visitor);
    }

    private static void load(final MethodVisitor visitor, final int... references)
    {
        for (final int reference : references)
        {
            visitor.visitVarInsn(Opcodes.ALOAD, reference);
        }
    }

    private MethodVisitor begin(final String method, final String descriptor)
    {
        final MethodVisitor visitor = writer.visitMethod(0, method, descriptor, null, null);
        visitor.visitCode();
        return visitor;
    }

    private static void end(final MethodVisitor visitor)
    {
        visitor.visitMaxs(0, 0);
        visitor.visitEnd();
    }

    private static void place(final MethodVisitor visitor, final Label label, final Object[] frame)
    {
        visitor.visitLabel(label);
        visitor.visitFrame(Opcodes.F_NEW, frame.length, frame, 0, null);
    }
}
