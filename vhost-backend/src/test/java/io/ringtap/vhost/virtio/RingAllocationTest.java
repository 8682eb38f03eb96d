package io.ringtap.vhost.virtio;

import com.sun.management.ThreadMXBean;
import io.ringtap.sys.Memory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;

import static io.ringtap.vhost.virtio.RingFixture.BORDER;
import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.TABLES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The cycle of a ring allocates nothing, whatever the driver offers. */
class RingAllocationTest
{
    private static final int TURNS = 5_000;

    @ParameterizedTest
    @EnumSource
    void shouldAllocateNothingPerChain(final RingKind kind)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (RingFixture ring = new RingFixture(16, kind.features))
        {
            final DescriptorChain[] chains = DescriptorChain.batch(16);
            final UnsafeBuffer scratch = Memory.scratch(4096);
            final long[] addresses = {BUFFERS, BORDER - 20, 0};
            final int[] lengths = {12, 64, 1};
            cycle(ring, chains, scratch, addresses, lengths);
            final long before = threads.getCurrentThreadAllocatedBytes();
            final long empty = threads.getCurrentThreadAllocatedBytes() - before;
            final long start = threads.getCurrentThreadAllocatedBytes();
            cycle(ring, chains, scratch, addresses, lengths);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - start - empty;
            assertTrue(allocated < 1024, allocated + " bytes in " + TURNS + " turns");
        }
    }

    private static void cycle(
        final RingFixture ring, final DescriptorChain[] chains, final UnsafeBuffer scratch, final long[] addresses,
        final int[] lengths)
    {
        for (int turn = 0; turn < TURNS; turn++)
        {
            ring.driver.add(BUFFERS, 76, false);
            ring.driver.add(addresses, lengths, 2, 0);
            ring.driver.add(addresses, lengths, 2, 1);
            ring.driver.addIndirect(TABLES, addresses, lengths, 1, 1);
            ring.driver.publish();
            final int taken = ring.queue.take(chains, 16);
            assertEquals(4, taken);
            for (int i = 0; i < taken; i++)
            {
                final DescriptorChain chain = chains[i];
                if (!chain.isMalformed())
                {
                    final int length = chain.readable().copyIn(0, scratch, 0, chain.readable().length());
                    chain.writable().copyOut(0, scratch, 0, Math.min(length, chain.writable().length()));
                }
                ring.queue.complete(chain.ticket(), 0);
            }
            ring.queue.publish();
            ring.queue.arm();
            ring.queue.disarm();
            while (ring.driver.poll() >= 0)
            {
                ring.driver.usedLength();
            }
        }
    }
}
