package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A device that is killed before any of its stores, and comes back to a packed ring of which nobody wrote anything. */
class PackedRestartTest
{
    private static final int RESTARTS = Integer.getInteger("ringtap.packed.restarts", 100);
    private static final int[] SIZES = {1, 2, 3, 4, 7, 16, 64};
    private static final int SEEDS = 4;

    @ParameterizedTest
    @ValueSource(ints = {
        PackedRestartScenario.NO_DROPS, PackedRestartScenario.ONE_DROP, PackedRestartScenario.ALL_DROPS})
    void shouldLoseAndRepeatNothingWhateverTheFrontEndDropped(final int drops) throws Exception
    {
        final Method run = Class.forName(PackedRestartScenario.class.getName(), true, new KillingLoader())
            .getMethod("run", int.class, int.class, long.class, int.class);
        final long[] sums = new long[3];
        for (final int size : SIZES)
        {
            for (long seed = 1; seed <= SEEDS; seed++)
            {
                final long[] counts = call(run, size, drops, seed);
                for (int i = 0; i < sums.length; i++)
                {
                    sums[i] += counts[i];
                }
            }
        }
        assertTrue(sums[0] > RESTARTS && sums[2] > 0 == drops > 0);
        System.out.println("drops " + drops + ", " + SIZES.length * SEEDS * RESTARTS + " restarts, " + sums[0] +
            " chains came back, of them " + sums[1] + " with no bytes, " + sums[2] + " dropped by the front-end");
    }

    @Test
    void shouldSayWhereItGoesOn()
    {
        try (RingFixture ring = new RingFixture(8, RingFixture.PACKED))
        {
            final Virtqueue first = open(ring, RingSetup.PACKED_START);
            assertNull(first.remark());
            assertFalse(first.isSuccessor(), "nobody was here");
            serve(ring, 11);

            final Virtqueue second = open(ring, RingSetup.PACKED_START);

            assertEquals("base 0x80008000 of the front-end, place 3 in lap 0 read from the ring", second.remark());
            assertTrue(second.isSuccessor());
            assertEquals(3 | 3 << 16, second.base());
            assertNull(open(ring, second.base()).remark());
        }
    }

    @Test
    void shouldKeepTheBaseOfARingThatShowsNothing()
    {
        for (final long features : new long[]{RingFixture.PACKED | NetFeatures.bit(NetFeatures.IN_ORDER),
            RingFixture.PACKED & ~NetFeatures.bit(NetFeatures.INDIRECT_DESC)})
        {
            try (RingFixture ring = new RingFixture(8, features))
            {
                serve(ring, 11);
                final Virtqueue queue = Virtqueue.open(RingFixture.setup(ring.driver, RingSetup.PACKED_START, features),
                    ring.memory, ring.counters);
                assertEquals(RingSetup.PACKED_START, queue.base());
                assertNull(queue.remark());
            }
        }
        try (RingFixture ring = new RingFixture(8, RingFixture.PACKED))
        {
            ring.driver.add(new long[]{RingFixture.BUFFERS, RingFixture.BUFFERS}, new int[]{8, 8}, 2, 0);
            ring.driver.publish();
            final Virtqueue queue = open(ring, 5 | 5 << 16);
            assertEquals(5 | 5 << 16, queue.base());
            assertEquals("base 0x50005 of the front-end is kept, the ring does not show another: slot 0 has a next one",
                queue.remark());
        }
    }

    /** The driver does not know that anybody looks. */
    @Test
    void shouldFindThePlaceUnderADriverThatRuns() throws Exception
    {
        try (RingFixture ring = new RingFixture(64, RingFixture.PACKED))
        {
            for (int turn = 0; turn < 300; turn++)
            {
                final int place = open(ring, RingSetup.PACKED_START).base();
                final Thread driver = new Thread(() ->
                {
                    while (ring.driver.add(RingFixture.BUFFERS, 8, false) >= 0)
                    {
                        ring.driver.publish();
                    }
                });
                driver.start();
                final Virtqueue queue = open(ring, RingSetup.PACKED_START);
                assertEquals(place, queue.base(), queue.remark());
                driver.join();
                final DescriptorChain[] chains = DescriptorChain.batch(64);
                final int count = turn % 64 + 1;
                assertEquals(count, queue.take(chains, count));
                for (int i = 0; i < count; i++)
                {
                    queue.complete(chains[i].ticket(), 0);
                }
                queue.publish();
                for (int i = 0; i < count; i++)
                {
                    assertTrue(ring.driver.poll() >= 0);
                }
            }
        }
    }

    /** Nothing that lies in a ring, and no base, does more than that this ring is of no use. */
    @Test
    void shouldOpenAnyRing()
    {
        final Random random = new Random(Long.getLong("ringtap.seed", 5));
        final DescriptorChain[] chains = DescriptorChain.batch(16);
        for (int turn = 0; turn < 2000; turn++)
        {
            try (RingFixture ring = new RingFixture(1 + random.nextInt(20), RingFixture.PACKED))
            {
                final int size = ring.driver.size();
                for (int i = random.nextInt(4); i < size; i++)
                {
                    final int at = ring.at(ring.driver.descriptorAddress()) + i * DescriptorLayout.LENGTH;
                    ring.guest.putLong(at, random.nextLong());
                    ring.guest.putLong(at + 8, random.nextLong() & ~((long)DescriptorLayout.NEXT << 48));
                }
                final int half = PackedLayout.place(random.nextInt(size), random.nextBoolean());
                final Virtqueue queue = open(ring, half | half << 16);
                final int taken = queue.take(chains, 16);
                for (int i = 0; i < taken; i++)
                {
                    queue.complete(chains[i].ticket(), 0);
                }
                queue.publish();
            }
        }
    }

    /** Each chain comes back before the next one is there. */
    private static void serve(final RingFixture ring, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final int id = ring.driver.add(RingFixture.BUFFERS, 8, false);
            ring.driver.publish();
            ring.turn(id, 0);
        }
    }

    private static Virtqueue open(final RingFixture ring, final int base)
    {
        return Virtqueue.open(RingFixture.setup(ring.driver, base, RingFixture.PACKED), ring.memory, ring.counters);
    }

    private static long[] call(final Method run, final int size, final int drops, final long seed) throws Exception
    {
        try
        {
            return (long[])run.invoke(null, size, drops, seed, RESTARTS);
        }
        catch (final InvocationTargetException ex)
        {
            throw new AssertionError(ex.getCause().getMessage(), ex.getCause());
        }
    }
}
