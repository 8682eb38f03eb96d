package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A driver and a device on two threads that sleep whenever there is nothing to do: without the fences between an index
 * and a wish, sooner or later both sleep for ever.
 */
@Timeout(120)
class HandshakeTest
{
    private static final int CHAINS = 100_000;
    private static final int SIZE = 8;

    @ParameterizedTest
    @EnumSource
    void shouldNeverSleepOnSomethingThatIsThere(final RingKind kind) throws InterruptedException
    {
        try (RingFixture ring = new RingFixture(SIZE, kind.features))
        {
            final AtomicInteger kicks = new AtomicInteger();
            final AtomicInteger calls = new AtomicInteger();
            final boolean[] hasSlept = new boolean[1];
            final Thread device = new Thread(() -> hasSlept[0] = !serve(ring, kicks, calls), "device");
            device.start();
            final boolean isDone = drive(ring, kicks, calls);
            device.join(TimeUnit.SECONDS.toMillis(60));
            assertTrue(isDone, "the driver slept while chains were used");
            assertTrue(!hasSlept[0], "the device slept while chains were available");
            assertEquals(CHAINS, ring.counters.get(RingCounter.CHAINS));
        }
    }

    private static boolean drive(final RingFixture ring, final AtomicInteger kicks, final AtomicInteger calls)
    {
        final Random random = new Random(1);
        int added = 0;
        int used = 0;
        while (used < CHAINS)
        {
            final int batch = 1 + random.nextInt(random.nextInt(SIZE) + 1);
            for (int i = 0; i < batch && added < CHAINS && ring.driver.free() > 0; i++)
            {
                ring.guest.putInt(ring.at(BUFFERS) + 4 * (added % SIZE), added);
                ring.driver.add(BUFFERS + 4 * (added % SIZE), 4, false);
                added++;
            }
            if (ring.driver.publish())
            {
                kicks.set(1);
            }
            while (ring.driver.poll() >= 0)
            {
                used++;
            }
            if (added > used && !ring.driver.arm() && !sleep(calls))
            {
                return false;
            }
            ring.driver.disarm();
        }
        return true;
    }

    private static boolean serve(final RingFixture ring, final AtomicInteger kicks, final AtomicInteger calls)
    {
        final DescriptorChain[] chains = DescriptorChain.batch(4);
        int seen = 0;
        while (seen < CHAINS)
        {
            final int taken = ring.queue.take(chains, 1 + seen % 4);
            for (int i = 0; i < taken; i++)
            {
                ring.queue.complete(chains[i].ticket(), 0);
                seen++;
            }
            if (ring.queue.publish())
            {
                calls.set(1);
            }
            if (taken == Virtqueue.EMPTY)
            {
                if (!ring.queue.arm() && !sleep(kicks))
                {
                    return false;
                }
                ring.queue.disarm();
            }
        }
        return true;
    }

    /** Spins, so that both sides stay hot and the moment between two stores is met often. */
    private static boolean sleep(final AtomicInteger until)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        int spins = 0;
        while (until.get() == 0)
        {
            if (++spins % 256 == 0)
            {
                Thread.yield();
                if (System.nanoTime() - deadlineNs > 0)
                {
                    return false;
                }
            }
            Thread.onSpinWait();
        }
        until.set(0);
        return true;
    }
}
