package io.ringtap.xdp.bpf;

import com.sun.management.ThreadMXBean;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapSpec;
import io.ringtap.xdp.bpf.map.PerfEventMap;
import io.ringtap.xdp.bpf.map.RingBufMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** After start-up no helper and no map allocates, whatever it answers. */
class HelperAllocationTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 20_000;
    private static final String KEY = "call 7\nand %r0, 255\nstxdw [%r10-16], %r0\nstw [%r10-20], 32\n";
    private static final String POINT = "mov %r2, %r10\nadd %r2, -16\nmov %r3, %r10\nadd %r3, -24\nmov %r4, 0\n";

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotAllocateInMaps(final Form form)
    {
        for (final MapKind kind : new MapKind[] {MapKind.HASH, MapKind.PERCPU_HASH, MapKind.LRU_HASH,
            MapKind.LRU_PERCPU_HASH, MapKind.LPM_TRIE, MapKind.ARRAY, MapKind.PERCPU_ARRAY})
        {
            final BpfRig rig = new BpfRig(form);
            final boolean isArray = MapKind.ARRAY == kind || MapKind.PERCPU_ARRAY == kind;
            rig.map(MapSpec.of("m", kind, isArray ? 4 : 8, 8, 100)
                .withFlags(MapKind.LPM_TRIE == kind ? MapFlags.NO_PREALLOC : 0));
            final String key = MapKind.LPM_TRIE == kind ? KEY + "stxw [%r10-12], %r0\nstw [%r10-16], 32\n" : KEY;
            final String point = "lddw %r1, map0\n" + POINT;
            assertEquals(0, allocated(rig, key, point, "call 2", point, "call 1", point, "call 3", point, "call 2",
                point, "call 1", "mov %r0, 2", "exit"), kind.name());
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotAllocateInRecords(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final RingBufMap ring = (RingBufMap)rig.map(MapSpec.of("ring", MapKind.RINGBUF, 0, 0, 4096));
        final PerfEventMap events = (PerfEventMap)rig.map(MapSpec.of("events", MapKind.PERF_EVENT_ARRAY, 4, 4, 0));
        events.open(1, 4096);
        final String event = "lddw %r2, map1\nlddw %r3, 0xffffffff\nmov %r4, %r10\nadd %r4, -8\nmov %r5, 8\ncall 25\n";
        // Full soon, since nobody reads.
        assertEquals(0, allocated(rig, "stdw [%r10-8], 1", event, "lddw %r1, map0", "mov %r2, 8", "mov %r3, 0",
            "call 131", "mov %r0, 2", "exit"));
        assertEquals(true, ring.produced() > 0);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNotAllocateInTextAndCallbacks(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        rig.map(MapSpec.of("m", MapKind.ARRAY, 4, 8, 3));
        assertEquals(0, allocated(rig, BpfRig.text(-40, "%d %lx %s"), "mov %r1, %r10", "add %r1, -40",
            "mov %r2, 10", "mov %r3, 7", "mov %r4, -1", "mov %r5, %r10", "add %r5, -40", "call 6",
            "mov %r0, 2", "exit"));
        assertEquals(0, allocated(rig, "lddw %r1, map0", "lddw %r2, 0xf005", "mov %r4, 0", "call 164",
            "mov %r0, 2", "exit", "f:", "mov %r0, 0", "exit"));
    }

    private static long allocated(final BpfRig rig, final String... lines)
    {
        final ProgramCode code = rig.code(lines);
        assertEquals(2, rig.run(code));
        final BpfContext context = rig.context();
        final BpfHook hook = new BpfHook(code, context);
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5 && 0 != least; attempt++)
        {
            final long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < ROUNDS; i++)
            {
                hook.onFrame(rig.frame());
            }
            least = Math.min(least, THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        return least;
    }
}
