package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Chains of many descriptors: a batch of them ends early, so that no ring keeps its worker for long. */
class LongChainTest
{
    private static final int SIZE = 4096;
    private static final int BATCH = 64;
    /** Both walk more than {@link Virtqueue#MOST_WALKED}, one does not. */
    private static final int MOST = 2;
    private static final int AVAILABLE = 0x80;

    private final DescriptorChain[] chains = DescriptorChain.batch(BATCH);

    @ParameterizedTest
    @EnumSource
    void shouldEndABatchAfterLongTables(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(SIZE, kind.features))
        {
            for (int i = 0; i < SIZE; i++)
            {
                // Empty buffers are no fault.
                final boolean isLast = i == SIZE - 1;
                ring.driver.pokeTable(RingFixture.TABLES, i, RingFixture.BUFFERS, isLast ? 16 : 0,
                    isLast || ring.queue instanceof PackedVirtqueue ? 0 : DescriptorLayout.NEXT, isLast ? 0 : i + 1);
            }
            for (int i = BATCH - 1; i >= 0; i--)
            {
                offerTable(ring, i);
            }
            assertEquals(BATCH / MOST, batches(ring, false));
        }
    }

    @Test
    void shouldEndABatchAfterChainsThatGoRound()
    {
        try (RingFixture ring = new RingFixture(SIZE, RingFixture.BASIC))
        {
            for (int i = 0; i < SIZE; i++)
            {
                ring.split().pokeDescriptor(i, RingFixture.BUFFERS, 0, DescriptorLayout.NEXT, (i + 1) % SIZE);
            }
            ring.split().pokeAvailableIndex(BATCH);
            ring.mark();
            assertEquals(BATCH / MOST, batches(ring, true));
            assertEquals(BATCH, ring.counted(RingCounter.CHAIN_ENDLESS));
        }
    }

    /** A turn may have several batches: a fault costs more than a descriptor. */
    @Test
    void shouldCountFaultsAsWork()
    {
        try (RingFixture ring = new RingFixture(SIZE, RingFixture.BASIC))
        {
            ring.split().pokeDescriptor(0, 0, 16, 0, 0);
            ring.split().pokeAvailableIndex(1);
            assertEquals(1, ring.queue.take(chains, BATCH));
            assertTrue(1 < ring.queue.walked());
            ring.split().pokeDescriptor(0, RingFixture.BUFFERS, 16, 0, 0);
            ring.split().pokeAvailableIndex(2);
            assertEquals(1, ring.queue.take(chains, BATCH));
            assertEquals(0, ring.queue.walked());
        }
    }

    private int batches(final RingFixture ring, final boolean isMalformed)
    {
        int batches = 0;
        for (int taken = 0; taken < BATCH; batches++)
        {
            final int found = ring.queue.take(chains, BATCH);
            assertTrue(0 < found && found <= MOST, found + " chains");
            assertEquals(isMalformed, chains[0].isMalformed());
            taken += found;
        }
        assertEquals(Virtqueue.EMPTY, ring.queue.take(chains, BATCH));
        assertFalse(ring.queue.isBroken());
        return batches;
    }

    /** Split rings show it with the index; packed ones by its flags, the first one last. */
    private static void offerTable(final RingFixture ring, final int index)
    {
        final int bytes = SIZE * DescriptorLayout.LENGTH;
        if (ring.queue instanceof PackedVirtqueue)
        {
            ring.packed().pokeDescriptor(
                index, RingFixture.TABLES, bytes, AVAILABLE | DescriptorLayout.INDIRECT, index);
        }
        else
        {
            ring.split().pokeDescriptor(index, RingFixture.TABLES, bytes, DescriptorLayout.INDIRECT, 0);
            ring.split().pokeAvailable(index, index);
            ring.split().pokeAvailableIndex(BATCH);
        }
    }
}
