package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the flags of a packed ring tell of its device's place, over all looks of a ring of one-slot chains. */
class PackedScanTest
{
    private static final int START = PackedLayout.place(0, true);
    private static final int AVAILABLE = DescriptorLayout.AVAILABLE;
    private static final int USED = DescriptorLayout.USED;
    private static final int MOST = 6;

    private int patterns;

    /** A ring as it is left: which chains are out, and which of them are used already. */
    private static final class Ring
    {
        private final short[] flags;
        private final int size;
        private final int device;

        /** @param device chains returned since the start; {@code out} more are available. */
        Ring(final int size, final int device, final int out)
        {
            this.size = size;
            this.device = device;
            flags = new short[size];
            for (int i = Math.max(0, device - size); i < device + out; i++)
            {
                flags[i % size] = (short)(i < device ? used(i) : available(i));
            }
        }

        /** Those behind the first one of a batch are written before it. */
        Ring batch(final int count)
        {
            return use(device + 1, count);
        }

        Ring use(final int from, final int count)
        {
            for (int i = from; i < from + count; i++)
            {
                flags[i % size] = (short)used(i);
            }
            return this;
        }

        int place(final int chain)
        {
            return PackedLayout.place(chain % size, isFirstLap(chain));
        }

        private boolean isFirstLap(final int chain)
        {
            return chain / size % 2 == 0;
        }

        private int used(final int chain)
        {
            return isFirstLap(chain) ? AVAILABLE | USED : 0;
        }

        private int available(final int chain)
        {
            return isFirstLap(chain) ? AVAILABLE : USED;
        }
    }

    @Test
    void shouldFindThePlaceWhateverTheFrontEndSays()
    {
        forEachRing((size, device, out) ->
        {
            for (int told = 0; told < 2 * size; told++)
            {
                final Ring ring = new Ring(size, device, out);
                expect(ring, ring.place(told), device, 0);
            }
        });
        System.out.println(patterns + " patterns");
    }

    @Test
    void shouldFinishABatchThatLacksItsFirstSlot()
    {
        forEachRing((size, device, out) ->
        {
            for (int rest = 1; rest < out; rest++)
            {
                expect(new Ring(size, device, out).batch(rest), START, device, rest + 1);
            }
        });
    }

    @Test
    void shouldGiveBackUpToWhatTheFrontEndDropped()
    {
        forEachRing((size, device, out) ->
        {
            for (int from = 1; from < out; from++)
            {
                for (int count = 1; from + count <= out; count++)
                {
                    final int end = device + from + count;
                    final Ring ring = new Ring(size, device, out).use(device + from, count);
                    expect(ring, ring.place(end), device, from + count);
                    for (int rest = 1; rest < out; rest++)
                    {
                        final Ring both = new Ring(size, device, out).use(device + from, count).batch(rest);
                        expect(both, both.place(end), device, Math.max(rest + 1, from + count));
                    }
                }
            }
        });
    }

    /** What was dropped where the driver looks is used like any other. */
    @Test
    void shouldGoOnBehindWhatTheFrontEndDroppedInTurn()
    {
        forEachRing((size, device, out) ->
        {
            for (int count = 1; count <= out; count++)
            {
                final Ring ring = new Ring(size, device, out).use(device, count);
                expect(ring, ring.place(device + count), device + count, 0);
            }
        });
    }

    @Test
    void shouldNotGuessWhoUsedWhatIsOutOfTurn()
    {
        forEachRing((size, device, out) ->
        {
            for (int from = 2; from < out; from++)
            {
                for (int told = 0; told < 2 * size; told++)
                {
                    final Ring ring = new Ring(size, device, out).use(device + from, 1);
                    final PackedFlags flags = new PackedFlags(ring.flags, ring.place(told));
                    final boolean isItsEnd = ring.place(told) == ring.place(device + from + 1);
                    assertEquals(isItsEnd, flags.doubt() == null, flags.doubt());
                }
            }
        });
    }

