package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.ringtap.vhost.virtio.DescriptorLayout.INDIRECT;
import static io.ringtap.vhost.virtio.DescriptorLayout.NEXT;
import static io.ringtap.vhost.virtio.DescriptorLayout.WRITE;
import static io.ringtap.vhost.virtio.RingFixture.BASIC;
import static io.ringtap.vhost.virtio.RingFixture.BORDER;
import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.GUEST;
import static io.ringtap.vhost.virtio.RingFixture.LENGTH;
import static io.ringtap.vhost.virtio.RingFixture.TABLES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a hostile driver of a split ring may write. A chain at fault is counted, taken and returned with 0 bytes, and
 * the ring goes on; a ring at fault stops and is not written any more.
 */
class HostileChainTest
{
    private static final int SIZE = 8;

    private RingFixture ring = new RingFixture(SIZE, BASIC);
    private int available;

    @AfterEach
    void close()
    {
        ring.close();
    }

    @Test
    void shouldReturnAChainThatLoops()
    {
        descriptor(0, BUFFERS, 16, NEXT, 1);
        descriptor(1, BUFFERS, 16, NEXT, 0);
        assertMalformed(0, RingCounter.CHAIN_ENDLESS);
    }

    @Test
    void shouldReturnAChainThatIsItsOwnNext()
    {
        descriptor(3, BUFFERS, 16, NEXT, 3);
        assertMalformed(3, RingCounter.CHAIN_ENDLESS);
    }

    @Test
    void shouldTakeTheLongestChainThatTheRingCanHold()
    {
        for (int i = 0; i < SIZE; i++)
        {
            descriptor(i, BUFFERS, 16, i < SIZE - 1 ? NEXT : 0, i + 1);
        }
        offer(0);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        assertEquals(SIZE * 16, ring.chain.readable().length());
    }

    @ParameterizedTest
    @CsvSource({"8", "9", "65535"})
    void shouldReturnAChainWhoseNextIsNotInTheTable(final int next)
    {
        descriptor(2, BUFFERS, 16, NEXT, next);
        assertMalformed(2, RingCounter.NEXT_RANGE);
    }

    @ParameterizedTest
    @CsvSource({"8", "32768", "65535"})
    void shouldStopWhenAHeadIsNotInTheTable(final int head)
    {
        offer(head);
        assertBroken(RingCounter.HEAD_RANGE);
    }

    @ParameterizedTest
    @CsvSource({"9", "32768", "65535"})
    void shouldStopWhenMoreIsAvailableThanTheRingHolds(final int index)
    {
        ring.mark();
        ring.split().pokeAvailableIndex(index);
        assertBroken(RingCounter.AVAILABLE_LEAD);
    }

    @Test
    void shouldStopWhenTheAvailableIndexGoesBack()
    {
        descriptor(0, BUFFERS, 16, 0, 0);
        offer(0);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        ring.mark();
        ring.split().pokeAvailableIndex(0);
        assertBroken(RingCounter.AVAILABLE_LEAD);
    }

    @Test
    void shouldTakeAHeadTwiceWhenTheDriverOffersItTwice()
    {
        descriptor(5, BUFFERS, 16, 0, 0);
        offer(5);
        offer(5);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        ring.queue.complete(5, 0);
        ring.queue.complete(5, 0);
        ring.queue.publish();
        assertEquals(2, ring.split().usedIndex());
    }

    @Test
    void shouldReturnAChainWithABufferOutsideTheGuestsMemory()
    {
        final long end = GUEST + LENGTH;
        final long[][] buffers = {
            {0, 1}, {GUEST - 1, 2}, {end - 1, 2}, {end, 1}, {-1, 2}, {-16, 32}, {Long.MAX_VALUE, 1},
            {RingFixture.FRONTEND, 16}, {GUEST, 0xffff_ffffL}, {GUEST, 0x8000_0000L}, {end - 100, 0x7fff_ffff}};
        for (final long[] buffer : buffers)
        {
            for (final int flags : new int[]{0, WRITE})
            {
                descriptor(1, buffer[0], (int)buffer[1], flags, 0);
                assertMalformed(1, RingCounter.BUFFER_UNMAPPED);
            }
        }
    }

