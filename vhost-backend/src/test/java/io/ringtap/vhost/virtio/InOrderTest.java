package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Chains that go back as a run, where the driver knows their order. */
class InOrderTest
{
    private static final long IN_ORDER = NetFeatures.bit(NetFeatures.IN_ORDER);

    @Test
    @Tag("virtio.IN_ORDER")
    void shouldWriteOneUsedDescriptorForARunOfAPackedRing()
    {
        try (RingFixture ring = new RingFixture(8, RingFixture.PACKED | IN_ORDER))
        {
            final DescriptorChain[] chains = DescriptorChain.batch(8);
            ring.driver.add(BUFFERS, 4, false);
            ring.driver.add(new long[]{BUFFERS, BUFFERS + 8}, new int[]{4, 4}, 2, 0);
            final int last = ring.driver.add(BUFFERS, 4, false);
            ring.driver.publish();
            final long[] before = {0, ring.packed().peekRest(1), ring.packed().peekRest(2), ring.packed().peekRest(3)};
            assertEquals(3, ring.queue.take(chains, 8));

            ring.queue.completeRead(tickets(chains, 3), 3);
            ring.queue.publish();

            assertEquals(last, (int)(ring.packed().peekRest(0) >>> 32) & 0xffff);
            for (int slot = 1; slot < before.length; slot++)
            {
                assertEquals(before[slot], ring.packed().peekRest(slot), "slot " + slot);
            }
            assertEquals(3, ring.counters.get(RingCounter.CHAINS));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("virtio.IN_ORDER")
    void shouldGoRoundManyTimesWithRunsOfAnyLength(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features | IN_ORDER))
        {
            final DescriptorChain[] chains = DescriptorChain.batch(8);
            for (int turn = 0; turn < 1000; turn++)
            {
                final int batch = 1 + turn % 4;
                final int[] ids = new int[batch];
                for (int i = 0; i < batch; i++)
                {
                    ids[i] = i % 2 == 0 ? ring.driver.add(BUFFERS, 4, false) :
                        ring.driver.add(new long[]{BUFFERS, BUFFERS + 1}, new int[]{1, 3}, 2, 0);
                }
                ring.driver.publish();
                assertEquals(batch, ring.queue.take(chains, 8));
                final int first = turn % 3 == 0 ? batch / 2 : batch;
                ring.queue.completeRead(tickets(chains, first), first);
                for (int i = first; i < batch; i++)
                {
                    ring.queue.complete(chains[i].ticket(), 0);
                }
                ring.queue.publish();
                for (final int id : ids)
                {
                    assertEquals(id, ring.driver.poll());
                }
                assertEquals(-1, ring.driver.poll());
                assertEquals(8, ring.driver.free());
            }
        }
    }

    @Test
    void shouldTellASuccessorWhereToGoOnAfterARun()
    {
        try (RingFixture ring = new RingFixture(8, RingFixture.PACKED | IN_ORDER))
        {
            final DescriptorChain[] chains = DescriptorChain.batch(8);
            for (int i = 0; i < 5; i++)
            {
                assertTrue(ring.driver.add(BUFFERS, 4, false) >= 0);
            }
            ring.driver.publish();
            assertEquals(5, ring.queue.take(chains, 8));
            ring.queue.completeRead(tickets(chains, 5), 5);
            ring.queue.publish();

            assertEquals(ring.queue.base(), ring.driver.resumeBase());
            assertEquals(5 | 0x8000, ring.driver.resumeBase() & 0xffff);
        }
    }

    private static long[] tickets(final DescriptorChain[] chains, final int count)
    {
        final long[] tickets = new long[count];
        for (int i = 0; i < count; i++)
        {
            tickets[i] = chains[i].ticket();
        }
        return tickets;
    }
}
