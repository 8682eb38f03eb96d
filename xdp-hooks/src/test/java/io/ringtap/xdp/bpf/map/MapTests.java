package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** What tests of maps share: seeds, keys, and looks into a map. */
final class MapTests
{
    private static final long SEED = Long.getLong("ringtap.seed", System.nanoTime());

    private MapTests()
    {
    }

    /** Random numbers whose seed is printed; -Dringtap.seed gives it again. */
    static Random random(final String what)
    {
        System.out.println(what + ": -Dringtap.seed=" + SEED);
        return new Random(SEED ^ what.hashCode());
    }

    static StoredMap stored(final MapSpec spec, final int queues)
    {
        return (StoredMap)new MapFactory(queues).create(spec);
    }

    /** Different keys, many of them alike in most bytes. */
    static List<byte[]> keys(final Random random, final int size, final int count)
    {
        final Set<String> seen = new TreeSet<>();
        final List<byte[]> keys = new ArrayList<>();
        final int different = 1 == size ? Math.min(count, 200) : count;
        while (keys.size() < different)
        {
            final byte[] key = new byte[size];
            if (random.nextBoolean())
            {
                key[random.nextInt(size)] = (byte)random.nextInt();
                key[random.nextInt(size)] = (byte)random.nextInt();
            }
            else
            {
                random.nextBytes(key);
            }
            if (seen.add(HexFormat.of().formatHex(key)))
            {
                keys.add(key);
            }
        }
        return keys;
    }

    static byte[] bytes(final Random random, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** What lookup and copy say about a key; null when it must not be there. */
    static void assertValue(final StoredMap map, final int queue, final byte[] key, final byte[] expected)
    {
        final int at = map.lookupOn(queue, new UnsafeBuffer(key), 0);
        final byte[] copy = new byte[map.valueSize()];
        final int result = map.read(queue, new UnsafeBuffer(key), 0, new UnsafeBuffer(copy), 0, 0);
        if (null == expected)
        {
            assertEquals(StoredMap.MISSING, at);
            assertEquals(BpfErrno.ENOENT, result);
            return;
        }
        final byte[] there = new byte[map.valueSize()];
        map.values().getBytes(at, there);
        assertEquals(0, at & 7);
        assertArrayEquals(expected, there);
        assertEquals(0, result);
        assertArrayEquals(expected, copy);
    }

    /** All keys, which are met once each. */
    static Set<String> keysOf(final StoredMap map)
    {
        final Set<String> keys = new TreeSet<>();
        final UnsafeBuffer key = new UnsafeBuffer(new byte[map.keySize()]);
        for (int place = 0; place < map.places(); place++)
        {
            for (int n = 0; StoredMap.MISSING != map.entryAt(place, n, key, 0); n++)
            {
                assertEquals(true, keys.add(HexFormat.of().formatHex(key.byteArray())));
            }
        }
        return keys;
    }
}