    @Test
    void shouldReturnAChainWhoseSecondBufferIsOutsideTheGuestsMemory()
    {
        descriptor(0, BUFFERS, 16, NEXT, 1);
        descriptor(1, GUEST + LENGTH - 8, 16, 0, 0);
        assertMalformed(0, RingCounter.BUFFER_UNMAPPED);
    }

    @Test
    void shouldReturnAChainWithAReadableBufferAfterAWritableOne()
    {
        descriptor(0, BUFFERS, 16, NEXT | WRITE, 1);
        descriptor(1, BUFFERS, 16, 0, 0);
        assertMalformed(0, RingCounter.BUFFER_ORDER);
    }

    @Test
    void shouldReturnAChainThatIsLongerThanAnyFrame()
    {
        descriptor(0, BUFFERS, 65_536, NEXT, 1);
        descriptor(1, BUFFERS, 1024, NEXT, 2);
        descriptor(2, BUFFERS, 1, 0, 0);
        assertMalformed(0, RingCounter.CHAIN_BYTES);
        descriptor(0, BUFFERS, 4 << 20, 0, 0);
        assertMalformed(0, RingCounter.CHAIN_BYTES);
    }

    @Test
    void shouldReturnAChainOfTooManyBuffers()
    {
        ring.close();
        ring = new RingFixture(512, BASIC);
        for (int i = 0; i <= DescriptorChain.MAX_BUFFERS; i++)
        {
            descriptor(i, BUFFERS, 1, i < DescriptorChain.MAX_BUFFERS ? NEXT : 0, i + 1);
        }
        assertMalformed(0, RingCounter.CHAIN_BUFFERS);
        for (int i = 0; i <= DescriptorChain.MAX_BUFFERS; i++)
        {
            descriptor(i, BUFFERS, 1, (i < DescriptorChain.MAX_BUFFERS ? NEXT : 0) | WRITE, i + 1);
        }
        assertMalformed(0, RingCounter.CHAIN_BUFFERS);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "15", "17", "144", "4294967280"})
    void shouldReturnAChainWhoseTableHasABadLength(final long length)
    {
        descriptor(0, TABLES, (int)length, INDIRECT, 0);
        assertMalformed(0, RingCounter.INDIRECT_LENGTH);
    }

    @Test
    void shouldReturnAChainWhoseTableIsNotInOneRegion()
    {
        for (final long address : new long[]{0, GUEST + LENGTH - 16, BORDER - 16, -16, Long.MIN_VALUE})
        {
            descriptor(0, address, 32, INDIRECT, 0);
            assertMalformed(0, RingCounter.INDIRECT_UNMAPPED);
        }
    }

    @Test
    void shouldReturnAnIndirectDescriptorWithANextOne()
    {
        ring.driver.pokeTable(TABLES, 0, BUFFERS, 16, 0, 0);
        descriptor(0, TABLES, 16, INDIRECT | NEXT, 1);
        descriptor(1, BUFFERS, 16, 0, 0);
        assertMalformed(0, RingCounter.INDIRECT_CHAINED);
    }

    @Test
    void shouldReturnATableInATable()
    {
        ring.driver.pokeTable(TABLES, 0, TABLES, 16, INDIRECT, 0);
        descriptor(0, TABLES, 16, INDIRECT, 0);
        assertMalformed(0, RingCounter.INDIRECT_NESTED);
    }

    @Test
    void shouldReturnATableThatLoopsOrLeavesItself()
    {
        ring.driver.pokeTable(TABLES, 0, BUFFERS, 16, NEXT, 1);
        ring.driver.pokeTable(TABLES, 1, BUFFERS, 16, NEXT, 0);
        descriptor(0, TABLES, 32, INDIRECT, 0);
        assertMalformed(0, RingCounter.CHAIN_ENDLESS);
        ring.driver.pokeTable(TABLES, 1, BUFFERS, 16, NEXT, 2);
        assertMalformed(0, RingCounter.NEXT_RANGE);
    }

    @Test
    void shouldTakeATableAtTheEndOfAChain()
    {
        ring.driver.pokeTable(TABLES, 0, BUFFERS, 16, WRITE, 0);
        descriptor(0, BUFFERS, 8, NEXT, 1);
        descriptor(1, TABLES, 16, INDIRECT, 0);
        offer(0);
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        assertEquals(8, ring.chain.readable().length());
        assertEquals(16, ring.chain.writable().length());
    }

    @Test
    void shouldReturnAnIndirectDescriptorWithoutTheFeature()
    {
        ring.close();
        ring = new RingFixture(SIZE, NetFeatures.bit(NetFeatures.VERSION_1));
        ring.driver.pokeTable(TABLES, 0, BUFFERS, 16, 0, 0);
        descriptor(0, TABLES, 16, INDIRECT, 0);
        assertMalformed(0, RingCounter.INDIRECT_UNEXPECTED);
    }

    @Test
    void shouldGoOnAfterMalformedChainsInABatch()
    {
        descriptor(0, BUFFERS, 16, 0, 0);
        descriptor(1, 0, 16, 0, 0);
        descriptor(2, BUFFERS, 32, 0, 0);
        offer(0);
        offer(1);
        offer(2);
        final DescriptorChain[] chains = DescriptorChain.batch(4);
        assertEquals(3, ring.queue.take(chains, 4));
        assertFalse(chains[0].isMalformed());
        assertTrue(chains[1].isMalformed());
        assertFalse(chains[2].isMalformed());
        assertEquals(32, chains[2].readable().length());
    }

    @Test
    void shouldHandOverWhatItTookBeforeItBroke()
    {
        descriptor(0, BUFFERS, 16, 0, 0);
        offer(0);
        offer(99);
        final DescriptorChain[] chains = DescriptorChain.batch(4);
        assertEquals(1, ring.queue.take(chains, 4));
        assertEquals(Virtqueue.BROKEN, ring.queue.take(chains, 4));
    }

    /** Returns the same head again and again, so that one test may try many descriptors. */
    private void assertMalformed(final int head, final RingCounter fault)
    {
        ring.mark();
        final int before = ring.split().usedIndex();
        offer(head);
        assertEquals(Virtqueue.MALFORMED, ring.queue.take(ring.chain));
        assertTrue(ring.chain.isMalformed());
        ring.assertOnlyFault(fault);
        assertFalse(ring.queue.isBroken());
        ring.queue.complete(ring.chain.ticket(), 0);
        assertTrue(ring.queue.publish());
        assertEquals(before + 1, ring.split().usedIndex());
        assertEquals(head, ring.split().usedId(before % ring.driver.size()));
        assertEquals(0, ring.split().usedLength(before % ring.driver.size()));
    }

    private void assertBroken(final RingCounter fault)
    {
        final int usedBefore = ring.split().usedIndex();
        assertEquals(Virtqueue.BROKEN, ring.queue.take(ring.chain));
        ring.assertOnlyFault(fault);
        assertTrue(ring.queue.isBroken());
        assertEquals(fault, ring.queue.brokenBy());
        // for good, counted once, and nothing of it is written
        assertEquals(Virtqueue.BROKEN, ring.queue.take(ring.chain));
        assertEquals(Virtqueue.BROKEN, ring.queue.take(DescriptorChain.batch(2), 2));
        assertFalse(ring.queue.arm());
        ring.queue.disarm();
        assertFalse(ring.queue.publish());
        ring.assertOnlyFault(fault);
        assertEquals(usedBefore, ring.split().usedIndex());
        assertEquals(0, ring.split().usedFlags());
    }

    private void descriptor(
        final int index, final long guestAddress, final int length, final int flags, final int next)
    {
        ring.driver.pokeDescriptor(index, guestAddress, length, flags, next);
    }

    private void offer(final int head)
    {
        ring.split().pokeAvailable(available % ring.driver.size(), head);
        ring.split().pokeAvailableIndex(++available);
    }
}
