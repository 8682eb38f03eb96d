package io.ringtap.flow;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nothing is allocated on the Java heap for a frame, whatever happens to it. */
class FlowAllocationTest
{
    private static final int ROUNDS = 2000;

    private final BatchFixture fixture = new BatchFixture();
    private final int[] slots = new int[64];
    private final byte[][] frames = new byte[64][];

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldNotAllocateForSmallDatagrams()
    {
        measure(TestFrame.udp(18), 2);
    }

    @Test
    void shouldNotAllocateForDatagramsThatOutgrowTheirSlot()
    {
        measure(TestFrame.udp(200), 1);
    }

    @Test
    void shouldNotAllocateForTcpSegments()
    {
        measure(TestFrame.tcp(1400), 4);
    }

    private void measure(final TestFrame first, final int flows)
    {
        TestFrame frame = first;
        for (int i = 0; i < 64; i += flows)
        {
            for (int f = 0; f < flows; f++)
            {
                frame.sourcePort = 1000 + f;
                frames[i + f] = frame.bytes();
            }
            frame = frame.next();
        }
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        run(ROUNDS);
        final long before = threads.getCurrentThreadAllocatedBytes();
        run(ROUNDS);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < ROUNDS, allocated + " bytes in " + ROUNDS + " batches of 64 frames");
    }

    private void run(final int rounds)
    {
        final FrameBatch batch = fixture.batch;
        for (int n = 0; n < rounds; n++)
        {
            final int count = fixture.fragments.allocate(FrameLayout.SMALL_SLOT, 64, slots);
            for (int i = 0; i < count; i++)
            {
                final int offset = slots[i] + FrameLayout.HEADROOM;
                fixture.buffer.putBytes(offset, frames[i]);
                VnetHeader.clear(fixture.buffer, offset - VnetHeader.LENGTH);
                batch.add(slots[i], FrameLayout.SMALL_SLOT, offset, frames[i].length, 0);
            }
            fixture.sorter.sort(batch);
            fixture.coalescer.coalesce(batch, Offloads.ALL);
            for (int k = 0; k < batch.readyCount(); k++)
            {
                fixture.segmenter.segment(batch, batch.ready(k), fixture.plain, Offloads.NONE);
            }
            fixture.plain.release(fixture.fragments);
            batch.release(fixture.fragments);
        }
    }
}
