package io.ringtap.vhost.virtio;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.Arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rings of every size that the specification allows: filled to the last descriptor, and round several times. */
class RingSizeTest
{
    private static final int LAPS = 3;
    private static final int BATCH = 256;
    private static final long IN_ORDER = NetFeatures.bit(NetFeatures.IN_ORDER);

    static List<Arguments> rings()
    {
        final List<Arguments> rings = new ArrayList<>();
        for (final RingKind kind : RingKind.values())
        {
            for (final int size : new int[]{1, 2, 3, 5, 8, 63, 64, 255, 256, 1000, 1024, 4096, 16384, 32767, 32768})
            {
                if (kind.name().startsWith("PACKED") || Integer.bitCount(size) == 1)
                {
                    rings.add(Arguments.of(kind, size, 0L));
                    rings.add(Arguments.of(kind, size, IN_ORDER));
                }
            }
        }
        return rings;
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldGoRoundFullToTheLastDescriptor(final RingKind kind, final int size, final long more)
    {
        final DescriptorChain[] chains = DescriptorChain.batch(BATCH);
        try (RingFixture ring = new RingFixture(size, kind.features | more))
        {
            final int[] ids = new int[size];
            for (int lap = 0; lap < LAPS; lap++)
            {
                fill(ring, ids);
                assertTrue(ring.queue.arm());
                int done = 0;
                while (done < size)
                {
                    final int taken = ring.queue.take(chains, BATCH);
                    assertTrue(taken > 0, "after " + done);
                    final long[] tickets = new long[taken];
                    for (int i = 0; i < taken; i++)
                    {
                        assertFalse(chains[i].isMalformed());
                        tickets[i] = chains[i].ticket();
                    }
                    ring.queue.completeRead(tickets, taken);
                    ring.queue.publish();
                    for (int i = 0; i < taken; i++)
                    {
                        assertEquals(ids[done++], ring.driver.poll());
                    }
                }
                assertEquals(Virtqueue.EMPTY, ring.queue.take(ring.chain));
                assertFalse(ring.queue.arm());
                assertEquals(size, ring.driver.free());
            }
            assertFalse(ring.queue.isBroken());
        }
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldKeepChainsOfAnyLengthApart(final RingKind kind, final int size, final long more)
    {
        final Random random = new Random(size);
        try (RingFixture ring = new RingFixture(size, kind.features | more))
        {
            for (int turn = 0; turn < 200; turn++)
            {
                final int parts = 1 + random.nextInt(Math.min(size, 7));
                final long[] addresses = new long[parts];
                final int[] lengths = new int[parts];
                int total = 0;
                for (int i = 0; i < parts; i++)
                {
                    addresses[i] = BUFFERS + 64L * i;
                    lengths[i] = 1 + random.nextInt(60);
                    total += lengths[i];
                }
                final int id = ring.driver.add(addresses, lengths, parts, 0);
                ring.driver.publish();
                assertEquals(Virtqueue.TAKEN, ring.queue.take(ring.chain));
                assertEquals(total, ring.chain.readable().length());
                ring.queue.complete(ring.chain.ticket(), 0);
                ring.queue.publish();
                assertEquals(id, ring.driver.poll());
            }
        }
    }

    private static void fill(final RingFixture ring, final int[] ids)
    {
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = ring.driver.add(BUFFERS, 4, false);
            assertTrue(ids[i] >= 0);
        }
        assertEquals(-1, ring.driver.add(BUFFERS, 4, false));
        ring.driver.publish();
    }
}
