package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestBuffers;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.ringtap.vhost.virtio.RingFixture.BASIC;
import static io.ringtap.vhost.virtio.RingFixture.BORDER;
import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.PACKED;
import static io.ringtap.vhost.virtio.RingFixture.TABLES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What split and packed rings do alike. */
class VirtqueueTest
{
    private static final int EMPTY = Virtqueue.EMPTY;
    private static final int TAKEN = Virtqueue.TAKEN;

    @ParameterizedTest
    @EnumSource
    void shouldTakeAndReturnASingleBuffer(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            assertEquals(EMPTY, ring.queue.take(ring.chain));
            ring.guest.putBytes(ring.at(BUFFERS), new byte[]{1, 2, 3});
            final int id = ring.driver.add(BUFFERS, 3, false);
            assertEquals(EMPTY, ring.queue.take(ring.chain));
            ring.driver.publish();
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            assertFalse(ring.chain.isMalformed());
            assertEquals(1, ring.chain.readable().count());
            assertEquals(0, ring.chain.writable().length());
            assertArrayEquals(new byte[]{1, 2, 3}, ring.read(ring.chain));
            ring.queue.complete(ring.chain.ticket(), 0);
            assertEquals(-1, ring.driver.poll());
            ring.queue.publish();
            assertEquals(id, ring.driver.poll());
            assertEquals(0, ring.driver.usedLength());
            assertEquals(-1, ring.driver.poll());
            assertEquals(EMPTY, ring.queue.take(ring.chain));
            assertEquals(8, ring.driver.free());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteIntoAChainOfReadableAndWritableBuffers(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            ring.guest.putByte(ring.at(BUFFERS), (byte)7);
            final int id = ring.driver.add(
                new long[]{BUFFERS, BUFFERS + 64, BUFFERS + 128}, new int[]{1, 2, 4}, 1, 2);
            ring.driver.publish();
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            assertArrayEquals(new byte[]{7}, ring.read(ring.chain));
            assertEquals(6, ring.chain.writable().length());
            assertEquals(5, ring.write(ring.chain, new byte[]{1, 2, 3, 4, 5}));
            ring.queue.complete(ring.chain.ticket(), 5);
            ring.queue.publish();
            assertEquals(id, ring.driver.poll());
            assertEquals(5, ring.driver.usedLength());
            assertEquals(2, ring.guest.getByte(ring.at(BUFFERS + 65)));
            assertEquals(3, ring.guest.getByte(ring.at(BUFFERS + 128)));
            assertEquals(8, ring.driver.free());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("virtio.INDIRECT_DESC")
    void shouldTakeAChainOfATable(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            ring.guest.putBytes(ring.at(BUFFERS), new byte[]{1, 2});
            ring.guest.putBytes(ring.at(BUFFERS + 64), new byte[]{3, 4});
            final int id = ring.driver.addIndirect(
                TABLES + 2, new long[]{BUFFERS, BUFFERS + 64, BUFFERS + 128}, new int[]{2, 2, 9}, 2, 1);
            assertEquals(7, ring.driver.free());
            ring.driver.publish();
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            assertArrayEquals(new byte[]{1, 2, 3, 4}, ring.read(ring.chain));
            assertEquals(9, ring.chain.writable().length());
            ring.queue.complete(ring.chain.ticket(), 9);
            ring.queue.publish();
            assertEquals(id, ring.driver.poll());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("virtio.RING_PACKED")
    void shouldGoRoundManyTimesWithBatchesOfAnyLength(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            final DescriptorChain[] chains = DescriptorChain.batch(8);
            int sent = 0;
            int seen = 0;
            for (int turn = 0; turn < 1000; turn++)
            {
                final int batch = 1 + turn % 4;
                for (int i = 0; i < batch; i++)
                {
                    ring.guest.putInt(ring.at(BUFFERS) + 4 * i, sent++);
                    assertTrue(i % 2 == 0 ?
                        ring.driver.add(BUFFERS + 4 * i, 4, false) >= 0 :
                        ring.driver.add(new long[]{BUFFERS + 4 * i, BUFFERS + 4 * i + 1}, new int[]{1, 3}, 2, 0) >= 0);
                }
                ring.driver.publish();
                assertEquals(batch, ring.queue.take(chains, 8));
                for (int i = 0; i < batch; i++)
                {
                    assertEquals(seen++, new UnsafeBuffer(ring.read(chains[i])).getInt(0));
                    ring.queue.complete(chains[i].ticket(), 0);
                }
                ring.queue.publish();
                for (int i = 0; i < batch; i++)
                {
                    assertTrue(ring.driver.poll() >= 0);
                }
                assertEquals(8, ring.driver.free());
            }
            assertEquals(sent, ring.counters.get(RingCounter.CHAINS));
            assertEquals(1000, ring.counters.get(RingCounter.PUBLICATIONS));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeAgainWhatWasPutBack(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            for (int turn = 0; turn < 50; turn++)
            {
                final int first = ring.driver.add(BUFFERS, 1, true);
                final int second = ring.driver.add(new long[]{BUFFERS, BUFFERS}, new int[]{1, 1}, 0, 2);
                final int third = ring.driver.add(new long[]{BUFFERS, BUFFERS}, new int[]{1, 2}, 0, 2);
                ring.driver.publish();
                final DescriptorChain[] chains = DescriptorChain.batch(4);
                assertEquals(3, ring.queue.take(chains, 4));
                final int base = ring.queue.base();
                ring.queue.untake(2);
                assertEquals(TAKEN, ring.queue.take(ring.chain));
                assertEquals(chains[1].ticket(), ring.chain.ticket());
                assertEquals(2, ring.chain.writable().length());
                ring.queue.untake(1);
                assertEquals(2, ring.queue.take(chains, 4));
                assertEquals(3, chains[1].writable().length());
                assertEquals(base, ring.queue.base());
                ring.queue.untake(3);
                ring.driver.add(BUFFERS, 9, true);
                ring.driver.publish();
                assertEquals(4, ring.queue.take(chains, 4));
                assertEquals(EMPTY, ring.queue.take(ring.chain));
                for (final DescriptorChain chain : chains)
                {
                    ring.queue.complete(chain.ticket(), 1);
                }
                ring.queue.publish();
                assertEquals(first, ring.driver.poll());
                assertEquals(second, ring.driver.poll());
                assertEquals(third, ring.driver.poll());
                assertTrue(ring.driver.poll() >= 0);
            }
        }
    }

    @Test
    void shouldTakeTheUsedHalfFromTheAvailableOneWhereAFrontEndGivesNoOther()
    {
        try (RingFixture ring = new RingFixture(4, PACKED))
        {
            final Virtqueue queue = Virtqueue.open(
                RingFixture.setup(ring.driver, 0x8000, PACKED), ring.memory, ring.counters);
            assertEquals(0x8000_8000, queue.base());
            for (int i = 0; i < 9; i++)
            {
                final int id = ring.driver.add(BUFFERS, 1, true);
                ring.driver.publish();
                assertEquals(TAKEN, queue.take(ring.chain));
                queue.complete(ring.chain.ticket(), 1);
                queue.publish();
                assertEquals(id, ring.driver.poll());
            }
        }
    }

    @Test
    void shouldTakeTheUsedHalfFromTheAvailableOneInTheLapWithoutWrapBitToo()
    {
        try (RingFixture ring = new RingFixture(8, PACKED))
        {
            final Virtqueue queue = Virtqueue.open(
                RingFixture.setup(ring.driver, 0x0004, PACKED), ring.memory, ring.counters);

            assertEquals(0x0004_0004, queue.base());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoOnFromItsBase(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(4, kind.features))
        {
            for (int i = 0; i < 7; i++)
            {
                final int id = ring.driver.add(BUFFERS, 1, true);
                ring.driver.publish();
                ring.turn(id, 1);
            }
            ring.driver.add(BUFFERS, 77, true);
            ring.driver.publish();
            final Virtqueue successor = Virtqueue.open(
                RingFixture.setup(ring.driver, ring.queue.base(), kind.features), ring.memory, ring.counters);
            assertEquals(TAKEN, successor.take(ring.chain));
            assertEquals(77, ring.chain.writable().length());
            successor.complete(ring.chain.ticket(), 3);
            assertTrue(successor.publish());
            assertTrue(ring.driver.poll() >= 0);
            assertEquals(3, ring.driver.usedLength());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSplitABufferThatStraddlesRegions(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(4, kind.features))
        {
            ring.guest.putBytes(ring.at(BORDER) - 2, new byte[]{1, 2, 3, 4});
            ring.driver.add(BORDER - 2, 4, false);
            ring.driver.publish();
            ring.mark();
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            assertEquals(2, ring.chain.readable().count());
            assertArrayEquals(new byte[]{1, 2, 3, 4}, ring.read(ring.chain));
            ring.assertOnlyFault(RingCounter.BUFFER_STRADDLES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassOverEmptyBuffersAndCutHugeRoom(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            ring.driver.add(new long[]{0, BUFFERS, BUFFERS, BUFFERS}, new int[]{0, 60_000, 1 << 20, 1}, 1, 3);
            ring.driver.publish();
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            assertEquals(0, ring.chain.readable().count());
            assertEquals(2, ring.chain.writable().count());
            assertEquals(GuestBuffers.MAX_BYTES, ring.chain.writable().length());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMoveToANewMap(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(4, kind.features))
        {
            ring.driver.add(BUFFERS, 1, false);
            ring.driver.add(BUFFERS, 2, false);
            ring.driver.publish();
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            final GuestMemory without = ring.memory.minus(new RegionRequest(
                BORDER, RingFixture.LENGTH / 2, RingFixture.FRONTEND + 4L * RingFixture.LENGTH, 0, null));
            assertTrue(ring.queue.rebase(without));
            assertEquals(TAKEN, ring.queue.take(ring.chain));
            assertEquals(2, ring.chain.readable().length());
            ring.queue.complete(ring.chain.ticket(), 0);
            ring.mark();
            assertFalse(ring.queue.rebase(GuestMemory.none()));
            // nothing is written: the old memory may be unmapped by now
            ring.queue.complete(ring.chain.ticket(), 0);
            assertFalse(ring.queue.publish());
            assertEquals(-1, ring.driver.poll());
            assertTrue(ring.queue.isBroken());
            assertEquals(RingCounter.UNMAPPED, ring.queue.brokenBy());
            assertEquals(Virtqueue.BROKEN, ring.queue.take(ring.chain));
            assertFalse(ring.queue.arm());
            ring.queue.disarm();
            ring.assertOnlyFault(RingCounter.UNMAPPED);
            without.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellARingThatNobodyEverWrote(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(4, kind.features))
        {
            assertTrue(ring.queue.isBlank());
            ring.driver.add(BUFFERS, 1, false);
            ring.driver.publish();
            assertFalse(ring.queue.isBlank());
        }
    }

    @Test
    void shouldRefuseASetupThatIsNotThere()
    {
        try (RingFixture ring = new RingFixture(8, BASIC); RingFixture packed = new RingFixture(8, PACKED))
        {
            final RingSetup good = ring.queue.setup();
            final long table = good.descriptorAddress();
            final long driver = good.driverAddress();
            final long device = good.deviceAddress();
            assertFault(ring, new RingSetup(3, 48, 0, table, driver, device, BASIC),
                "ring 3: size 48 is not a power of two up to 32768");
            assertFault(ring, new RingSetup(3, 65536, 0, table, driver, device, BASIC), "size 65536");
            assertFault(ring, new RingSetup(3, 0, 0, table, driver, device, BASIC), "size 0");
            assertFault(ring, new RingSetup(3, 8, 65536, table, driver, device, BASIC), "base 65536");
            assertFault(ring, new RingSetup(3, 8, 0, table + 8, driver, device, BASIC),
                "ring 3: descriptor table at 0x7f1200001008, 0x80 bytes, is not in one region of the shared memory " +
                "or not aligned to 16");
            assertFault(ring, new RingSetup(3, 8, 0, table, driver + 1, device, BASIC), "available ring");
            assertFault(ring, new RingSetup(3, 8, 0, table, driver, device + 2, BASIC), "used ring");
            assertFault(ring, new RingSetup(3, 8, 0, table, driver, 0, BASIC), "used ring");
            assertFault(ring, new RingSetup(3, 8, 0,
                RingFixture.FRONTEND + RingFixture.LENGTH / 2 - 64, driver, device, BASIC), "descriptor table");
            assertFault(packed, new RingSetup(3, 32769, 0, table, driver, device, PACKED), "size 32769");
            assertFault(packed, new RingSetup(3, 8, 8, table, driver, device, PACKED), "base 0x8 is beyond size 8");
            assertFault(packed, new RingSetup(3, 8, 0, table, driver + 2, device, PACKED), "driver event");
            assertFault(packed, new RingSetup(3, 8, 0, table, driver, device + 2, PACKED), "device event");
            assertFault(packed, new RingSetup(3, 8, 0, 16, driver, device, PACKED), "descriptor ring");
        }
    }

    private static void assertFault(final RingFixture ring, final RingSetup setup, final String part)
    {
        final String message = assertThrows(
            RingFaultException.class, () -> Virtqueue.open(setup, ring.memory, ring.counters)).getMessage();
        assertTrue(message.contains(part), message);
    }
}
