package io.ringtap.vhost.virtio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In a migration each page that the device writes to is marked, whatever the ring's layout. */
class LoggedRingTest
{
    /** Large enough that a ring's parts take pages of their own. */
    private static final int SIZE = 1024;
    private static final int TURNS = 60;

    @ParameterizedTest
    @EnumSource
    @Tag("virtio.LOG_ALL")
    void shouldMarkEveryPageThatIsWritten(final RingKind kind)
    {
        final long seed = System.nanoTime();
        try (RingFixture ring = new RingFixture(SIZE, kind.features);
            LoggedPages pages = new LoggedPages(ring.guest, RingFixture.GUEST))
        {
            ring.queue.log(pages.log(), ring.driver.deviceAddress());
            final Random random = new Random(seed);
            int written = 0;
            for (int turn = 0; turn < TURNS; turn++)
            {
                final int chains = 1 + random.nextInt(SIZE / 4);
                for (int i = 0; i < chains; i++)
                {
                    lend(ring, random);
                }
                ring.driver.publish();
                pages.before();
                use(ring, random, chains);
                assertTrue(pages.unmarked().isEmpty(), () -> "seed " + seed + ": not marked " + pages.unmarked());
                written += pages.written().cardinality();
                while (ring.driver.poll() >= 0)
                {
                    assertTrue(ring.driver.usedLength() >= 0);
                }
            }
            assertTrue(written > TURNS);
            assertEquals(0, ring.counted(RingCounter.LOG_OUTSIDE));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMarkBuffersOnlyWhenTheRingIsNotLogged(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(SIZE, kind.features);
            LoggedPages pages = new LoggedPages(ring.guest, RingFixture.GUEST))
        {
            ring.queue.log(pages.log(), Virtqueue.RING_NOT_LOGGED);
            ring.driver.add(RingFixture.BUFFERS, 4096, true);
            ring.driver.publish();
            pages.before();
            use(ring, new Random(1), 1);
            assertEquals(1, pages.marked().cardinality());
            assertTrue(pages.marked().get(ring.at(RingFixture.BUFFERS) / 4096));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMarkNothingBeforeAndAfter(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(SIZE, kind.features);
            LoggedPages pages = new LoggedPages(ring.guest, RingFixture.GUEST))
        {
            for (final boolean isOn : new boolean[] { false, true, false })
            {
                ring.queue.log(isOn ? pages.log() : null, ring.driver.deviceAddress());
                ring.driver.add(RingFixture.BUFFERS, 4096, true);
                ring.driver.publish();
                pages.before();
                use(ring, new Random(1), 1);
                assertFalse(pages.written().isEmpty());
                assertEquals(!isOn, pages.marked().isEmpty());
            }
        }
    }

    @Test
    void shouldMarkTheUsedRingWhereTheFrontEndWantsIt()
    {
        try (RingFixture ring = new RingFixture(SIZE, RingFixture.BASIC);
            LoggedPages pages = new LoggedPages(ring.guest, RingFixture.GUEST))
        {
            final long elsewhere = RingFixture.GUEST + RingFixture.LENGTH - 16 * 4096;
            ring.queue.log(pages.log(), elsewhere);
            ring.driver.add(RingFixture.BUFFERS, 4096, true);
            ring.driver.publish();
            pages.before();
            use(ring, new Random(1), 1);
            assertTrue(pages.marked().get(ring.at(elsewhere) / 4096));
            assertFalse(pages.marked().get(ring.at(ring.driver.deviceAddress()) / 4096));
        }
    }

    @Test
    void shouldCountWhatHasNoBit()
    {
        try (RingFixture ring = new RingFixture(SIZE, RingFixture.BASIC);
            LoggedPages pages = new LoggedPages(ring.guest, RingFixture.GUEST))
        {
            ring.queue.log(pages.log(), Long.MIN_VALUE);
            ring.driver.add(RingFixture.BUFFERS, 4096, true);
            ring.driver.publish();
            ring.mark();
            use(ring, new Random(1), 1);
            assertTrue(ring.counted(RingCounter.LOG_OUTSIDE) > 0);
            assertEquals(0, ring.driver.poll());
        }
    }

    private static void lend(final RingFixture ring, final Random random)
    {
        final long guestAddress = RingFixture.BUFFERS + random.nextInt(RingFixture.LENGTH - (2 << 20) - 70_000);
        final int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 65_536 : 2048);
        ring.driver.add(guestAddress, length, random.nextInt(4) != 0);
    }

    /** Takes the chains, writes to some, gives all back, and now and then looks for more as a worker does. */
    private static void use(final RingFixture ring, final Random random, final int chains)
    {
        if (random.nextBoolean())
        {
            ring.queue.disarm();
        }
        for (int i = 0; i < chains; i++)
        {
            assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
            final byte[] bytes = new byte[ring.chain.writable().length() == 0 ? 0 :
                1 + random.nextInt(ring.chain.writable().length())];
            random.nextBytes(bytes);
            ring.queue.completeWritten(ring.chain, ring.write(ring.chain, bytes));
            if (random.nextInt(64) == 0)
            {
                ring.queue.publish();
            }
        }
        ring.queue.publish();
        ring.queue.arm();
    }
}
