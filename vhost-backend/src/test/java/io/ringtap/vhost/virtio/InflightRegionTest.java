package io.ringtap.vhost.virtio;

import io.ringtap.frontend.DriverRing;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.guest.GuestMemoryException;
import io.ringtap.vhost.guest.InflightRegion;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is written into an in-flight region to the byte, what others may have written, and what may not be there. */
class InflightRegionTest
{
    private static final int SIZE = 8;
    private static final long IN_ORDER = NetFeatures.bit(NetFeatures.IN_ORDER);

    @Test
    void shouldHaveTheLengthsOfTheSpecification()
    {
        assertEquals(4160, InflightLayout.length(256, false));
        assertEquals(8256, InflightLayout.length(256, true));
        assertEquals(64, InflightLayout.length(1, false));
        assertEquals(64, InflightLayout.length(3, false));
        assertEquals(128, InflightLayout.length(4, false));
        assertEquals(64, InflightLayout.length(1, true));
        assertEquals(524352, InflightLayout.length(32768, false));
        assertEquals(1048640, InflightLayout.length(32768, true));
    }

    @Test
    void shouldMarkHeadsOfASplitRing()
    {
        try (Bed bed = new Bed(RingFixture.BASIC))
        {
            final int[] ids = bed.offer(3);
            assertEquals(3, bed.queue.take(bed.chains, 8));
            assertEquals(1, bed.region.getShort(8));
            assertEquals(SIZE, bed.region.getShort(10));
            for (int i = 0; i < 3; i++)
            {
                assertEquals(1, bed.region.getByte(16 + 16 * ids[i]));
                assertEquals(i, bed.region.getLong(16 + 16 * ids[i] + 8));
            }
            bed.queue.complete(bed.chains[0].ticket(), 0);
            bed.queue.complete(bed.chains[1].ticket(), 0);
            bed.queue.publish();
            assertEquals(0, bed.region.getByte(16 + 16 * ids[0]));
            assertEquals(0, bed.region.getByte(16 + 16 * ids[1]));
            assertEquals(1, bed.region.getByte(16 + 16 * ids[2]));
            assertEquals(ids[1], bed.region.getShort(12));
            assertEquals(ids[0], bed.region.getShort(16 + 16 * ids[1] + 6));
            assertEquals(2, bed.region.getShort(14));
        }
    }

