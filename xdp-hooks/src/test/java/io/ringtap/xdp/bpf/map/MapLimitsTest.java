package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.MapKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Declarations at and beyond their limits: what is refused is refused in one line with value and limit. */
class MapLimitsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ARRAY|8|8|4|0|key size 8, must be 4",
        "ARRAY|4|0|4|0|value size 0, must be 1 to 1073741824",
        "ARRAY|4|8|0|0|max_entries 0, must be 1 to 134217728",
        "ARRAY|4|8|-1|0|max_entries 4294967295, must be 1 to 134217728",
        "ARRAY|4|8|4|1|flags 0x1 are not for this kind",
        "ARRAY|4|1048576|1025|0|1025 values take 1074790400 bytes, at most 1073741824; declare fewer or smaller " +
            "entries",
        "HASH|0|8|4|0|key size 0, must be 1 to 512",
        "HASH|513|8|4|0|key size 513, must be 1 to 512",
        "HASH|4|1048577|4|0|value size 1048577, must be 1 to 1048576",
        "HASH|4|8|67108865|0|max_entries 67108865, must be 1 to 67108864",
        "HASH|4|8|4|1024|flags 0x400 are not for this kind",
        "HASH|4|1048576|2000|0|2064 values take 2164260864 bytes, at most 1073741824; declare fewer or smaller entries",
        "LRU_HASH|4|8|4|1|flags 0x1 are not for this kind",
        "LPM_TRIE|4|8|4|1|key size 4, must be 5 to 260",
        "LPM_TRIE|261|8|4|1|key size 261, must be 5 to 260",
        "LPM_TRIE|8|8|4|0|flags 0x0, must have BPF_F_NO_PREALLOC 0x1",
        "DEVMAP|4|5|4|0|value size 5, must be 4 or 8",
        "XSKMAP|4|8|4|0|value size 8, must be 4",
        "PROG_ARRAY|4|8|4|0|value size 8, must be 4",
        "QUEUE|4|8|4|0|key size 4, must be 0",
        "RINGBUF|0|0|4097|0|a ring of 4097 bytes, must be a power of two from 4096 to 268435456",
        "RINGBUF|0|0|-2147483648|0|a ring of 2147483648 bytes, must be a power of two from 4096 to 268435456",
        "RINGBUF|0|8|4096|0|value size 8, must be 0",
        "HASH_OF_MAPS|4|4|4|0|does not say what the maps in it are like"})
    void shouldRefuseInOneLine(
        final MapKind kind, final int key, final int value, final int entries, final int flags, final String why)
    {
        final MapException refused = assertThrows(MapException.class,
            () -> new MapFactory(2).create(MapSpec.of("m", kind, key, value, entries).withFlags(flags)));
        assertTrue(refused.getMessage().startsWith("map m"), refused.getMessage());
        assertTrue(refused.getMessage().endsWith(": " + why), refused.getMessage());
    }

    @Test
    void shouldRefuseContentAndLocksThatDoNotFit()
    {
        assertThrows(MapException.class, () -> new MapFactory(1).create(
            new MapSpec("m", MapKind.ARRAY, 4, 8, 1, 0, 0, null, new byte[9])));
        for (final int offset : new int[] {-2, 2, 8, Integer.MAX_VALUE})
        {
            assertThrows(MapException.class, () -> new MapFactory(1).create(
                new MapSpec("m", MapKind.ARRAY, 4, 8, 1, 0, 0, null, null, offset)));
        }
    }

    /** As small as the kind may be, with a double to practise on that nobody sees. */
    @ParameterizedTest
    @EnumSource(MapKind.class)
    void shouldMakeEveryKindWithADouble(final MapKind kind)
    {
        final BpfMap map = new MapFactory(2).create(smallest(kind));
        final BpfMap twin = map.scratch();
        assertNotNull(twin);
        assertEquals(map.getClass(), twin.getClass());
        assertEquals(map.keySize(), twin.keySize());
        assertEquals(map.valueSize(), twin.valueSize());
        assertEquals(null == map.values(), null == twin.values());
        assertTrue(null == map.values() || map.values() != twin.values() && map.values().capacity() >= 8);
        assertTrue(map.stride() == twin.stride() && map.isReadOnly() == twin.isReadOnly());
        assertNull(map.program(0));
    }

    private static MapSpec smallest(final MapKind kind)
    {
        return switch (kind)
        {
            case RINGBUF -> MapSpec.of("m", kind, 0, 0, 4096);
            case QUEUE, STACK -> MapSpec.of("m", kind, 0, 1, 1);
            case LPM_TRIE -> MapSpec.of("m", kind, 5, 1, 1).withFlags(MapFlags.NO_PREALLOC);
            case HASH, PERCPU_HASH, LRU_HASH, LRU_PERCPU_HASH -> MapSpec.of("m", kind, 1, 1, 1);
            case ARRAY_OF_MAPS, HASH_OF_MAPS -> new MapSpec(
                "m", kind, 4, 4, 1, 0, 0, MapSpec.of("inner", MapKind.ARRAY, 4, 8, 1), null);
            case ARRAY, PERCPU_ARRAY -> MapSpec.of("m", kind, 4, 1, 1);
            default -> MapSpec.of("m", kind, 4, 4, 1);
        };
    }
}
