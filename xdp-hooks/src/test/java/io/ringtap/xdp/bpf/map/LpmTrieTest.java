package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A trie of prefixes against a list that is searched from end to end. */
class LpmTrieTest
{
    private static final int VALUE_SIZE = 12;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6, 8, 9, 16, 21, 256})
    void shouldFindTheLongestPrefix(final int dataSize)
    {
        final Random random = MapTests.random("lpm/" + dataSize);
        final int capacity = 100;
        final StoredMap map = MapTests.stored(
            MapSpec.of("routes", MapKind.LPM_TRIE, 4 + dataSize, VALUE_SIZE, capacity)
                .withFlags(MapFlags.NO_PREALLOC), 1);
        final List<Entry> model = new ArrayList<>();
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] data = data(random, dataSize, model);
            final int bits = random.nextInt(8 * dataSize + 1);
            switch (random.nextInt(5))
            {
                case 0, 1 -> update(map, model, data, bits, MapTests.bytes(random, VALUE_SIZE), random.nextInt(4));
                case 2 ->
                {
                    final Entry old = exact(model, data, bits);
                    assertEquals(null == old ? BpfErrno.ENOENT : 0, map.remove(key(data, bits), 0));
                    model.remove(old);
                }
                default -> MapTests.assertValue(
                    map, 0, key(data, bits).byteArray(), longest(model, data, bits));
            }
        }
        final TreeSet<String> prefixes = new TreeSet<>();
        model.forEach(entry -> prefixes.add(HexFormat.of().formatHex(key(entry.data, entry.bits).byteArray())));
        assertEquals(prefixes, MapTests.keysOf(map));
    }

    @Test
    void shouldRefusePrefixesLongerThanTheKey()
    {
        final StoredMap map = MapTests.stored(
            MapSpec.of("routes", MapKind.LPM_TRIE, 8, 8, 4).withFlags(MapFlags.NO_PREALLOC), 1);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        assertEquals(BpfErrno.EINVAL, map.write(0, key(new byte[4], 33), 0, value, 0, 0));
        assertEquals(BpfErrno.EINVAL, map.write(0, key(new byte[4], -1), 0, value, 0, 0));
        assertEquals(BpfErrno.EINVAL, map.remove(key(new byte[4], 33), 0));
        assertEquals(StoredMap.MISSING, map.lookupOn(0, key(new byte[4], 33), 0));
        assertEquals(BpfErrno.EINVAL, map.write(0, key(new byte[4], 8), 0, value, 0, MapFlags.LOCK));
    }

    private static void update(
        final StoredMap map,
        final List<Entry> model,
        final byte[] data,
        final int bits,
        final byte[] value,
        final int flags)
    {
        final Entry old = exact(model, data, bits);
        final int expected = 3 == flags ? BpfErrno.EINVAL :
            null == old && MapFlags.EXIST == flags ? BpfErrno.ENOENT :
            null != old && MapFlags.NOEXIST == flags ? BpfErrno.EEXIST :
            null == old && model.size() == map.maxEntries() ? BpfErrno.ENOSPC : 0;
        assertEquals(expected, map.write(0, key(data, bits), 0, new UnsafeBuffer(value), 0, flags));
        if (0 == expected)
        {
            model.remove(old);
            model.add(new Entry(data, bits, value));
        }
    }

    /** Random data, most of it near what is there already. */
    private static byte[] data(final Random random, final int size, final List<Entry> model)
    {
        final byte[] data = MapTests.bytes(random, size);
        if (!model.isEmpty() && random.nextInt(4) > 0)
        {
            final byte[] near = model.get(random.nextInt(model.size())).data;
            System.arraycopy(near, 0, data, 0, random.nextInt(size + 1));
        }
        return data;
    }

    private static Entry exact(final List<Entry> model, final byte[] data, final int bits)
    {
        return model.stream().filter(e -> e.bits == bits && common(e.data, data) >= bits).findFirst().orElse(null);
    }

    private static byte[] longest(final List<Entry> model, final byte[] data, final int bits)
    {
        Entry best = null;
        for (final Entry entry : model)
        {
            if (entry.bits <= bits && common(entry.data, data) >= entry.bits &&
                (null == best || entry.bits > best.bits))
            {
                best = entry;
            }
        }
        return null == best ? null : best.value;
    }

    private static int common(final byte[] a, final byte[] b)
    {
        int bits = 0;
        while (bits < 8 * a.length && ((a[bits / 8] ^ b[bits / 8]) >> 7 - bits % 8 & 1) == 0)
        {
            bits++;
        }
        return bits;
    }

    private static UnsafeBuffer key(final byte[] data, final int bits)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[4 + data.length]);
        key.putInt(0, bits);
        key.putBytes(4, data);
        return key;
    }

    /** A prefix and its value. */
    private record Entry(byte[] data, int bits, byte[] value)
    {
    }
}
