package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker may rely on with every port, whether a kernel is behind it or nobody. */
abstract class QueueContract
{
    static final int MTU = 1500;

    PortRig rig;

    /** Opens {@link #rig}, whose port passes frames of {@link #MTU} on and has none to give. */
    abstract void begin();

    @AfterEach
    final void end()
    {
        if (null != rig)
        {
            rig.close();
        }
    }

    @Test
    void shouldTakeAndCountEveryFrameOnce()
    {
        begin();
        final int frames = 3 * PortRig.BATCH + 1;
        long bytes = 0;
        for (int sent = 0; sent < frames;)
        {
            for (int i = 0; i < PortRig.BATCH && sent < frames; i++, sent++)
            {
                final int length = 60 + sent * 37 % 1455;
                add(sent, length);
                bytes += length;
            }
            rig.transmitAll();
        }
        assertEquals(frames, rig.count(PortCounter.TX_FRAMES), rig::counts);
        assertEquals(frames, rig.count(PortCounter.TX_PACKETS), rig::counts);
        assertEquals(bytes, rig.count(PortCounter.TX_BYTES), rig::counts);
    }

    @Test
    void shouldTakeBatchesOfNothingForNothing()
    {
        begin();
        assertEquals(0, rig.queue.transmit(rig.batch));
        rig.queue.flush();
        assertTrue(rig.batch.isDrained());
        assertEquals(0, rig.count(PortCounter.TX_CALLS), rig::counts);
        assertEquals(0, rig.count(PortCounter.TX_FRAMES), rig::counts);
    }

    @Test
    void shouldEndWithFramesThatNobodyFlushed()
    {
        begin();
        for (int i = 0; i < PortRig.BATCH; i++)
        {
            add(i, 200);
        }
        while (!rig.batch.isDrained())
        {
            rig.queue.transmit(rig.batch);
        }
        // The rig looks for fragments when it is closed.
        TestFrames.finish(rig.batch, rig.allocator);
    }

    @Test
    void shouldSayWhatItIs()
    {
        begin();
        assertEquals(MTU, rig.port.mtu());
        assertEquals(1, rig.port.queueCount());
        final int can = rig.port.supportedReceiveOffloads();
        assertEquals(rig.port.receiveOffloads(can), rig.port.receiveOffloads(can), "asked twice");
        assertEquals(0, rig.port.receiveOffloads(can) & ~can, "more than it can");
        assertEquals(0, rig.port.receiveOffloads(0), "more than was wanted");
    }

    final void add(final int number, final int length)
    {
        TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(number, length));
    }
}
