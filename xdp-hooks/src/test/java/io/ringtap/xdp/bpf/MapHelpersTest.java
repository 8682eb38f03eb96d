package io.ringtap.xdp.bpf;

import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapOfMaps;
import io.ringtap.xdp.bpf.map.MapFactory;
import io.ringtap.xdp.bpf.map.MapSpec;
import io.ringtap.xdp.bpf.map.ProgArrayMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Helpers of maps, called by programs in every form. */
class MapHelpersTest
{
    private static final String KEY = "mov %r2, %r10\nadd %r2, -4";
    private static final String VALUE = "mov %r3, %r10\nadd %r3, -16";
    private static final String LOAD = "jne %r0, 0, +2\nmov %r0, -5\nexit\nldxdw %r0, [%r0]\nexit";

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldLookUpUpdateAndDelete(final Form form)
    {
        for (final MapKind kind : new MapKind[] {MapKind.HASH, MapKind.LRU_HASH, MapKind.PERCPU_HASH})
        {
            final BpfRig rig = new BpfRig(form);
            rig.map(MapSpec.of("hash", kind, 4, 8, 2));
            final String key = "stw [%r10-4], 7\nstdw [%r10-16], 55\nlddw %r1, map0";
            assertEquals(-5, rig.run(key, KEY, "call 1", LOAD));
            assertEquals(BpfErrno.ENOENT, rig.run(key, KEY, VALUE, "mov %r4, 2", "call 2", "exit"));
            assertEquals(0, rig.run(key, KEY, VALUE, "mov %r4, 1", "call 2", "exit"));
            assertEquals(BpfErrno.EEXIST, rig.run(key, KEY, VALUE, "mov %r4, 1", "call 2", "exit"));
            assertEquals(BpfErrno.EINVAL, rig.run(key, KEY, VALUE, "mov %r4, 3", "call 2", "exit"));
            assertEquals(BpfErrno.EINVAL, rig.run(key, KEY, VALUE, "mov %r4, 4", "call 2", "exit"));
            assertEquals(BpfErrno.EINVAL, rig.run(key, KEY, VALUE, "lddw %r4, 0x100000000", "call 2", "exit"));
            assertEquals(55, rig.run(key, KEY, "call 1", LOAD));
            assertEquals(0, rig.run(key, KEY, "call 3", "exit"));
            assertEquals(BpfErrno.ENOENT, rig.run(key, KEY, "call 3", "exit"));
            assertEquals(0, rig.context().faults());
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldShowTheOldValueWhereItWasFound(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final MapAccess hash = MapAccess.of(rig.map(MapSpec.of("hash", MapKind.HASH, 4, 8, 2)));
        hash.put(bytes(7, 4), bytes(100, 8));

        assertEquals(100, rig.run("stw [%r10-4], 7", "stdw [%r10-16], 55", "lddw %r1, map0", KEY, "call 1",
            "jeq %r0, 0, exit", "mov %r6, %r0", "lddw %r1, map0", KEY, VALUE, "mov %r4, 0", "call 2",
            "ldxdw %r0, [%r6]", "exit"));
        assertArrayEquals(bytes(55, 8), hash.get(bytes(7, 4)));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldHaveAValueForEachQueue(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final MapAccess array = MapAccess.of(rig.map(MapSpec.of("array", MapKind.PERCPU_ARRAY, 4, 8, 2)));
        final MapAccess hash = MapAccess.of(rig.map(MapSpec.of("hash", MapKind.PERCPU_HASH, 4, 8, 2)));
        hash.put(bytes(1, 4), bytes(1000, 8));
        final String count = "stw [%r10-4], 1\n" + KEY + "\ncall 1\njeq %r0, 0, exit\nmov %r1, 1\n" +
            "lock add [%r0], %r1\nmov %r0, 2\nexit";
        for (int queue = 0; queue < BpfRig.QUEUES; queue++)
        {
            rig.queue(queue);
            for (int i = 0; i <= queue; i++)
            {
                assertEquals(XdpVerdict.PASS, rig.run("lddw %r1, map0", count));
                assertEquals(XdpVerdict.PASS, rig.run("lddw %r1, map1", count));
            }
            assertEquals(queue, rig.run("call 8", "exit"));
        }
        for (int queue = 0; queue < BpfRig.QUEUES; queue++)
        {
            assertArrayEquals(bytes(queue + 1, 8), array.get(bytes(1, 4), queue));
            assertArrayEquals(bytes(1001 + queue, 8), hash.get(bytes(1, 4), queue));
            final String other = "stw [%r10-4], 1\n" + KEY + "\nmov %r3, " + queue + "\ncall 195\n" + LOAD;
            assertEquals(queue + 1, rig.run("lddw %r1, map0", other));
            assertEquals(1001 + queue, rig.run("lddw %r1, map1", other));
        }
        assertEquals(-5, rig.run("lddw %r1, map0", "stw [%r10-4], 1", KEY, "mov %r3, 3", "call 195", LOAD));
        assertNull(array.get(bytes(2, 4)));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldAbortWhoChangesWhatIsNotToBeChanged(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        rig.map(MapSpec.of("constants", MapKind.ARRAY, 4, 8, 1).withFlags(MapFlags.RDONLY_PROG));
        rig.map(MapSpec.of("ports", MapKind.DEVMAP, 4, 4, 4));
        rig.map(MapSpec.of("programs", MapKind.PROG_ARRAY, 4, 4, 4));
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, rig.run("stw [%r10-4], 0", "stdw [%r10-16], 1", "lddw %r1, map" + i, KEY, VALUE,
                "mov %r4, 0", "call 2", "mov %r0, 2", "exit"));
            assertEquals("programs do not change the entries of that map", rig.fault().replaceAll(".*: ", ""));
            assertEquals(0, rig.run("stw [%r10-4], 0", "lddw %r1, map" + i, KEY, "call 3", "mov %r0, 2", "exit"));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldFindMapsInMaps(final Form form)
    {
        for (final MapKind kind : new MapKind[] {MapKind.ARRAY_OF_MAPS, MapKind.HASH_OF_MAPS})
        {
            final BpfRig rig = new BpfRig(form);
            final MapSpec inner = MapSpec.of("inner", MapKind.HASH, 4, 8, 4);
            final MapOfMaps outer = (MapOfMaps)rig.map(new MapSpec("outer", kind, 4, 4, 3, 0, 0, inner, null));
            final BpfMap map = new MapFactory(1).create(inner);
            MapAccess.of(map).put(bytes(9, 4), bytes(4711, 8));
            final String find = "stw [%r10-4], 1\nlddw %r1, map0\n" + KEY + "\ncall 1\njne %r0, 0, +2\n" +
                "mov %r0, -6\nexit\nstw [%r10-4], 9\nmov %r1, %r0\n" + KEY + "\ncall 1\n" + LOAD;

            assertEquals(-6, rig.run(find));
            outer.put(bytes(1, 4), map);
            assertEquals(map, outer.get(bytes(1, 4)));
            assertEquals(4711, rig.run(find));
            assertEquals(true, outer.remove(bytes(1, 4)));
            assertEquals(-6, rig.run(find));
            final BpfMap other = new MapFactory(1).create(MapSpec.of("other", MapKind.HASH, 4, 16, 4));
            assertThrows(RuntimeException.class, () -> outer.put(bytes(1, 4), other));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldTailCallWhatTheControlSidePutIn(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final ProgArrayMap programs = (ProgArrayMap)rig.map(MapSpec.of("programs", MapKind.PROG_ARRAY, 4, 4, 2));
        final String call = "lddw %r2, map0\nmov %r3, 1\ncall 12\nmov %r0, 1\nexit";
        assertEquals(1, rig.run(call));
        programs.put(1, rig.code("mov %r0, 77", "exit"));
        assertEquals(77, rig.run(call));
        programs.put(1, null);
        assertEquals(1, rig.run(call));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldPushPopAndPeek(final Form form)
    {
        for (final MapKind kind : new MapKind[] {MapKind.QUEUE, MapKind.STACK})
        {
            final BpfRig rig = new BpfRig(form);
            rig.map(MapSpec.of("queue", kind, 0, 8, 2));
            final String value = "lddw %r1, map0\nmov %r2, %r10\nadd %r2, -8\n";
            assertEquals(BpfErrno.ENOENT, rig.run(value, "call 88", "exit"));
            assertEquals(0, rig.run("stdw [%r10-8], 5", value, "call 88", "ldxdw %r0, [%r10-8]", "exit"));
            assertEquals(BpfErrno.EINVAL, rig.run("stdw [%r10-8], 1", value, "mov %r3, 1", "call 87", "exit"));
            for (int i = 1; i <= 2; i++)
            {
                assertEquals(0, rig.run("stdw [%r10-8], " + i, value, "mov %r3, 0", "call 87", "exit"));
            }
            assertEquals(BpfErrno.E2BIG, rig.run("stdw [%r10-8], 3", value, "mov %r3, 0", "call 87", "exit"));
            assertEquals(0, rig.run("stdw [%r10-8], 3", value, "mov %r3, 2", "call 87", "exit"));
            final int next = MapKind.QUEUE == kind ? 2 : 3;
            final int last = MapKind.QUEUE == kind ? 3 : 2;
            final String show = "jne %r0, 0, exit\nldxdw %r0, [%r10-8]\nexit";
            assertEquals(next, rig.run("stdw [%r10-8], 0", value, "call 89", show));
            assertEquals(next, rig.run("stdw [%r10-8], 0", value, "call 88", show));
            assertEquals(last, rig.run("stdw [%r10-8], 0", value, "call 88", show));
            assertEquals(BpfErrno.ENOENT, rig.run("stdw [%r10-8], 0", value, "call 89", show));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldVisitAllEntries(final Form form)
    {
        for (final MapKind kind : new MapKind[] {MapKind.ARRAY, MapKind.HASH, MapKind.PERCPU_HASH, MapKind.LRU_HASH})
        {
            final BpfRig rig = new BpfRig(form);
            final MapAccess map = MapAccess.of(rig.map(MapSpec.of("map", kind, 4, 8, 10)));
            for (int i = 0; i < 10; i++)
            {
                map.put(bytes(i, 4), bytes(100 * i, 8));
            }
            // Sums keys and values in the caller's stack, and stops where it is told to.
            final String sum = "f:\nldxw %r5, [%r2]\nldxdw %r3, [%r3]\nadd %r5, %r3\nldxdw %r0, [%r4]\n" +
                "add %r0, %r5\nstxdw [%r4], %r0\nmov %r0, 0\nexit";
            assertEquals(4545, rig.run("stdw [%r10-8], 0", "lddw %r1, map0", "lddw %r2, 0xf00a",
                "mov %r3, %r10", "add %r3, -8", "mov %r4, 0", "call 164", "jne %r0, 10, +2", "ldxdw %r0, [%r10-8]",
                "exit", "mov %r0, -1", "exit", sum));
            assertEquals(BpfErrno.EINVAL, rig.run("lddw %r1, map0", "lddw %r2, 0xf004", "mov %r4, 1", "call 164",
                "exit", "f:", "mov %r0, 0", "exit"));
            assertEquals(1, rig.run("lddw %r1, map0", "lddw %r2, 0xf004", "mov %r4, 0", "call 164", "exit",
                "f:", "mov %r0, 1", "exit"));
            if (MapKind.ARRAY != kind)
            {
                // Each callback removes what it is shown.
                assertEquals(10, rig.run("lddw %r1, map0", "lddw %r2, 0xf004", "mov %r4, 0", "call 164", "exit",
                    "f:", "call 3", "exit"));
                assertEquals(0, map.keys(100).size());
            }
            assertEquals(0, rig.context().faults());
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldLockOnceAndGiveBackAtTheEnd(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final BpfMap map = rig.map(new MapSpec("array", MapKind.ARRAY, 4, 16, 2, 0, 0, null, null, 4));
        final String lock = "stw [%r10-4], 1\nlddw %r1, map0\n" + KEY + "\ncall 1\njeq %r0, 0, exit\n" +
            "mov %r6, %r0\nadd %r6, 4\nmov %r1, %r6\ncall 93\nldxw %r7, [%r6]\n";
        assertEquals(1, rig.run(lock, "mov %r1, %r6", "call 94", "mov %r0, %r7", "exit"));
        assertEquals(0, map.values().getInt(20));
        // Kept, taken twice, given back twice, with a fault in between: it never stays.
        assertEquals(2, rig.run(lock, "mov %r0, 2", "exit"));
        assertEquals(0, map.values().getInt(20));
        assertEquals(0, rig.run(lock, "mov %r1, %r6", "call 93", "mov %r0, 2", "exit"));
        assertEquals(0, map.values().getInt(20));
        assertEquals(0, rig.run(lock, "ldxdw %r0, [%r7]", "exit"));
        assertEquals(0, map.values().getInt(20));
        assertEquals(0, rig.run(lock, "mov %r1, %r6", "call 94", "mov %r1, %r6", "call 94", "mov %r0, 2", "exit"));
        assertEquals("that lock is not held", rig.fault().replaceAll(".*: ", ""));
        assertEquals(BpfErrno.EBUSY, rig.run(lock, "stdw [%r10-16], 0", "stdw [%r10-24], 0", "lddw %r1, map0", KEY,
            "mov %r3, %r10", "add %r3, -24", "mov %r4, 4", "call 2", "exit"));
        assertEquals(0, rig.run("mov %r1, %r10", "add %r1, -8", "call 93", "mov %r0, 2", "exit"));
        assertEquals("that is no lock in a value of a map", rig.fault().replaceAll(".*: ", ""));
    }

    private static byte[] bytes(final long number, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(number >>> 8 * i);
        }
        return bytes;
    }
}
