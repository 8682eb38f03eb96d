package io.ringtap.capture;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Blocks go through the ring whole, in order, and in one piece each. */
class CaptureRingTest
{
    private static final int CAPACITY = 1 << 12;
    private static final int LONGEST = 700;
    private static final int BLOCKS = 1_000_000;

    private final CaptureRing ring = new CaptureRing(CAPACITY, LONGEST);

    @Test
    void shouldRefuseWhatFindsNoRoomUntilSomethingWasRead()
    {
        for (int i = 0; i < CAPACITY / 64; i++)
        {
            assertEquals(i * 64, ring.claim(64));
        }
        assertEquals(CaptureRing.FULL, ring.claim(4));
        assertEquals(0, ring.readable(), "nothing was published");
        ring.publish();
        assertEquals(CAPACITY, ring.readable(), "a block that ends at the end goes over nothing");
        ring.release(64);
        assertEquals(0, ring.claim(64));
        assertEquals(CaptureRing.FULL, ring.claim(4));
    }

    @Test
    void shouldLetABlockGoOverTheEnd()
    {
        ring.claim(CAPACITY - 8);
        ring.publish();
        ring.release(ring.readable());
        assertEquals(CAPACITY - 8, ring.claim(LONGEST));
        assertEquals(LONGEST - 8, ring.claim(16), "where the one before would have gone on");
        ring.publish();
        assertEquals(CAPACITY - 8, ring.index());
        assertEquals(LONGEST, ring.readable(), "one piece at a time");
        ring.release(LONGEST);
        assertEquals(LONGEST - 8, ring.index());
        assertEquals(16, ring.readable());
    }

    @Test
    void shouldBeAQueueOfBlocksOfAnyLength()
    {
        final long seed = Long.getLong("ringtap.test.seed", 20261201);
        final SplittableRandom random = new SplittableRandom(seed);
        final Deque<Integer> model = new ArrayDeque<>();
        int held = 0;
        int refused = 0;
        for (int i = 0; i < BLOCKS; i++)
        {
            final int length = 4 * random.nextInt(1, LONGEST / 4 + 1);
            final int at = ring.claim(length);
            assertEquals(held + length > CAPACITY, at < 0, "seed " + seed + ", block " + i);
            if (at < 0)
            {
                refused++;
            }
            else
            {
                fill(at, length, i);
                model.addLast(length);
                model.addLast(i);
                held += length;
                ring.publish();
            }
            if (0 == random.nextInt(3))
            {
                held -= read(model, random);
            }
        }
        assertTrue(refused > 1000);
        System.out.println(BLOCKS - refused + " blocks through a ring, " + refused + " refused");
    }

    @Test
    void shouldHandOverFromOneThreadToAnother() throws InterruptedException
    {
        final Thread writer = new Thread(() ->
        {
            final SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < BLOCKS; i++)
            {
                final int length = 4 * random.nextInt(2, LONGEST / 4 + 1);
                int at = ring.claim(length);
                while (at < 0)
                {
                    ring.publish();
                    Thread.onSpinWait();
                    at = ring.claim(length);
                }
                ring.buffer().putInt(at, i);
                ring.buffer().putInt(at + length - Integer.BYTES, i);
                if (0 == random.nextInt(3) || BLOCKS - 1 == i)
                {
                    ring.publish();
                }
            }
        }, "writer");
        writer.setDaemon(true);
        writer.start();
        final SplittableRandom random = new SplittableRandom(1);
        int seen = 0;
        while (seen < BLOCKS)
        {
            final int readable = ring.readable();
            int done = 0;
            while (done < readable)
            {
                final int length = 4 * random.nextInt(2, LONGEST / 4 + 1);
                final int at = ring.index() + done;
                assertEquals(seen, ring.buffer().getInt(at));
                assertEquals(seen, ring.buffer().getInt(at + length - Integer.BYTES));
                random.nextInt(3);
                done += length;
                seen++;
            }
            assertEquals(readable, done);
            ring.release(done);
        }
        writer.join();
        assertEquals(0, ring.readable());
    }

    /** @return bytes that were released. */
    private int read(final Deque<Integer> model, final SplittableRandom random)
    {
        final int readable = ring.readable();
        int done = 0;
        while (done < readable && 0 != random.nextInt(8))
        {
            final int length = model.removeFirst();
            final int number = model.removeFirst();
            for (int k = 0; k < length; k += Integer.BYTES)
            {
                assertEquals(number, ring.buffer().getInt(ring.index() + done + k));
            }
            done += length;
        }
        ring.release(done);
        return done;
    }

    private void fill(final int at, final int length, final int number)
    {
        final UnsafeBuffer buffer = ring.buffer();
        for (int k = 0; k < length; k += Integer.BYTES)
        {
            buffer.putInt(at + k, number);
        }
    }
}
