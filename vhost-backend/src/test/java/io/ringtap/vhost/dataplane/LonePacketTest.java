package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Batches are made of what is there: nothing waits for company. Each test runs one cycle. */
class LonePacketTest
{
    private final Random random = new Random(11);

    @Test
    void shouldSendFlushReturnAndNotifyALoneFrameInOneCycle()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final byte[] frame = Frames.random(random, 60);
            final int id = w.send(frame);

            w.worker.doWork();

            assertEquals(1, w.port.sent.size());
            assertArrayEquals(frame, w.port.sent.get(0));
            assertEquals(1, w.port.flushes);
            assertEquals(id, w.transmit.poll());
            assertEquals(1, w.transmitCall.drain());
        }
    }

    @Test
    void shouldFlushALoneLongFrameThatIsSentFromGuestMemory()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final byte[] frame = Frames.random(random, 9014);
            final int id = w.send(frame);

            w.worker.doWork();

            assertArrayEquals(frame, w.port.sent.get(0));
            assertEquals(1, w.port.flushes);
            assertEquals(id, w.transmit.poll());
        }
    }

    @Test
    void shouldGiveTheGuestALoneFrameInOneCycle()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final byte[] frame = Frames.random(random, 60);
            final int at = w.lend(1526);
            w.lend(1526);
            w.port.arrive(frame);

            w.worker.doWork();

            assertTrue(0 <= w.receive.poll());
            assertArrayEquals(frame, w.read(at + WorkerFixture.HEADER, frame.length));
            assertEquals(1, w.receiveCall.drain());
        }
    }

    @Test
    void shouldNotWaitForMoreAfterALongBatch()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            for (int i = 0; i < BatchSize.USUAL; i++)
            {
                w.send(Frames.random(random, 60));
            }
            w.worker.doWork();
            assertEquals(BatchSize.USUAL, w.port.sent.size());
            final byte[] last = Frames.random(random, 60);
            w.send(last);

            w.worker.doWork();

            assertArrayEquals(last, w.port.sent.get(BatchSize.USUAL));
        }
    }
}
