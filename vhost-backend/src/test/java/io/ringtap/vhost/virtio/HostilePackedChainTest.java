package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.ringtap.vhost.virtio.DescriptorLayout.INDIRECT;
import static io.ringtap.vhost.virtio.DescriptorLayout.NEXT;
import static io.ringtap.vhost.virtio.DescriptorLayout.WRITE;
import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.GUEST;
import static io.ringtap.vhost.virtio.RingFixture.LENGTH;
import static io.ringtap.vhost.virtio.RingFixture.PACKED;
import static io.ringtap.vhost.virtio.RingFixture.TABLES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a hostile driver of a packed ring may write; see {@link HostileChainTest}. */
class HostilePackedChainTest
{
    private static final int SIZE = 8;

    private RingFixture ring = new RingFixture(SIZE, PACKED);
    /** Next slot of the driver's first lap. */
    private int slot;

    @AfterEach
    void close()
    {
        ring.close();
    }

    @Test
    void shouldStopWhenAChainNeverEnds()
    {
        for (int i = 0; i < SIZE; i++)
        {
            offer(BUFFERS, 16, NEXT, i);
        }
        assertBroken(RingCounter.CHAIN_ENDLESS);
    }

    @Test
    void shouldTakeTheLongestChainThatTheRingCanHold()
    {
        for (int i = 0; i < SIZE; i++)
        {
            offer(BUFFERS, 16, i < SIZE - 1 ? NEXT : 0, i);
        }
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        assertEquals(SIZE * 16, ring.chain.readable().length());
        ring.queue.complete(ring.chain.ticket(), 0);
        assertTrue(ring.queue.publish());
        // the id of the last one, at the first slot, both flags set; the whole ring was used
        assertEquals(0x8080_0007_0000_0000L, ring.packed().peekRest(0));
        assertEquals(Virtqueue.EMPTY, ring.queue.take(ring.chain));
    }

    @Test
    void shouldStopWhenSlotsAreAvailableAgainBeforeTheyWereUsed()
    {
        for (int i = 0; i < SIZE; i++)
        {
            offer(BUFFERS, 16, 0, i);
            assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        }
        // available in the second lap: the other way round
        ring.driver.pokeDescriptor(0, BUFFERS, 16, DescriptorLayout.USED, 0);
        ring.mark();
        assertBroken(RingCounter.AVAILABLE_LEAD);
    }

    @Test
    void shouldStopWhenAChainReachesIntoSlotsThatAreOurs()
    {
        offer(BUFFERS, 16, 0, 0);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        for (int i = 1; i < SIZE; i++)
        {
            offer(BUFFERS, 16, NEXT, i);
        }
        ring.mark();
        assertBroken(RingCounter.AVAILABLE_LEAD);
    }

    @Test
    void shouldReturnAChainWithABufferOutsideTheGuestsMemory()
    {
        offer(BUFFERS, 16, NEXT, 3);
        offer(GUEST + LENGTH - 1, 2, NEXT, 4);
        offer(BUFFERS, 16, 0, 5);
        assertMalformed(5, 3, RingCounter.BUFFER_UNMAPPED);
        offer(0, 1, WRITE, 65535);
        assertMalformed(65535, 1, RingCounter.BUFFER_UNMAPPED);
    }

    @Test
    void shouldReturnAChainWithAReadableBufferAfterAWritableOne()
    {
        offer(BUFFERS, 16, NEXT | WRITE, 1);
        offer(BUFFERS, 16, 0, 1);
        assertMalformed(1, 2, RingCounter.BUFFER_ORDER);
    }

    @Test
    void shouldReturnAChainThatIsLongerThanAnyFrame()
    {
        offer(BUFFERS, 65_536, NEXT, 1);
        offer(BUFFERS, 1025, 0, 1);
        assertMalformed(1, 2, RingCounter.CHAIN_BYTES);
    }

