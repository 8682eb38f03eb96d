package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Keys come from frames, whose sender must not be able to choose many for one chain. */
class HashSpreadTest
{
    private static final int ENTRIES = 8192;
    /** With two buckets an entry at least, chance alone makes longer chains in one of millions of maps. */
    private static final int LONGEST = 12;

    /** Keys that count, at the beginning, at the end, and in steps of powers of two. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 8, 12, 16, 40})
    void shouldKeepChainsShortForKeysThatAreAlike(final int keySize)
    {
        for (int shift = 0; shift <= 16; shift += 8)
        {
            for (int at = 0; at <= keySize - 4; at += Math.max(1, keySize - 4))
            {
                final StoredMap map = filled(keySize, shift, at);
                assertTrue(longest(map) <= LONGEST, "a chain of " + longest(map));
                // Another map has other chains.
                assertNotEquals(order(map), order(filled(keySize, shift, at)));
            }
        }
    }

    private static StoredMap filled(final int keySize, final int shift, final int at)
    {
        final StoredMap map = MapTests.stored(MapSpec.of("m", MapKind.HASH, keySize, 8, ENTRIES), 1);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[keySize]);
        for (int i = 0; i < ENTRIES; i++)
        {
            key.putInt(at, i << shift | i >>> 16 - shift);
            map.write(0, key, 0, map.values(), 0, MapFlags.ANY);
        }
        return map;
    }

    private static int longest(final StoredMap map)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[map.keySize()]);
        int longest = 0;
        for (int place = 0; place < map.places(); place++)
        {
            int n = 0;
            while (StoredMap.MISSING != map.entryAt(place, n, key, 0))
            {
                n++;
            }
            longest = Math.max(longest, n);
        }
        return longest;
    }

    private static String order(final StoredMap map)
    {
        final StringBuilder order = new StringBuilder();
        final UnsafeBuffer key = new UnsafeBuffer(new byte[map.keySize()]);
        for (int place = 0; place < 200; place++)
        {
            order.append(map.entryAt(place, 0, key, 0)).append(' ');
        }
        return order.toString();
    }
}
