package io.ringtap.vhost.virtio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.Iotlb;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rings behind an IOMMU: every page of ring and buffers is asked for, lies anywhere, and may go again. */
class TranslatedRingTest
{
    private static final int SIZE = 64;
    private static final int PAGE = 4096;
    /** Addresses that are no guest's. */
    private static final long IOVA = 0xffff_8000_0000_0000L;
    private static final int BUFFER_PAGES = 256;
    private static final int BUFFERS_AT = 2 << 20;

    @ParameterizedTest
    @EnumSource
    void shouldFetchEveryPageItNeedsAndReadWhatLiesThere(final RingKind kind)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        try (Behind b = new Behind(kind))
        {
            b.open();
            for (int turn = 0; turn < 200; turn++)
            {
                final int at = random.nextInt((BUFFER_PAGES - 17) * PAGE);
                final int length = 1 + random.nextInt(60_000);
                final boolean isWritable = random.nextBoolean();
                final byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                if (!isWritable)
                {
                    b.write(at, bytes);
                }
                final int id = b.ring.driver.add(b.iova(at), length, isWritable);
                b.ring.driver.publish();
                b.takeAfterAnswers();
                if (isWritable)
                {
                    assertEquals(length, b.ring.write(b.ring.chain, bytes));
                }
                else
                {
                    assertArrayEquals(bytes, b.ring.read(b.ring.chain), "seed " + seed);
                }
                b.queue.complete(b.ring.chain.ticket(), isWritable ? length : 0);
                b.queue.publish();
                assertEquals(id, b.ring.driver.poll());
                assertArrayEquals(bytes, b.read(at, length), "seed " + seed);
                if (random.nextInt(8) == 0)
                {
                    b.iotlb.invalidate(b.iova(0), (long)BUFFER_PAGES * PAGE);
                    assertTrue(b.queue.rebase(b.memory));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAChainThatWaitsAndTheOrder(final RingKind kind)
    {
        try (Behind b = new Behind(kind))
        {
            b.open();
            final DescriptorChain[] chains = DescriptorChain.batch(8);
            b.answer(0, 1, Iotlb.READ);
            final int first = b.ring.driver.add(b.iova(0), 10, false);
            final int second = b.ring.driver.add(b.iova(PAGE), 10, false);
            b.ring.driver.publish();
            assertEquals(1, b.queue.take(chains, 8));
            assertEquals(0, b.queue.take(chains, 8));
            assertFalse(b.queue.arm(), "nothing to do before the answer");
            b.queue.untake(1);

            b.answer(1, 1, Iotlb.READ);
            b.queue.lookAgain();
            assertEquals(2, b.queue.take(chains, 8));
            b.queue.complete(chains[0].ticket(), 0);
            b.queue.complete(chains[1].ticket(), 0);
            b.queue.publish();
            assertEquals(first, b.ring.driver.poll());
            assertEquals(second, b.ring.driver.poll());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnAChainThatNamesAPageTheIommuDoesNotKnow(final RingKind kind)
    {
        try (Behind b = new Behind(kind))
        {
            b.open();
            b.ring.mark();
            final int id = b.ring.driver.add(b.iova(0), 10, false);
            b.ring.driver.publish();
            assertEquals(Virtqueue.EMPTY, b.queue.take(b.ring.chain));
            final long[] miss = new long[3];
            assertTrue(b.iotlb.takeMiss(miss));
            b.iotlb.refuse(miss[2]);
            b.queue.lookAgain();
            assertEquals(Virtqueue.MALFORMED, b.queue.take(b.ring.chain));
            assertEquals(1, b.ring.counted(RingCounter.BUFFER_UNMAPPED));
            assertEquals(1, b.ring.counted(RingCounter.AWAITED));
            b.queue.complete(b.ring.chain.ticket(), 0);
            b.queue.publish();
            assertEquals(id, b.ring.driver.poll());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotWriteToAPageThatMayOnlyBeRead(final RingKind kind)
    {
        try (Behind b = new Behind(kind))
        {
            b.open();
            b.answer(0, 1, Iotlb.READ);
            b.ring.driver.add(b.iova(0), 10, true);
            b.ring.driver.publish();
            assertEquals(Virtqueue.EMPTY, b.queue.take(b.ring.chain));
            final long[] miss = new long[3];
            assertTrue(b.iotlb.takeMiss(miss));
            assertEquals(Iotlb.WRITE, miss[1]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFetchAnIndirectTableToo(final RingKind kind)
    {
        try (Behind b = new Behind(kind))
        {
            b.open();
            final byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
            b.write(PAGE - 5, bytes);
            final long table = RingFixture.TABLES;
            // The driver writes the table where it lies; the descriptor names it by what the IOMMU calls it.
            b.ring.driver.addIndirect(table, new long[] { b.iova(PAGE - 5) }, new int[] { 10 }, 1, 0);
            b.pokeTableAddress(table);
            b.ring.driver.publish();
            b.takeAfterAnswers();
            assertArrayEquals(bytes, b.ring.read(b.ring.chain));
        }
    }

    /** The log is for the guest's own addresses, whatever its IOMMU calls them. */
    @ParameterizedTest
    @EnumSource
    void shouldLogWhereItWritesNotWhatThatIsCalled(final RingKind kind)
    {
        try (Behind b = new Behind(kind); LoggedPages pages = new LoggedPages(b.ring.guest, RingFixture.GUEST))
        {
            b.open();
            b.queue.log(pages.log(), b.ring.driver.deviceAddress() - RingFixture.GUEST + IOVA);
            b.ring.driver.add(b.iova(PAGE - 100), 5000, true);
            b.ring.driver.publish();
            b.takeAfterAnswers();
            pages.before();
            final byte[] bytes = new byte[5000];
            new Random(1).nextBytes(bytes);
            b.queue.completeWritten(b.ring.chain, b.ring.write(b.ring.chain, bytes));
            b.queue.publish();
            b.queue.arm();
            assertTrue(pages.unmarked().isEmpty(), () -> "not marked " + pages.unmarked());
            assertTrue(pages.written().cardinality() >= 3);
            assertEquals(0, b.ring.counted(RingCounter.LOG_OUTSIDE));
        }
    }

    /** A ring whose driver names memory by pages of its own: the ring's in order, those of buffers all over. */
    private static final class Behind implements AutoCloseable
    {
        private final RingFixture ring;
        private final Iotlb iotlb = new Iotlb(() -> { });
        private final GuestMemory memory;
        private final int[] pages = new int[BUFFER_PAGES];
        private Virtqueue queue;

        Behind(final RingKind kind)
        {
            ring = new RingFixture(SIZE, kind.features);
            memory = ring.memory.through(iotlb);
            Arrays.setAll(pages, i -> (i * 37 + 11) % BUFFER_PAGES);
        }

        void open()
        {
            final long shift = IOVA - RingFixture.GUEST;
            final RingSetup plain = ring.queue.setup();
            final RingSetup setup = new RingSetup(0, SIZE, plain.base(), ring.driver.descriptorAddress() + shift,
                ring.driver.driverAddress() + shift, ring.driver.deviceAddress() + shift, plain.features());
            assertEquals(Iotlb.Answer.AWAITED, RingParts.missing(setup, memory));
            final long[] miss = new long[3];
            while (iotlb.takeMiss(miss))
            {
                iotlb.update(ring.memory, miss[0], PAGE, miss[0] - IOVA + RingFixture.FRONTEND, (int)miss[1]);
            }
            assertNull(RingParts.missing(setup, memory));
            queue = Virtqueue.open(setup, memory, ring.counters);
        }

        long iova(final int at)
        {
            return IOVA + (1L << 40) + at;
        }

        /** Answers for these pages of the buffers. */
        void answer(final int page, final int count, final int permission)
        {
            for (int i = page; i < page + count; i++)
            {
                iotlb.update(ring.memory, iova(i * PAGE), PAGE, frontend(pages[i]), permission);
            }
        }

        void takeAfterAnswers()
        {
            final long[] miss = new long[3];
            int rounds = 0;
            int result = queue.take(ring.chain);
            while (result == Virtqueue.EMPTY)
            {
                assertTrue(rounds++ < 40, "asked again and again");
                while (iotlb.takeMiss(miss))
                {
                    final long at = miss[0] - iova(0);
                    if (at >= 0 && at < (long)BUFFER_PAGES * PAGE)
                    {
                        answer((int)(at / PAGE), 1, (int)miss[1]);
                    }
                    else
                    {
                        iotlb.update(ring.memory, miss[0], PAGE, miss[0] - IOVA + RingFixture.FRONTEND, (int)miss[1]);
                    }
                }
                queue.lookAgain();
                result = queue.take(ring.chain);
            }
            assertEquals(Virtqueue.TAKEN, result);
        }

        void pokeTableAddress(final long table)
        {
            for (int i = 0; i < SIZE; i++)
            {
                final int at = ring.at(ring.driver.descriptorAddress()) + 16 * i;
                if (ring.guest.getLong(at) == table)
                {
                    ring.guest.putLong(at, table - RingFixture.GUEST + IOVA);
                }
            }
        }

        void write(final int at, final byte[] bytes)
        {
            for (int i = 0; i < bytes.length; i++)
            {
                ring.guest.putByte(place(at + i), bytes[i]);
            }
        }

        byte[] read(final int at, final int length)
        {
            final byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++)
            {
                bytes[i] = ring.guest.getByte(place(at + i));
            }
            return bytes;
        }

        private int place(final int at)
        {
            return BUFFERS_AT + pages[at / PAGE] * PAGE + at % PAGE;
        }

        private static long frontend(final int page)
        {
            return RingFixture.FRONTEND + BUFFERS_AT + (long)page * PAGE;
        }

        @Override
        public void close()
        {
            memory.close();
            ring.close();
        }
    }
}