    @Test
    void shouldReturnATableAtFault()
    {
        for (final int length : new int[]{0, 15, 17, 16 * SIZE + 16, -16})
        {
            ring.close();
            ring = new RingFixture(SIZE, PACKED);
            slot = 0;
            offer(TABLES, length, INDIRECT, 2);
            assertMalformed(2, 1, RingCounter.INDIRECT_LENGTH);
        }
        offer(-16, 32, INDIRECT, 2);
        assertMalformed(2, 1, RingCounter.INDIRECT_UNMAPPED);
        ring.driver.pokeTable(TABLES, 0, TABLES, 16, INDIRECT, 0);
        offer(TABLES, 16, INDIRECT, 3);
        assertMalformed(3, 1, RingCounter.INDIRECT_NESTED);
        ring.driver.pokeTable(TABLES, 0, TABLES, 16, 0, 0);
        offer(TABLES, 16, INDIRECT | NEXT, 3);
        offer(TABLES, 16, 0, 4);
        assertMalformed(4, 2, RingCounter.INDIRECT_CHAINED);
    }

    @Test
    void shouldTakeAllOfATableWhateverItsNextFlagsSay()
    {
        ring.driver.pokeTable(TABLES, 0, BUFFERS, 1, NEXT, 7);
        ring.driver.pokeTable(TABLES, 1, BUFFERS, 2, 0, 0);
        ring.driver.pokeTable(TABLES, 2, BUFFERS, 4, WRITE | DescriptorLayout.AVAILABLE, 9);
        offer(TABLES, 48, INDIRECT | WRITE, 6);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        assertEquals(3, ring.chain.readable().length());
        assertEquals(4, ring.chain.writable().length());
    }

    @Test
    void shouldReturnAnIndirectDescriptorWithoutTheFeature()
    {
        ring.close();
        ring = new RingFixture(SIZE, PACKED & ~NetFeatures.bit(NetFeatures.INDIRECT_DESC));
        offer(TABLES, 16, INDIRECT, 0);
        assertMalformed(0, 1, RingCounter.INDIRECT_UNEXPECTED);
    }

    @Test
    void shouldTakeNothingThatIsNotAvailableInThisLap()
    {
        ring.driver.pokeDescriptor(0, BUFFERS, 16, DescriptorLayout.AVAILABLE | DescriptorLayout.USED, 0);
        assertEquals(Virtqueue.EMPTY, ring.queue.take(ring.chain));
        ring.driver.pokeDescriptor(0, BUFFERS, 16, DescriptorLayout.USED, 0);
        assertEquals(Virtqueue.EMPTY, ring.queue.take(ring.chain));
        ring.driver.pokeDescriptor(0, BUFFERS, 16, DescriptorLayout.AVAILABLE, 5);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
    }

    private void assertMalformed(final int id, final int slots, final RingCounter fault)
    {
        ring.mark();
        final int first = slot - slots;
        assertEquals(Virtqueue.MALFORMED, ring.queue.take(ring.chain));
        assertTrue(ring.chain.isMalformed());
        ring.assertOnlyFault(fault);
        assertFalse(ring.queue.isBroken());
        ring.queue.complete(ring.chain.ticket(), 0);
        assertTrue(ring.queue.publish());
        assertEquals((long)id << 32 | 0x8080L << 48, ring.packed().peekRest(first));
        assertEquals(slot | 0x8000 | slot << 16 | 1 << 31, ring.queue.base());
    }

    private void assertBroken(final RingCounter fault)
    {
        assertEquals(Virtqueue.BROKEN, ring.queue.take(ring.chain));
        assertEquals(Virtqueue.BROKEN, ring.queue.take(DescriptorChain.batch(1), 1));
        assertEquals(fault, ring.queue.brokenBy());
        ring.assertOnlyFault(fault);
        assertFalse(ring.queue.arm());
        ring.queue.disarm();
        assertFalse(ring.queue.publish());
        assertEquals(0, ring.packed().deviceEvent());
    }

    /** Writes the next slot of the first lap. */
    private void offer(final long guestAddress, final int length, final int flags, final int id)
    {
        ring.driver.pokeDescriptor(slot++, guestAddress, length, flags | DescriptorLayout.AVAILABLE, id);
    }
}
