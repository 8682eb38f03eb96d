package io.ringtap.xdp.bpf;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a verified program into a hidden class: a method for each function, which HotSpot then compiles to machine code
 * as it does with any other. The class goes when nobody has its one object any more.
 * <p>
 * The code reaches maps through the context, by number, and so belongs to no particular ones: one class serves every
 * guest that runs the program, and practises on scratch maps before.
 */
final class Compiler
{
    /** Descriptor of every function: context, r1 to r5, r10; returns r0. */
    static final String FUNCTION = "(" + MethodCode.CONTEXT_TYPE + "JJJJJJ)J";

    private final BpfProgram program;
    private final Limits limits;
    private final List<HelperCall> helpers = new ArrayList<>();
    private final String name;

    private Compiler(final BpfProgram program, final Limits limits)
    {
        this.program = program;
        this.limits = limits;
        name = MethodCode.PACKAGE + "Program_" + program.name().replaceAll("[^A-Za-z0-9_]", "_");
    }

    /**
     * Compiles a program.
     *
     * @throws CompileException when that is not possible, whatever the reason; it can still be interpreted.
     */
    static ProgramCode compile(final BpfProgram program)
    {
        return compile(program, Limits.DEFAULT);
    }

    static ProgramCode compile(final BpfProgram program, final Limits limits)
    {
        try
        {
            final Compiler compiler = new Compiler(program, limits);
            return compiler.define(compiler.classFile());
        }
        catch (final ReflectiveOperationException | RuntimeException | LinkageError failure)
        {
            throw new CompileException(
                "program " + program.name() + ", " + program.length() + " instructions: cannot be compiled: " + failure,
                failure);
        }
    }

    /** The class file, for tests of what was written. */
    static byte[] classFile(final BpfProgram program, final Limits limits)
    {
        return new Compiler(program, limits).classFile();
    }

    static String functionName(final int number)
    {
        return "f" + number;
    }

    private byte[] classFile()
    {
        final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, name, null, EntryWriter.CODE, null);
        writer.visitSource(program.name(), null);
        EntryWriter.write(writer, name, program);
        writeFunctions(writer);
        if (!helpers.isEmpty())
        {
            EntryWriter.writeResolver(writer, helpers.size());
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** Functions in the order of their calls, so that what callers pass is known. */
    private void writeFunctions(final ClassWriter writer)
    {
        final int count = program.functions().size();
        final int[][] kinds = new int[count][RegisterState.REGISTERS];
        kinds[0][1] = RegisterKind.CONTEXT;
        for (int register = 2; register <= 5; register++)
        {
            kinds[0][register] = RegisterKind.UNKNOWN;
        }
        for (final int number : CallOrder.of(program))
        {
            final FunctionWriter function =
                new FunctionWriter(writer, name, program, number, kinds[number], limits, helpers);
            CallOrder.passKinds(program, function.graph(), function.flow(), kinds);
            function.write();
        }
    }

    private ProgramCode define(final byte[] bytes) throws ReflectiveOperationException
    {
        final MethodHandles.Lookup lookup =
            MethodHandles.lookup().defineHiddenClassWithClassData(bytes, List.copyOf(helpers), true);
        final MethodHandle constructor = lookup.findConstructor(
            lookup.lookupClass(), MethodType.methodType(void.class, BpfProgram.class));
        try
        {
            return (ProgramCode)constructor.invoke(program);
        }
        catch (final RuntimeException | Error failure)
        {
            throw failure;
        }
        catch (final Throwable impossible)
        {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Where methods end.
     *
     * @param whole a function of at most this many bytes of JVM code becomes one method.
     * @param part  bytes of each method of a longer one, about.
     */
    record Limits(int whole, int part)
    {
        /**
         * A method may have 8000 bytes to be compiled at all, but the just-in-time compiler inlines accesses and
         * helpers only until all together have as many: half of them are left for that.
         */
        static final Limits DEFAULT = new Limits(4500, 2500);
    }
}
