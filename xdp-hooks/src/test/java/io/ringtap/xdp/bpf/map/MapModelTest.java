package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Random operations on maps with keys, held against java.util.HashMap. */
class MapModelTest
{
    private static final int QUEUES = 3;
    private static final HexFormat HEX = HexFormat.of();

    @ParameterizedTest
    @CsvSource({
        "HASH,1,1", "HASH,2,8", "HASH,3,5", "HASH,4,8", "HASH,5,24", "HASH,6,4", "HASH,7,2", "HASH,8,8",
        "HASH,12,12", "HASH,16,16", "HASH,20,7", "HASH,37,64", "HASH,512,100",
        "PERCPU_HASH,4,8", "PERCPU_HASH,6,12", "PERCPU_HASH,16,5", "PERCPU_HASH,40,8"})
    void shouldDoAsAHashMap(final MapKind kind, final int keySize, final int valueSize)
    {
        final Random random = MapTests.random(kind + "/" + keySize);
        final int capacity = 40;
        final StoredMap map = MapTests.stored(MapSpec.of("m", kind, keySize, valueSize, capacity), QUEUES);
        final boolean perQueue = MapKind.PERCPU_HASH == kind;
        final Map<String, byte[][]> model = new HashMap<>();
        final List<byte[]> keys = MapTests.keys(random, keySize, 60);
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] key = keys.get(random.nextInt(keys.size()));
            final int queue = random.nextInt(QUEUES);
            switch (random.nextInt(4))
            {
                case 0 -> update(map, model, key, queue, MapTests.bytes(random, valueSize), random.nextInt(4));
                case 1 -> assertEquals(null == model.remove(HEX.formatHex(key)) ? BpfErrno.ENOENT : 0,
                    map.remove(new UnsafeBuffer(key), 0));
                default ->
                {
                    final byte[][] expected = model.get(HEX.formatHex(key));
                    MapTests.assertValue(map, queue, key, null == expected ? null : expected[perQueue ? queue : 0]);
                }
            }
        }
        assertEquals(model.keySet(), MapTests.keysOf(map));
    }

    private static void update(
        final StoredMap map,
        final Map<String, byte[][]> model,
        final byte[] key,
        final int queue,
        final byte[] value,
        final int flags)
    {
        final byte[][] old = model.get(HEX.formatHex(key));
        final int expected = 3 == flags ? BpfErrno.EINVAL :
            null == old && MapFlags.EXIST == flags ? BpfErrno.ENOENT :
            null != old && MapFlags.NOEXIST == flags ? BpfErrno.EEXIST :
            null == old && model.size() == map.maxEntries() ? BpfErrno.E2BIG : 0;
        assertEquals(expected,
            map.write(queue, new UnsafeBuffer(key), 0, new UnsafeBuffer(value), 0, flags));
        if (0 == expected)
        {
            final byte[][] values =
                null == old ? new byte[][] {new byte[value.length], new byte[value.length], new byte[value.length]} :
                old;
            values[map.queues() > 0 ? queue : 0] = value;
            model.put(HEX.formatHex(key), values);
        }
    }

    @ParameterizedTest
    @CsvSource({"LRU_HASH,4", "LRU_HASH,6", "LRU_PERCPU_HASH,8", "LRU_PERCPU_HASH,16"})
    void shouldKeepWhatIsUsedAndNeverExceed(final MapKind kind, final int keySize)
    {
        final Random random = MapTests.random(kind + "/" + keySize);
        final int capacity = 50;
        final StoredMap map = MapTests.stored(MapSpec.of("m", kind, keySize, 8, capacity), QUEUES);
        final Map<String, Long> last = new HashMap<>();
        final List<byte[]> keys = MapTests.keys(random, keySize, 500);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        for (int i = 0; i < 50_000; i++)
        {
            final byte[] key = keys.get(random.nextInt(keys.size()));
            if (0 == random.nextInt(10))
            {
                map.remove(new UnsafeBuffer(key), 0);
                last.remove(HEX.formatHex(key));
            }
            else
            {
                value.putLong(0, i);
                assertEquals(0, map.write(1, new UnsafeBuffer(key), 0, value, 0, MapFlags.ANY));
                last.put(HEX.formatHex(key), (long)i);
            }
            if (0 == i % 500)
            {
                checkLru(map, last, keys, capacity);
            }
        }
    }

    private static void checkLru(
        final StoredMap map, final Map<String, Long> last, final List<byte[]> keys, final int capacity)
    {
        int found = 0;
        for (final byte[] key : keys)
        {
            final int at = map.lookupOn(1, new UnsafeBuffer(key), 0);
            if (StoredMap.MISSING != at)
            {
                found++;
                assertEquals(last.get(HEX.formatHex(key)), map.values().getLong(at));
            }
        }
        assertTrue(found <= capacity, "entries: " + found);
        assertEquals(found, MapTests.keysOf(map).size());
    }

    @Test
    void shouldSpareWhatWasLookedUpWhenRoomIsNeeded()
    {
        final StoredMap map = MapTests.stored(MapSpec.of("m", MapKind.LRU_HASH, 4, 8, 16), 1);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[4]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        for (int i = 0; i < 16; i++)
        {
            key.putInt(0, i);
            map.write(0, key, 0, value, 0, MapFlags.ANY);
        }
        for (int i = 16; i < 200; i++)
        {
            key.putInt(0, 3);
            assertTrue(map.lookup(null, key, 0) >= 0, "the entry that is used goes at " + i);
            key.putInt(0, i);
            map.write(0, key, 0, value, 0, MapFlags.NOEXIST);
        }
    }

    @ParameterizedTest
    @CsvSource({"ARRAY,1", "ARRAY,8", "ARRAY,13", "PERCPU_ARRAY,4", "PERCPU_ARRAY,24"})
    void shouldDoAsAnArray(final MapKind kind, final int valueSize)
    {
        final Random random = MapTests.random(kind + "/" + valueSize);
        final int capacity = 20;
        final StoredMap map = MapTests.stored(MapSpec.of("m", kind, 4, valueSize, capacity), QUEUES);
        final List<byte[][]> model = new ArrayList<>();
        for (int i = 0; i < capacity; i++)
        {
            model.add(new byte[QUEUES][valueSize]);
        }
        final UnsafeBuffer key = new UnsafeBuffer(new byte[4]);
        for (int i = 0; i < 5_000; i++)
        {
            final int index = random.nextInt(capacity + 2) - 1;
            key.putInt(0, index);
            final boolean isIn = index >= 0 && index < capacity;
            final int queue = random.nextInt(QUEUES);
            final byte[] value = MapTests.bytes(random, valueSize);
            final int flags = random.nextInt(4);
            final int expected = 3 == flags ? BpfErrno.EINVAL : !isIn ? BpfErrno.E2BIG :
                MapFlags.NOEXIST == flags ? BpfErrno.EEXIST : 0;
            assertEquals(expected, map.write(queue, key, 0, new UnsafeBuffer(value), 0, flags));
            if (0 == expected)
            {
                model.get(index)[map.queues() > 0 ? queue : 0] = value;
            }
            MapTests.assertValue(
                map, queue, key.byteArray(), isIn ? model.get(index)[map.queues() > 0 ? queue : 0] : null);
            assertEquals(BpfErrno.EINVAL, map.remove(key, 0));
        }
        assertEquals(capacity, MapTests.keysOf(map).size());
    }
}
