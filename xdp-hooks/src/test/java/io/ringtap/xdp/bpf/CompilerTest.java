package io.ringtap.xdp.bpf;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the compiler writes, and what happens where it cannot. */
class CompilerTest
{
    private static final HelperSet HELPERS = new HelperSet(List.of(Helper.of(ProgramGenerator.MIX, "mix",
        (c, r1, r2, r3, r4, r5) -> r1 ^ r2, Helper.Result.NUMBER)));

    @Test
    void shouldKeepShortProgramsInOneMethod() throws IOException
    {
        final BpfProgram program = Programs.verified("drop", Programs.dropPort());
        final byte[] bytes = Compiler.classFile(program, Compiler.Limits.DEFAULT);

        final List<Integer> sizes = methodSizes(bytes);
        // Constructor, run, judge, runBatch and the function.
        assertEquals(5, sizes.size());
        assertTrue(sizes.get(4) < 325, "HotSpot inlines up to 325 bytes; the drop program has " + sizes.get(4));
    }

    @Test
    void shouldSplitWhatHotSpotWouldNotCompile() throws IOException
    {
        for (int seed = 0; seed < 4; seed++)
        {
            final long[] code = new ProgramGenerator(seed, 6000, 0).generate();
            final AddressSpace space = new AddressSpace();
            final MemoryMap map = new MemoryMap("values", new byte[64]);
            space.add(map);
            final BpfProgram program = Verifier.verify(new ProgramText(
                "long", code, List.of(map), space, Map.of(), LineTable.NONE, ""), HELPERS);
            assertTrue(program.length() >= 6000);

            final List<Integer> sizes = methodSizes(Compiler.classFile(program, Compiler.Limits.DEFAULT));

            assertTrue(sizes.size() > 10, sizes.toString());
            for (final int size : sizes)
            {
                assertTrue(size < CodeSize.HUGE_METHOD, sizes.toString());
            }
        }
    }

    @Test
    void shouldResolveEveryHelperBeforeHotSpotMeetsIt()
    {
        int called = 0;
        for (int seed = 0; seed < 20; seed++)
        {
            final long[] code = new ProgramGenerator(seed, 200, 0).generate();
            final AddressSpace space = new AddressSpace();
            final MemoryMap map = new MemoryMap("values", new byte[64]);
            space.add(map);
            final BpfProgram program = Verifier.verify(new ProgramText(
                "calls", code, List.of(map), space, Map.of(), LineTable.NONE, ""), HELPERS);
            final Set<ConstantDynamic> resolved = new HashSet<>();
            final Set<ConstantDynamic> used = new HashSet<>();
            new ClassReader(Compiler.classFile(program, Compiler.Limits.DEFAULT)).accept(
                new ClassVisitor(Opcodes.ASM9)
                {
                    @Override
                    public MethodVisitor visitMethod(
                        final int access, final String name, final String type, final String generic,
                        final String[] thrown)
                    {
                        return new MethodVisitor(Opcodes.ASM9)
                        {
                            @Override
                            public void visitLdcInsn(final Object value)
                            {
                                if (value instanceof ConstantDynamic helper)
                                {
                                    ("<clinit>".equals(name) ? resolved : used).add(helper);
                                }
                            }
                        };
                    }
                }, 0);
            assertEquals(used, resolved, "seed " + seed);
            called += used.size();
        }
        assertTrue(called > 0, "no program called a helper");
    }

    @Test
    void shouldInterpretAndSaySoWhereItCannotCompile()
    {
        // More numbers than a class file has room for constants.
        final long[] code = new long[65_535];
        for (int i = 0; i + 1 < code.length; i += 2)
        {
            code[i] = Instruction.of(Opcode.LDDW, 0, 0, 0, i);
            code[i + 1] = Instruction.of(0, 0, 0, 0, 7);
        }
        code[code.length - 1] = Opcode.EXIT_INSTRUCTION;
        final List<String> warnings = new ArrayList<>();

        final ProgramCode made = CodeFactory.make(Programs.verified("huge", code), warnings::add);

        assertInstanceOf(Interpreter.class, made);
        assertEquals(1, warnings.size());
        assertTrue(warnings.get(0).startsWith("program huge, "), warnings.get(0));
        assertTrue(warnings.get(0).contains("cannot be compiled") && warnings.get(0).contains("interpreted"));
        assertEquals("interpreted", made.form());
    }

    @Test
    void shouldPractiseWithoutLeavingTraces()
    {
        final List<String> warnings = new ArrayList<>();
        final AddressSpace space = new AddressSpace();
        final MemoryMap map = new MemoryMap("values", new byte[64]);
        space.add(map);
        final long[] code = Assembler.assemble("lddw %r2, mapvalue0", "mov %r1, 1", "lock add [%r2], %r1",
            "ldxdw %r0, [%r2]", "exit");

        final ProgramCode made = CodeFactory.make(Verifier.verify(new ProgramText("count", code, List.of(map), space,
            Map.of(), LineTable.NONE, ""), HELPERS), warnings::add);

        assertEquals(List.of(), warnings);
        assertEquals("compiled", made.form());
        assertEquals(0, map.values().getLong(0));
        assertEquals(1, new BpfHook(made, new BpfContext(made)).onFrame(Programs.frame(new byte[64])));
    }

    /** Bytes of code of each method, in the order of the class file (JVMS 4.6). */
    static List<Integer> methodSizes(final byte[] file) throws IOException
    {
        final List<Integer> sizes = new ArrayList<>();
        final ClassReader reader = new ClassReader(file);
        final DataInputStream in = new DataInputStream(new ByteArrayInputStream(file, reader.header, file.length));
        in.skipBytes(6);
        in.skipBytes(2 * in.readUnsignedShort());
        assertEquals(0, in.readUnsignedShort());
        for (int methods = in.readUnsignedShort(); methods > 0; methods--)
        {
            in.skipBytes(6);
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--)
            {
                in.skipBytes(2);
                final int length = in.readInt();
                in.skipBytes(4);
                sizes.add(in.readInt());
                in.skipBytes(length - 8);
            }
        }
        return sizes;
    }
}
