package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Which of several faults an update of an array is told: programs see the kernel's answer and no other. */
class ArrayFlagsTest
{
    private static final int BEYOND = 4;

    @ParameterizedTest
    @EnumSource(value = MapKind.class, names = {"ARRAY", "PERCPU_ARRAY"})
    void shouldLookAtTheIndexBeforeTheLock(final MapKind kind)
    {
        final MapAccess map = MapAccess.of(new MapFactory(2).create(MapSpec.of("array", kind, 4, 8, BEYOND)));

        assertEquals(BpfErrno.E2BIG, put(map, BEYOND, MapFlags.LOCK));
        assertEquals(BpfErrno.E2BIG, put(map, BEYOND, MapFlags.LOCK | MapFlags.NOEXIST));
        assertEquals(BpfErrno.EEXIST, put(map, 0, MapFlags.LOCK | MapFlags.NOEXIST));
        assertEquals(BpfErrno.EINVAL, put(map, 0, MapFlags.LOCK));
        assertEquals(BpfErrno.EINVAL, put(map, BEYOND, MapFlags.NOEXIST | MapFlags.EXIST));
    }

    private static int put(final MapAccess map, final int index, final int flags)
    {
        return map.put(new byte[]{(byte)index, 0, 0, 0}, new byte[8], flags);
    }
}