    @Test
    void shouldNotBelieveARingOfLongerChains()
    {
        final Ring ring = new Ring(8, 11, 4);
        ring.flags[5] |= DescriptorLayout.NEXT;
        assertEquals("slot 5 has a next one", new PackedFlags(ring.flags, START).doubt());
        // the second slots of chains of two, which no device writes to
        final short[] flags = new short[8];
        for (int i = 0; i < 6; i += 2)
        {
            flags[i] = (short)(AVAILABLE | USED);
            flags[i + 1] = (short)AVAILABLE;
        }
        assertNotNull(new PackedFlags(flags, PackedLayout.place(6, true)).doubt());
    }

    /** Four states a slot: the place is told of no more of them than rings can look like, and each by its own rules. */
    @Test
    void shouldTakeAnyFlagsAndBelieveThoseThatARingCanHave()
    {
        for (int size = 1; size <= MOST; size++)
        {
            for (int pattern = 0; pattern < 1 << 2 * size; pattern++)
            {
                final short[] flags = new short[size];
                for (int i = 0; i < size; i++)
                {
                    flags[i] = (short)((pattern >> 2 * i & 1) * AVAILABLE | (pattern >> 2 * i + 1 & 1) * USED);
                }
                for (int told = 0; told < 2 * size; told++)
                {
                    believe(flags, PackedLayout.plus(PackedLayout.place(told % size, true), told / size * size, size));
                }
            }
        }
    }

    @Test
    void shouldTakeRandomFlagsOfBigRings()
    {
        final long seed = Long.getLong("ringtap.seed", 7);
        final Random random = new Random(seed);
        for (int turn = 0; turn < 20_000; turn++)
        {
            final int size = 1 + random.nextInt(300);
            final int device = random.nextInt(4 * size);
            final int out = random.nextInt(size + 1);
            final Ring ring = new Ring(size, device, out);
            expect(ring, START, device, 0);
            for (int k = random.nextInt(4); k > 0; k--)
            {
                ring.flags[random.nextInt(size)] = (short)random.nextInt(1 << 16);
            }
            believe(ring.flags, ring.place(random.nextInt(2 * size)));
        }
    }

    /** Whatever is believed is a ring that can be: used up to the place, then out, used or not, then nothing. */
    private static void believe(final short[] flags, final int told)
    {
        final int size = flags.length;
        final PackedFlags seen = new PackedFlags(flags, told);
        if (seen.doubt() != null)
        {
            return;
        }
        final int lap = PackedLayout.wrap(seen.first()) ? 2 : 1;
        final int device = lap * size + PackedLayout.index(seen.first());
        int out = seen.returned();
        final Ring ring = new Ring(size, device, 0);
        while (out < size && (flags[(device + out) % size] & (AVAILABLE | USED)) == ring.available(device + out))
        {
            out++;
        }
        final Ring again = new Ring(size, device, out);
        for (int i = device; i < device + seen.returned(); i++)
        {
            final int state = flags[i % size] & (AVAILABLE | USED);
            if (state == again.used(i))
            {
                assertTrue(i > device, "the place is used");
                again.use(i, 1);
            }
        }
        for (int i = 0; i < size; i++)
        {
            assertEquals(again.flags[i] & (AVAILABLE | USED), flags[i] & (AVAILABLE | USED), "slot " + i);
        }
    }

    private static void expect(final Ring ring, final int told, final int device, final int returned)
    {
        final PackedFlags seen = new PackedFlags(ring.flags, told);
        assertNull(seen.doubt());
        assertEquals(ring.place(device), seen.first());
        assertEquals(returned, seen.returned());
    }

    private interface Case
    {
        void check(int size, int device, int out);
    }

    private void forEachRing(final Case each)
    {
        for (int size = 1; size <= MOST; size++)
        {
            for (int device = 0; device < 4 * size; device++)
            {
                for (int out = 0; out <= size; out++)
                {
                    each.check(size, device, out);
                    patterns++;
                }
            }
        }
    }
}
