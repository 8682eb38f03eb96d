package io.ringtap.vhost.virtio;

import io.ringtap.frontend.DriverRing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.ringtap.vhost.virtio.RingFixture.BASIC;
import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.PACKED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The driver's half by itself: that it never offers more than it has, nor believes a device that errs. */
class DriverRingTest
{
    @ParameterizedTest
    @EnumSource
    void shouldBeFullWhenEveryDescriptorIsOut(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(4, kind.features))
        {
            assertEquals(DriverRing.FULL, ring.driver.add(new long[5], new int[5], 5, 0));
            assertTrue(ring.driver.add(new long[]{BUFFERS, BUFFERS, BUFFERS}, new int[]{1, 1, 1}, 3, 0) >= 0);
            assertEquals(DriverRing.FULL, ring.driver.add(new long[]{BUFFERS, BUFFERS}, new int[]{1, 1}, 2, 0));
            assertTrue(ring.driver.add(BUFFERS, 1, true) >= 0);
            assertEquals(DriverRing.FULL, ring.driver.add(BUFFERS, 1, true));
            assertEquals(0, ring.driver.free());
            ring.driver.publish();
            assertFalse(ring.driver.publish());
            assertEquals(2, ring.queue.take(DescriptorChain.batch(4), 4));
        }
    }

    /** What another device may do with IN_ORDER: one element, in the place of the first and with the id of the last. */
    @Test
    void shouldTakeOneElementForARunOfASplitRingInOrder()
    {
        try (RingFixture ring = new RingFixture(8, BASIC | NetFeatures.bit(NetFeatures.IN_ORDER), 65530))
        {
            for (int turn = 0; turn < 20; turn++)
            {
                final int[] ids = {ring.driver.add(BUFFERS, 1, true), ring.driver.add(BUFFERS, 1, true),
                    ring.driver.add(new long[]{BUFFERS, BUFFERS}, new int[]{1, 1}, 1, 1)};
                ring.driver.publish();
                final int first = ring.split().usedIndex();
                ring.guest.putInt(ring.at(ring.driver.deviceAddress()) + 4 + 8 * (first & 7), ids[2]);
                ring.guest.putInt(ring.at(ring.driver.deviceAddress()) + 4 + 8 * (first + 1 & 7), -1);
                ring.guest.putInt(ring.at(ring.driver.deviceAddress()) + 4 + 8 * (first + 2 & 7), -1);
                ring.split().pokeUsedIndex(first + 3);
                for (final int id : ids)
                {
                    assertEquals(id, ring.driver.poll());
                }
                assertEquals(DriverRing.NONE, ring.driver.poll());
                assertEquals(8, ring.driver.free());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeBackChainsInAnyOrder(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            final DescriptorChain[] chains = DescriptorChain.batch(3);
            for (int turn = 0; turn < 20; turn++)
            {
                final int[] ids = {
                    ring.driver.add(new long[]{BUFFERS, BUFFERS}, new int[]{1, 1}, 1, 1),
                    ring.driver.add(BUFFERS, 1, true),
                    ring.driver.add(new long[]{BUFFERS, BUFFERS, BUFFERS}, new int[]{1, 1, 1}, 0, 3)};
                ring.driver.publish();
                assertEquals(3, ring.queue.take(chains, 3));
                for (final int i : new int[]{2, 0, 1})
                {
                    ring.queue.complete(chains[i].ticket(), 10 + i);
                }
                ring.queue.publish();
                for (final int i : new int[]{2, 0, 1})
                {
                    assertEquals(ids[i], ring.driver.poll());
                    assertEquals(10 + i, ring.driver.usedLength());
                }
                assertEquals(8, ring.driver.free());
            }
        }
    }

    @Test
    void shouldNotBelieveADeviceThatUsesWhatItDoesNotHave()
    {
        try (RingFixture ring = new RingFixture(4, BASIC); RingFixture packed = new RingFixture(4, PACKED))
        {
            ring.queue.complete(3, 0);
            ring.queue.publish();
            assertEquals("device used chain 3 that is not in its hands",
                assertThrows(IllegalStateException.class, ring.driver::poll).getMessage());
            packed.queue.complete(70 | 1 << 16, 0);
            packed.queue.publish();
            assertEquals("device used chain 70 that is not in its hands",
                assertThrows(IllegalStateException.class, packed.driver::poll).getMessage());
        }
    }

    @Test
    void shouldLieWhereItSays()
    {
        assertEquals(4096 + 576 + 2112, DriverRing.length(256, BASIC));
        assertEquals(4096 + 128, DriverRing.length(256, PACKED));
        try (RingFixture ring = new RingFixture(256, BASIC); RingFixture packed = new RingFixture(256, PACKED))
        {
            assertEquals(RingFixture.GUEST + 4096, ring.driver.descriptorAddress());
            assertEquals(RingFixture.GUEST + 4096 + 4096, ring.driver.driverAddress());
            assertEquals(RingFixture.GUEST + 4096 + 4096 + 576, ring.driver.deviceAddress());
            assertEquals(RingFixture.GUEST + 4096 + 4096, packed.driver.driverAddress());
            assertEquals(RingFixture.GUEST + 4096 + 4096 + 64, packed.driver.deviceAddress());
            assertEquals(0, ring.driver.startBase());
            assertEquals(RingSetup.PACKED_START, packed.driver.startBase());
        }
    }
}
