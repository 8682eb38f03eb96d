package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Queues that run the same program at the same time lose no update. */
class AtomicTest
{
    private static final int QUEUES = 3;
    private static final int FRAMES = 20_000;

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldLoseNoUpdate(final Form form) throws InterruptedException
    {
        final MemoryMap map = new MemoryMap("values", new byte[64]);
        final AddressSpace space = new AddressSpace();
        space.add(map);
        final long[] code = Assembler.assemble("lddw %r6, mapvalue0", "mov %r1, 3", "lock add [%r6], %r1",
            "lock add32 [%r6+8], %r1", "lock fetch add [%r6+16], %r1", "mov %r2, 1", "lock xor [%r6+24], %r2",
            // A counter by compare-and-exchange, until it succeeds.
            "ldxdw %r0, [%r6+32]", "again:", "mov %r3, %r0", "mov %r4, %r0", "add %r4, 1",
            "lock cmpxchg [%r6+32], %r4", "jne %r0, %r3, again", "mov %r0, 2", "exit");
        final ProgramCode program = form.of(Verifier.verify(
            new ProgramText("count", code, List.of(map), space, Map.of(), LineTable.NONE, ""), HelperSet.NONE));
        final Thread[] threads = new Thread[QUEUES];
        for (int i = 0; i < QUEUES; i++)
        {
            final BpfHook hook = new BpfHook(program, new BpfContext(program));
            threads[i] = new Thread(() -> run(hook));
            threads[i].start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        final long all = (long)QUEUES * FRAMES;
        assertEquals(3 * all, map.values().getLong(0));
        assertEquals(3 * all, map.values().getInt(8));
        assertEquals(3 * all, map.values().getLong(16));
        assertEquals(all & 1, map.values().getLong(24));
        assertEquals(all, map.values().getLong(32));
    }

    private static void run(final BpfHook hook)
    {
        final FrameView frame = Programs.frame(new byte[64]);
        for (int i = 0; i < FRAMES; i++)
        {
            hook.onFrame(frame);
        }
    }
}
