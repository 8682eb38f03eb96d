package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static io.ringtap.vhost.virtio.RingFixture.BASIC;
import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.EVENT;
import static io.ringtap.vhost.virtio.RingFixture.PACKED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who wants to be told of what, both ways, and that nobody sleeps on something it was not told of. */
class NotificationTest
{
    @ParameterizedTest
    @EnumSource
    void shouldAskForKicksOnlyWhenArmed(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            for (int turn = 0; turn < 40; turn++)
            {
                ring.queue.disarm();
                final int quiet = ring.driver.add(BUFFERS, 1, false);
                assertFalse(ring.driver.publish(), "turn " + turn);
                ring.turn(quiet, 0);
                assertFalse(ring.queue.arm());
                final int loud = ring.driver.add(BUFFERS, 1, false);
                assertTrue(ring.driver.publish(), "turn " + turn);
                ring.turn(loud, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayWhenThereIsSomethingAlreadyAtArming(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            ring.queue.disarm();
            ring.driver.add(BUFFERS, 1, false);
            ring.driver.add(BUFFERS, 1, false);
            ring.driver.publish();
            assertTrue(ring.queue.arm());
            assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
            assertTrue(ring.queue.arm());
            assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
            assertFalse(ring.queue.arm());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotifyOnlyADriverThatArmed(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            // the first publication always notifies: the driver may have slept before we came
            offer(ring);
            giveBack(ring, true);
            for (int turn = 0; turn < 40; turn++)
            {
                ring.driver.disarm();
                offer(ring);
                giveBack(ring, false);
                assertFalse(ring.driver.arm());
                offer(ring);
                giveBack(ring, true);
            }
            assertEquals(81, ring.counters.get(RingCounter.PUBLICATIONS));
            assertEquals(41, ring.counters.get(RingCounter.NOTIFICATIONS));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotPublishNothing(final RingKind kind)
    {
        try (RingFixture ring = new RingFixture(8, kind.features))
        {
            assertFalse(ring.queue.publish());
            assertEquals(0, ring.counters.get(RingCounter.PUBLICATIONS));
            ring.driver.arm();
            offer(ring);
            giveBack(ring, true);
            assertFalse(ring.queue.publish());
        }
    }

    /** used index before, chains in the batch, used_event of the driver, notify? The first batch is not this one. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, true", "1, 1, 2, false", "1, 1, 0, false", "1, 4, 4, true", "1, 4, 1, true", "1, 4, 5, false",
        "65534, 1, 65534, true", "65534, 1, 65535, false", "65535, 1, 65535, true", "65535, 1, 0, false",
        "65535, 2, 0, true", "65535, 4, 2, true", "65535, 4, 3, false", "65533, 4, 65532, false",
        "65533, 4, 0, true", "65533, 4, 1, false", "32767, 2, 32768, true", "0, 1, 0, true"})
    @Tag("virtio.EVENT_IDX")
    void shouldNotifyWhenTheUsedIndexPassesTheEvent(
        final int before, final int chains, final int event, final boolean isWanted)
    {
        try (RingFixture ring = new RingFixture(8, EVENT, before == 0 ? 65535 : before - 1))
        {
            offer(ring);
            giveBack(ring, true);
            ring.split().pokeUsedEvent(event);
            for (int i = 0; i < chains; i++)
            {
                ring.driver.add(BUFFERS, 1, false);
            }
            ring.driver.publish();
            for (int i = 0; i < chains; i++)
            {
                assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
                ring.queue.complete(ring.chain.ticket(), 0);
            }
            assertEquals(isWanted, ring.queue.publish());
            assertEquals(before + chains & 0xffff, ring.split().usedIndex());
        }
    }

    /** Ring of 8: used slots before, chains in the batch, event slot and wrap, notify? */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, true, true", "1, 1, 2, true, false", "1, 1, 0, true, false", "1, 1, 1, false, false",
        "6, 4, 6, true, true", "6, 4, 7, true, true", "6, 4, 0, false, true", "6, 4, 1, false, true",
        "6, 4, 2, false, false", "6, 4, 5, true, false", "6, 2, 7, true, true", "6, 2, 0, false, false",
        "7, 1, 7, true, true", "7, 1, 6, true, false", "3, 8, 3, true, true", "3, 8, 2, false, true",
        "3, 8, 3, false, false"})
    @Tag("virtio.EVENT_IDX")
    void shouldNotifyWhenAPackedRingPassesTheEvent(
        final int before, final int chains, final int event, final boolean wrap, final boolean isWanted)
    {
        try (RingFixture ring = new RingFixture(8, PACKED | EVENT))
        {
            for (int i = 0; i < before; i++)
            {
                offer(ring);
                assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
                ring.queue.complete(ring.chain.ticket(), 0);
                ring.queue.publish();
                ring.driver.poll();
            }
            ring.packed().pokeDriverEvent(event, wrap, PackedLayout.EVENT_DESCRIPTOR);
            for (int i = 0; i < chains; i++)
            {
                ring.driver.add(BUFFERS, 1, false);
            }
            ring.driver.publish();
            for (int i = 0; i < chains; i++)
            {
                assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
                ring.queue.complete(ring.chain.ticket(), 0);
            }
            assertEquals(isWanted, ring.queue.publish());
        }
    }

    @Test
    void shouldWriteTheFlagWithoutEventIndex()
    {
        try (RingFixture ring = new RingFixture(8, BASIC))
        {
            ring.queue.disarm();
            assertEquals(SplitLayout.NO_NOTIFY, ring.split().usedFlags());
            ring.queue.arm();
            assertEquals(0, ring.split().usedFlags());
        }
    }

    @Test
    void shouldWriteTheNextIndexWithEventIndex()
    {
        try (RingFixture ring = new RingFixture(8, EVENT, 65535))
        {
            ring.queue.arm();
            assertEquals(65535, ring.split().availableEvent());
            offer(ring);
            assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
            ring.queue.arm();
            assertEquals(0, ring.split().availableEvent());
            ring.queue.disarm();
            assertEquals(65535, ring.split().availableEvent());
        }
    }

    @Test
    void shouldWriteTheEventStructureOfAPackedRing()
    {
        try (RingFixture ring = new RingFixture(4, PACKED | EVENT))
        {
            for (int i = 0; i < 5; i++)
            {
                offer(ring);
                // the event structure of a fresh ring says: always
                giveBack(ring, true);
            }
            ring.queue.arm();
            // second lap, wrap counter 0, descriptor 1
            assertEquals(0x0002_0001, ring.packed().deviceEvent());
            ring.queue.disarm();
            assertEquals(0x0001_0000, ring.packed().deviceEvent());
        }
    }

    private static void offer(final RingFixture ring)
    {
        ring.driver.add(BUFFERS, 1, false);
        ring.driver.publish();
    }

    private static void giveBack(final RingFixture ring, final boolean isWanted)
    {
        assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
        ring.queue.complete(ring.chain.ticket(), 0);
        assertEquals(isWanted, ring.queue.publish());
        assertTrue(ring.driver.poll() >= 0);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    @Tag("virtio.NOTIFY_ON_EMPTY")
    void shouldNotifyOfTheLastChainALegacyDriverThatWantsToKnowOfEmptiness(final boolean hasEventIndex)
    {
        final long legacy = NetFeatures.bit(NetFeatures.NOTIFY_ON_EMPTY) |
            (hasEventIndex ? NetFeatures.bit(NetFeatures.EVENT_IDX) : 0);
        try (RingFixture ring = new RingFixture(8, legacy, 65530))
        {
            offer(ring);
            giveBack(ring, true);
            for (int turn = 0; turn < 40; turn++)
            {
                ring.driver.disarm();
                final int chains = 1 + turn % 4;
                for (int i = 0; i < chains; i++)
                {
                    ring.driver.add(BUFFERS, 1, false);
                }
                ring.driver.publish();
                for (int i = 1; i <= chains; i++)
                {
                    giveBack(ring, i == chains);
                }
            }
        }
    }

    @Test
    void shouldNotifyADriverThatWaitsForRoomOnceThreeQuartersAreUsed()
    {
        try (RingFixture ring = new RingFixture(8, RingFixture.EVENT))
        {
            for (int i = 0; i < 8; i++)
            {
                ring.driver.add(RingFixture.BUFFERS, 4, false);
            }
            ring.driver.publish();
            ring.queue.take(ring.chain);
            ring.queue.complete(ring.chain.ticket(), 0);
            assertTrue(ring.queue.publish(), "the first publication always");
            ring.driver.poll();

            assertFalse(ring.driver.armLater());

            for (int i = 1; i < 8; i++)
            {
                ring.queue.take(ring.chain);
                ring.queue.complete(ring.chain.ticket(), 0);
                assertEquals(i == 6, ring.queue.publish(), "chain " + i);
            }
            assertTrue(ring.driver.armLater());
        }
    }
}
