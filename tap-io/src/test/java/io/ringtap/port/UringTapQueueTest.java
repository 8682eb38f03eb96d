package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How often a queue with a submission a batch enters the kernel. */
class UringTapQueueTest extends TapFixture
{
    @Override
    PortIo io()
    {
        return PortIo.URING;
    }

    @Test
    void shouldEnterTheKernelOnceABatch()
    {
        open(options());
        transmit(PortRig.BATCH);
        assertEquals(1, rig.count(PortCounter.TX_CALLS));
        transmit(2);
        assertEquals(2, rig.count(PortCounter.TX_CALLS));
        transmit(1);
        assertEquals(3, rig.count(PortCounter.TX_CALLS));
        assertEquals(PortRig.BATCH + 3, rig.count(PortCounter.TX_FRAMES));
    }

    @Test
    void shouldEnterTheKernelOnceAThresholdOfFrames()
    {
        open(options().flushThreshold(8));
        transmit(PortRig.BATCH);
        assertEquals(PortRig.BATCH / 8, rig.count(PortCounter.TX_CALLS));
        transmit(20);
        assertEquals(PortRig.BATCH / 8 + 3, rig.count(PortCounter.TX_CALLS));
    }

    @Test
    void shouldEnterTheKernelForEachFrameWhenTheThresholdIsOne()
    {
        open(options().flushThreshold(1));
        transmit(10);
        assertEquals(10, rig.count(PortCounter.TX_CALLS));
    }

    @Test
    void shouldNotEnterTheKernelWhileNothingComes()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            for (int round = 0; round < 3; round++)
            {
                drain();
                final long calls = rig.count(PortCounter.RX_CALLS);
                for (int i = 0; i < 10_000; i++)
                {
                    assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
                }
                assertEquals(calls, rig.count(PortCounter.RX_CALLS));
                assertTrue(rig.queue.armReceive());
                host.send(TestFrames.numbered(round, 60));
                assertFalse(rig.queue.armReceive(), "a sleeper would miss the frame");
                rig.receive();
                assertArrayEquals(TestFrames.numbered(round, 60), TestFrames.bytes(rig.batch, 0));
                rig.queue.release(rig.batch);
            }
        }
    }

    @Test
    void shouldReadManyFramesWithFewCalls()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            for (int i = 0; i < 400; i++)
            {
                host.send(TestFrames.numbered(i, 60));
            }
            for (int received = 0; received < 400;)
            {
                received += rig.receive();
                rig.queue.release(rig.batch);
            }
            // 2, 4, 8, 16, 32, then 64 at a time.
            assertTrue(rig.count(PortCounter.RX_CALLS) <= 12, rig::counts);
        }
    }

    @Test
    void shouldSayHowItCrossesToTheKernel()
    {
        open(options());
        assertTrue(((TapPort)rig.port).probe().toString().endsWith(", io_uring"));
        rig.close();
        open(options().io(PortIo.SYSCALL));
        assertTrue(((TapPort)rig.port).probe().toString().endsWith(", a system call a frame (as asked)"));
    }

    private void drain()
    {
        for (int i = 0; i < 5; i++)
        {
            rig.queue.receive(rig.batch, PortRig.BATCH);
            rig.queue.release(rig.batch);
        }
    }

    private void transmit(final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
        }
        assertEquals(frames, rig.queue.transmit(rig.batch));
        TestFrames.finish(rig.batch, rig.allocator);
    }
}