    @Test
    void shouldCopyDescriptorsOfAPackedRing()
    {
        try (Bed bed = new Bed(RingFixture.PACKED))
        {
            final int id = bed.ring.driver.add(new long[]{BUFFERS, BUFFERS + 64}, new int[]{5, 6}, 1, 1);
            final int second = bed.ring.driver.add(BUFFERS + 128, 7, true);
            bed.ring.driver.publish();
            assertEquals(2, bed.queue.take(bed.chains, 8));
            assertEquals(1, bed.region.getShort(8));
            assertEquals(SIZE, bed.region.getShort(10));
            assertEquals(3, bed.region.getShort(12));
            assertEquals(3, bed.region.getShort(14));
            assertEquals(1, bed.region.getByte(32));
            assertEquals(1, bed.region.getShort(32 + 4), "last");
            assertEquals(2, bed.region.getShort(32 + 6), "count");
            assertEquals(id, bed.region.getShort(32 + 16));
            assertEquals(5, bed.region.getInt(32 + 20));
            assertEquals(BUFFERS, bed.region.getLong(32 + 24));
            assertEquals(6, bed.region.getInt(64 + 20));
            assertEquals(BUFFERS + 64, bed.region.getLong(64 + 24));
            assertEquals(0x82, bed.region.getShort(64 + 18), "flags: available, writable");
            assertEquals(1, bed.region.getByte(96));
            assertEquals(second, bed.region.getShort(96 + 16));
            bed.queue.complete(bed.chains[0].ticket(), 3);
            bed.queue.publish();
            assertEquals(0, bed.region.getByte(32));
            assertEquals(0, bed.region.getShort(12));
            assertEquals(0, bed.region.getShort(14));
            assertEquals(3, bed.region.getShort(64 + 2), "next of the last");
            assertEquals(2, bed.region.getShort(16));
            assertEquals(2, bed.region.getShort(18));
            assertEquals(0x0101, bed.region.getShort(20));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoOnAfterAnother(final RingKind kind)
    {
        try (Bed bed = new Bed(kind.features))
        {
            final int[] ids = bed.offer(5);
            assertEquals(5, bed.queue.take(bed.chains, 8));
            bed.queue.complete(bed.chains[0].ticket(), 0);
            bed.queue.complete(bed.chains[1].ticket(), 0);
            bed.queue.publish();
            final Virtqueue successor = bed.successor();
            assertTrue(successor.isSuccessor());
            assertEquals(3, bed.ring.counters.get(RingCounter.RESUMED));
            assertEquals(3, successor.take(bed.chains, 8));
            for (int i = 0; i < 3; i++)
            {
                successor.complete(bed.chains[i].ticket(), 0);
            }
            successor.publish();
            for (final int id : ids)
            {
                assertEquals(id, bed.ring.driver.poll());
            }
            successor.rest();
            assertEquals(0, bed.region.getShort(8));
        }
    }

    /** As a back-end leaves it that completes out of order: nothing may be lost, nothing done twice. */
    @Test
    void shouldGiveBackWhatAnotherTookOutOfOrder()
    {
        try (Bed bed = new Bed(RingFixture.BASIC))
        {
            final int[] ids = bed.offer(4);
            assertEquals(4, bed.queue.take(bed.chains, 8));
            bed.queue.complete(bed.chains[1].ticket(), 0);
            bed.queue.publish();
            bed.queue.complete(bed.chains[3].ticket(), 0);
            bed.queue.publish();
            final int[] more = bed.offer(1);
            final Virtqueue successor = bed.successor();
            assertEquals(ids[1], bed.ring.driver.poll());
            assertEquals(ids[3], bed.ring.driver.poll());
            assertEquals(ids[0], bed.ring.driver.poll());
            assertEquals(0, bed.ring.driver.usedLength());
            assertEquals(ids[2], bed.ring.driver.poll());
            assertEquals(-1, bed.ring.driver.poll());
            assertEquals(1, successor.take(bed.chains, 8));
            successor.complete(bed.chains[0].ticket(), 0);
            successor.publish();
            assertEquals(more[0], bed.ring.driver.poll());
        }
    }

    @Test
    void shouldTakeUpAPackedRingThatAnotherCompletedOutOfOrder()
    {
        try (Bed bed = new Bed(RingFixture.PACKED))
        {
            final int[] ids = bed.offer(6);
            assertEquals(6, bed.queue.take(bed.chains, 8));
            // What such a back-end writes: the second chain used first, in the slot of the first.
            final long rest = (long)ids[1] << 32 | 0x8080L << 48;
            bed.ring.guest.putLong(bed.ring.at(bed.ring.driver.descriptorAddress()) + 8, rest);
            bed.region.putShort(32 + 32 + 2, (short)6);
            bed.region.putInt(12, 1 | 1 << 16);
            bed.region.putByte(32 + 32, (byte)0);
            bed.region.putInt(16, 1 | 1 << 16);
            final Virtqueue successor = bed.successor();
            assertEquals(ids[1], bed.ring.driver.poll());
            assertEquals(5, successor.take(bed.chains, 8));
            for (int i = 0; i < 5; i++)
            {
                successor.complete(bed.chains[i].ticket(), 0);
            }
            successor.publish();
            for (final int i : new int[]{0, 2, 3, 4, 5})
            {
                assertEquals(ids[i], bed.ring.driver.poll());
            }
        }
    }

    @Test
    void shouldRefuseARegionOutOfOrderWhereOrderWasPromised()
    {
        try (Bed bed = new Bed(RingFixture.BASIC | IN_ORDER))
        {
            final int[] ids = bed.offer(2);
            assertEquals(2, bed.queue.take(bed.chains, 8));
            bed.region.putByte(16 + 16 * ids[0], (byte)0);
            assertThrows(RingFaultException.class, bed::successor);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SPLIT", "PACKED"})
    void shouldSurviveAnythingThatAFrontEndWritesIntoIt(final RingKind kind)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 3000; i++)
        {
            try (Bed bed = new Bed(kind.features))
            {
                bed.offer(5);
                bed.queue.take(bed.chains, 4);
                for (int n = 1 + random.nextInt(6); n > 0; n--)
                {
                    final int at = 8 + 2 * random.nextInt(bed.region.capacity() / 2 - 4);
                    bed.region.putShort(at, (short)(random.nextBoolean() ? random.nextInt(12) : random.nextInt()));
                }
                bed.region.putShort(8, (short)1);
                serve(bed.successor(), bed, random);
            }
            catch (final RingFaultException ex)
            {
                refused++;
                assertTrue(ex.getMessage().contains("in-flight region is damaged"), ex.getMessage());
            }
            catch (final RuntimeException ex)
            {
                throw new AssertionError("seed " + seed, ex);
            }
        }
        System.out.println("hostile regions: 3000, refused " + refused + ", seed " + seed);
    }

    private static void serve(final Virtqueue queue, final Bed bed, final Random random)
    {
        for (int turn = 0; turn < 6; turn++)
        {
            // The front-end never stops writing.
            bed.region.putShort(2 * random.nextInt(bed.region.capacity() / 2), (short)random.nextInt());
            final int taken = Math.max(0, queue.take(bed.chains, 4));
            final int kept = random.nextInt(taken + 1);
            queue.untake(taken - kept);
            for (int i = 0; i < kept; i++)
            {
                queue.complete(bed.chains[i].ticket(), 0);
            }
            queue.publish();
        }
        queue.rest();
    }

    @Test
    void shouldRefuseARegionThatIsTooSmallOrCanShrink()
    {
        final int part = InflightLayout.length(256, false);
        try (Fd file = InflightRegion.file(2, part); Fd open = MemFd.create("open", 2L * part))
        {
            InflightRegion.map(file, 0, 2L * part, 2, 256, part).close();
            refused(file, 0, 2L * part - 1, part, "need 0x2080");
            refused(file, 64, 2L * part, part, "of a file of 0x2080");
            refused(file, 8, 2L * part, part, "multiple of 64");
            refused(file, -64, 2L * part, part, "at offset 0xffffffffffffffc0");
            refused(file, Long.MAX_VALUE - 63, 2L * part, part, "at offset");
            refused(file, 0, -1, part, "need");
            refused(file, 0, Long.MAX_VALUE, part, "of a file of");
            refused(open, 0, 2L * part, part, "F_SEAL_SHRINK");
        }
    }

    private static void refused(
        final Fd file, final long offset, final long length, final int part, final String what)
    {
        final String message = assertThrows(GuestMemoryException.class,
            () -> InflightRegion.map(file, offset, length, 2, 256, part)).getMessage();
        assertTrue(message.contains(what), message);
    }

    /** A ring that is tracked. */
    private static final class Bed implements AutoCloseable
    {
        private final RingFixture ring;
        private final Fd file;
        private final Mapping mapping;
        private final InflightRegion inflight;
        private final UnsafeBuffer region;
        private final long features;
        private final Virtqueue queue;
        private final DescriptorChain[] chains = DescriptorChain.batch(8);

        private Bed(final long features)
        {
            this.features = features;
            final int part = InflightLayout.length(SIZE, NetFeatures.has(features, NetFeatures.RING_PACKED));
            ring = new RingFixture(SIZE, features);
            file = InflightRegion.file(1, part);
            mapping = Mapping.shared(file.number(), 0, part, "region");
            region = mapping.buffer();
            inflight = InflightRegion.map(file, 0, part, 1, SIZE, part);
            queue = successor();
        }

        private Virtqueue successor()
        {
            final DriverRing driver = ring.driver;
            return Virtqueue.open(RingFixture.setup(driver, driver.startBase(), features).withInflight(inflight),
                ring.memory, ring.counters);
        }

        private int[] offer(final int count)
        {
            final int[] ids = new int[count];
            for (int i = 0; i < count; i++)
            {
                ids[i] = ring.driver.add(BUFFERS + 64L * i, 8, false);
            }
            ring.driver.publish();
            return ids;
        }

        @Override
        public void close()
        {
            inflight.close();
            mapping.close();
            file.close();
            ring.close();
        }
    }
}
