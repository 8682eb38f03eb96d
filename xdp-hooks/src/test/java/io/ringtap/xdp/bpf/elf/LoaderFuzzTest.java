package io.ringtap.xdp.bpf.elf;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Damaged objects: whatever is in them, the loader says no in one line or loads something that is safe. */
class LoaderFuzzTest
{
    private static final int MUTATIONS = 21_000;
    private static final long SEED = 20_261_130;
    private static final long[] ODD = {0, 1, -1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffffL, 0x8000_0000L,
        0xffff_ffffL, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40};

    @Test
    void shouldSurviveDamagedObjects()
    {
        final List<byte[]> objects = SampleObjects.all();
        int loaded = 0;
        for (int i = 0; i < MUTATIONS; i++)
        {
            final Random random = new Random(SEED + i);
            final byte[] object = damage(objects.get(i % objects.size()), random);
            try
            {
                loaded += ObjectFuzz.load(object) ? 1 : 0;
            }
            catch (final ObjectException refused)
            {
                assertEquals(1, refused.getMessage().lines().count(),
                    "mutation " + i + " of seed " + SEED + ": " + refused.getMessage());
            }
            catch (final RuntimeException | Error failure)
            {
                throw new AssertionError("mutation " + i + " of seed " + SEED, failure);
            }
        }
        final int well = loaded;
        assertTrue(loaded > MUTATIONS / 100 && loaded < MUTATIONS, () -> well + " of " + MUTATIONS + " loaded");
    }

    private static byte[] damage(final byte[] original, final Random random)
    {
        final byte[] object = original.clone();
        final ByteBuffer bytes = ByteBuffer.wrap(object).order(ByteOrder.LITTLE_ENDIAN);
        switch (random.nextInt(4))
        {
            case 0 ->
            {
                for (int i = random.nextInt(4); i >= 0; i--)
                {
                    object[random.nextInt(object.length)] ^= (byte)(1 << random.nextInt(8));
                }
            }
            case 1 -> odd(bytes, random, random.nextInt(object.length - 8));
            // Headers of sections at the end, of the file at the start: every number in them means something.
            case 2 -> odd(bytes, random, (int)bytes.getLong(40) + random.nextInt(
                object.length - (int)bytes.getLong(40) - 8));
            default ->
            {
                return Arrays.copyOf(object, random.nextInt(object.length));
            }
        }
        return object;
    }

    private static void odd(final ByteBuffer bytes, final Random random, final int place)
    {
        final long value = ODD[random.nextInt(ODD.length)];
        switch (random.nextInt(3))
        {
            case 0 -> bytes.putLong(place & -8, value);
            case 1 -> bytes.putInt(place & -4, (int)value);
            default -> bytes.putShort(place & -2, (short)value);
        }
    }
}
