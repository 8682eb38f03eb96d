package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The control side's view of maps. */
class MapAccessTest
{
    private static final byte[] KEY = {1, 2, 3, 4};

    @ParameterizedTest
    @EnumSource(value = MapKind.class, names = {"HASH", "LRU_HASH", "PERCPU_HASH", "LRU_PERCPU_HASH"})
    void shouldPutGetAndDelete(final MapKind kind)
    {
        final MapAccess map = MapAccess.of(new MapFactory(2).create(MapSpec.of("m", kind, 4, 3, 4)));
        final boolean isPerQueue = map.valuesPerKey() == 2;
        assertNull(map.get(KEY));
        assertEquals(BpfErrno.ENOENT, map.delete(KEY));
        assertEquals(0, map.put(KEY, new byte[] {7, 8, 9}, MapFlags.NOEXIST));
        assertEquals(BpfErrno.EEXIST, map.put(KEY, new byte[] {7, 8, 9}, MapFlags.NOEXIST));
        assertEquals(0, map.putOne(KEY, isPerQueue ? 1 : 0, new byte[] {1, 1, 1}));
        assertArrayEquals(new byte[] {1, 1, 1}, map.get(KEY, isPerQueue ? 1 : 0));
        assertArrayEquals(isPerQueue ? new byte[] {7, 8, 9} : new byte[] {1, 1, 1}, map.get(KEY));
        final List<String> seen = new ArrayList<>();
        map.forEach((key, values) -> seen.add(key[3] + " " + values.size()));
        assertEquals(List.of("4 " + map.valuesPerKey()), seen);
        assertEquals(1, map.keys(10).size());
        assertEquals(0, map.keys(0).size());
        assertEquals(0, map.delete(KEY));
        assertNull(map.getAll(KEY));
    }

    @Test
    void shouldNameWhatDoesNotFit()
    {
        final MapAccess map = MapAccess.of(new MapFactory(2).create(MapSpec.of("m", MapKind.PERCPU_HASH, 4, 3, 4)));
        assertEquals("map m: key of 3 bytes, must be 4",
            assertThrows(MapException.class, () -> map.get(new byte[3])).getMessage());
        assertEquals("map m: value of 2 bytes, must be 3",
            assertThrows(MapException.class, () -> map.put(KEY, new byte[2])).getMessage());
        assertEquals("map m: queue 2, must be 0 to 1",
            assertThrows(MapException.class, () -> map.get(KEY, 2)).getMessage());
        assertEquals("map m: 1 values for a key, must be 2",
            assertThrows(MapException.class, () -> map.putAll(KEY, List.of(new byte[3]), 0)).getMessage());
        assertFalse(MapAccess.isFor(new MapFactory(1).create(MapSpec.of("q", MapKind.QUEUE, 0, 8, 4))));
    }

    @Test
    void shouldKeepPortsThatMakeSense()
    {
        final MapAccess ports = MapAccess.of(new MapFactory(1).create(MapSpec.of("p", MapKind.DEVMAP, 4, 8, 4)));
        final byte[] first = {0, 0, 0, 0};
        assertEquals(BpfErrno.EINVAL, ports.put(first, new byte[] {1, 0, 0, 0, 3, 0, 0, 0}));
        assertEquals(BpfErrno.EINVAL, ports.put(first, new byte[] {0, 0, 0, -1, 0, 0, 0, 0}));
        assertEquals(0, ports.put(first, new byte[] {1, 0, 0, 0, 0, 0, 0, 0}));
        assertEquals(1, ports.keys(10).size());
        assertEquals(BpfErrno.E2BIG, ports.put(new byte[] {4, 0, 0, 0}, new byte[8]));
        assertEquals(BpfErrno.EINVAL, ports.delete(new byte[] {4, 0, 0, 0}));
        assertEquals(0, ports.put(first, new byte[8]));
        assertNull(ports.get(first));
    }
}
