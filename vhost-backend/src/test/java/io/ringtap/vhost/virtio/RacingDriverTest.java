package io.ringtap.vhost.virtio;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.TABLES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A driver that changes rings, tables and buffers while they are read. Bounds checks are on here, so an index or an
 * address that was judged and then read again would be thrown about sooner or later.
 */
@Timeout(120)
class RacingDriverTest
{
    private static final int SIZE = 16;
    private static final long CHAINS = 20_000;
    private static final RingCounter[] REACHED = {
        RingCounter.BUFFER_UNMAPPED, RingCounter.BUFFER_ORDER, RingCounter.CHAIN_ENDLESS, RingCounter.NEXT_RANGE,
        RingCounter.INDIRECT_CHAINED, RingCounter.INDIRECT_LENGTH, RingCounter.INDIRECT_NESTED, RingCounter.HEAD_RANGE,
        RingCounter.AVAILABLE_LEAD, RingCounter.INDIRECT_UNMAPPED};
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    @ParameterizedTest
    @EnumSource
    void shouldNeverThrowWhileTheDriverScribbles(final RingKind kind) throws InterruptedException
    {
        final long seed = System.nanoTime();
        try (RingFixture ring = new RingFixture(SIZE, kind.features))
        {
            final AtomicBoolean isOver = new AtomicBoolean();
            final Thread scribbler = new Thread(() -> scribble(ring, new Random(seed), isOver), "scribbler");
            scribbler.start();
            long chains = 0;
            Virtqueue queue = ring.queue;
            final UnsafeBuffer scratch = new UnsafeBuffer(new byte[1 << 17]);
            final DescriptorChain[] batch = DescriptorChain.batch(SIZE);
            try
            {
                final long startNs = System.nanoTime();
                while ((chains < CHAINS || !hasReached(ring, kind)) && System.nanoTime() - startNs < PATIENCE_NS)
                {
                    final int taken = queue.take(batch, SIZE);
                    for (int i = 0; i < taken; i++)
                    {
                        chains++;
                        use(queue, batch[i], scratch);
                    }
                    queue.publish();
                    if (taken == Virtqueue.EMPTY)
                    {
                        queue.arm();
                        queue.disarm();
                        Thread.yield();
                    }
                    if (taken == Virtqueue.BROKEN)
                    {
                        queue = restart(ring);
                    }
                }
            }
            catch (final RuntimeException ex)
            {
                throw new AssertionError("seed " + seed, ex);
            }
            finally
            {
                isOver.set(true);
                scribbler.join();
            }
            assertTrue(chains > 0, "seed " + seed);
            for (final RingCounter fault : REACHED)
            {
                assertTrue(kind != RingKind.SPLIT || ring.counters.get(fault) > 0,
                    fault + " was not reached, seed " + seed);
            }
        }
    }

    /** Whether every fault was seen: how soon depends on how the two threads meet, so it is waited for. */
    private static boolean hasReached(final RingFixture ring, final RingKind kind)
    {
        for (final RingCounter fault : REACHED)
        {
            if (kind == RingKind.SPLIT && ring.counters.get(fault) == 0)
            {
                return false;
            }
        }
        return true;
    }

    /** The front-end starts it again; whatever the driver left in the memory is where it begins. */
    private static Virtqueue restart(final RingFixture ring)
    {
        final RingSetup setup = ring.queue.setup();
        final int base = setup.isPacked() ? ring.driver.startBase() : ring.split().usedIndex();
        return Virtqueue.open(new RingSetup(0, SIZE, base, setup.descriptorAddress(), setup.driverAddress(),
            setup.deviceAddress(), setup.features()), ring.memory, ring.counters);
    }

    private static void use(final Virtqueue queue, final DescriptorChain chain, final UnsafeBuffer scratch)
    {
        int written = 0;
        if (!chain.isMalformed())
        {
            final int length = chain.readable().length();
            assertEquals(length, chain.readable().copyIn(0, scratch, 0, length));
            // no more than a few bytes: the memory is the driver's, so is the ring in it
            written = chain.writable().copyOut(0, scratch, 0, Math.min(4, chain.writable().length()));
        }
        queue.complete(chain.ticket(), written);
    }

    /** Writes descriptors that are nearly right, so that every path is walked. */
    private static void scribble(final RingFixture ring, final Random random, final AtomicBoolean isOver)
    {
        int index = 0;
        while (!isOver.get())
        {
            final int flags = random.nextInt(8) == 0 ? random.nextInt(8) : random.nextInt(4);
            final boolean isTable = (flags & DescriptorLayout.INDIRECT) != 0;
            final long address = random.nextInt(16) == 0 ? random.nextLong() :
                isTable ? TABLES + random.nextInt(64) * 16 : BUFFERS + random.nextInt(1 << 16);
            final int length = random.nextInt(16) == 0 ? random.nextInt() :
                isTable ? 16 * random.nextInt(SIZE + 2) : random.nextInt(2000);
            final int next = random.nextInt(SIZE + 1);
            if (random.nextInt(4) == 0)
            {
                ring.driver.pokeTable(TABLES, random.nextInt(64 + SIZE), address, length, flags, next);
            }
            else
            {
                final int lap = random.nextBoolean() ? DescriptorLayout.AVAILABLE : DescriptorLayout.USED;
                final boolean isPacked = ring.queue.setup().isPacked();
                ring.driver.pokeDescriptor(random.nextInt(SIZE), address, length, flags | (isPacked ? lap : 0), next);
            }
            if (!ring.queue.setup().isPacked())
            {
                ring.split().pokeAvailable(random.nextInt(SIZE), random.nextInt(64) == 0 ? SIZE : random.nextInt(SIZE));
                // follows the device, so that the lead is nearly always allowed
                index = random.nextInt(256) == 0 ? random.nextInt(65536) : ring.split().usedIndex() + random.nextInt(8);
                ring.split().pokeAvailableIndex(index);
            }
        }
    }
}
