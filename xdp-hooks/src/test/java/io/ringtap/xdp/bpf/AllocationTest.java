package io.ringtap.xdp.bpf;

import com.sun.management.ThreadMXBean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** After start-up no frame allocates, whether its program ends well or is aborted. */
class AllocationTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final int FRAMES = 64;
    private static final int ROUNDS = 300;

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotAllocateForFrames(final Form form)
    {
        assertEquals(0, allocated(form, Programs.dropPort()));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotAllocateForFaults(final Form form)
    {
        assertEquals(0, allocated(form, Assembler.assemble("ldxw %r2, [%r1]", "ldxb %r0, [%r2+64]", "exit")));
        assertEquals(0, allocated(form, Assembler.assemble("mov %r0, 0", "again:", "add %r0, 1", "ja again")));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotAllocateForCallsMapsAndAtomics(final Form form)
    {
        assertEquals(0, allocated(form, Assembler.assemble("stw [%r10-4], 1", "mov %r2, %r10", "add %r2, -4",
            "lddw %r1, map0", "call 1", "jeq %r0, 0, +2", "mov %r1, 1", "lock fetch add [%r0], %r1",
            "call local f", "lddw %r2, map1", "mov %r3, 1", "call 12", "exit", "f:", "mov %r0, 2", "exit")));
    }

    private static long allocated(final Form form, final long[] code)
    {
        final AddressSpace space = new AddressSpace();
        final TestMap hash = new TestMap("hash", MapKind.HASH, 4, 4, 0);
        final TestMap programs = new TestMap("programs", MapKind.PROG_ARRAY, 4, 4, 0);
        space.add(hash);
        space.add(programs);
        final ProgramText text =
            new ProgramText("test", code, List.of(hash, programs), space, Map.of(), LineTable.NONE, "");
        final ProgramCode program = form.of(Verifier.verify(text, new HelperSet(List.of(Helper.of(
            Helper.MAP_LOOKUP, "lookup", (c, r1, r2, r3, r4, r5) -> 0, Helper.Result.VALUE_OR_NULL)))));
        programs.program(1, form.of(Programs.verified("other", Programs.dropPort())));
        hash.update(null, new UnsafeBuffer(new byte[] {1, 0, 0, 0}), 0, hash.values(), 0, 0);
        final BpfContext context = new BpfContext(space, 500);
        final byte[][] bytes = new byte[FRAMES][];
        Arrays.fill(bytes, Programs.udp(9999));
        final FrameArray frames = new FrameArray(bytes);
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5 && 0 != least; attempt++)
        {
            final long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int round = 0; round < ROUNDS; round++)
            {
                frames.rewind();
                frames.run(program, context);
            }
            least = Math.min(least, THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        return least;
    }
}
