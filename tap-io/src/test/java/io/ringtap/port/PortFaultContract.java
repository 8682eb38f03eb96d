package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicBoolean;

/** What holds for every port when its link, its device or its owner goes. */
abstract class PortFaultContract extends PortContractBase
{
    private static final int SECOND_NS = 1_000_000_000;

    @Test
    void shouldCarryOnAfterTheLinkWasDown()
    {
        open(MTU);
        for (int round = 0; round < 3; round++)
        {
            NetNamespace.run("ip", "link", "set", bed.device(), "down");
            add(round, 60);
            rig.transmitAll();
            rig.queue.receive(rig.batch, PortRig.BATCH);
            rig.queue.release(rig.batch);
            bed.up();
            if (rig.queue.isGone())
            {
                assertTrue(rig.queue.revive((round + 1L) * SECOND_NS));
            }
            try (PacketSocket host = new PacketSocket(bed.host(), false))
            {
                awaitTraffic(host);
                exchange(host, round);
            }
        }
    }

    /** The far end of a cable hears of the near one's return a while later, and drops frames until then. */
    private void awaitTraffic(final PacketSocket host)
    {
        final long deadline = System.nanoTime() + PATIENCE_NS;
        do
        {
            assertTrue(System.nanoTime() < deadline, rig::counts);
            host.trySend(TestFrames.numbered(0, 60));
        }
        while (0 == rig.queue.receive(rig.batch, PortRig.BATCH));
        do
        {
            rig.queue.release(rig.batch);
        }
        while (0 < rig.queue.receive(rig.batch, PortRig.BATCH));
    }

    @Test
    void shouldLiveWithoutItsDeviceAndTakeItUpAgain()
    {
        open(MTU);
        bed.lose();
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (!rig.queue.isGone())
        {
            assertTrue(System.nanoTime() < deadline, "the loss is not noticed: " + rig.counts());
            add(0, 60);
            rig.transmitAll();
            rig.queue.receive(rig.batch, PortRig.BATCH);
            rig.queue.release(rig.batch);
            rig.queue.armReceive();
        }
        assertEquals(-1, rig.queue.waitDescriptor());
        assertEquals(1, rig.count(PortCounter.DEVICE_GONE));
        final long lost = rig.count(PortCounter.TX_GONE);
        add(1, 60);
        rig.transmitAll();
        assertEquals(lost + 1, rig.count(PortCounter.TX_GONE));
        assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
        assertTrue(rig.queue.armReceive(), "a lost device keeps nobody awake");

        assertFalse(rig.queue.revive(0));
        bed.restore();
        assertFalse(rig.queue.revive(SECOND_NS - 1), "at most once a second");
        assertTrue(rig.queue.revive(SECOND_NS));
        assertEquals(1, rig.count(PortCounter.DEVICE_BACK));
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            exchange(host, 3);
            fallAsleep();
            host.send(TestFrames.numbered(4, 60));
            assertEquals(Poll.IN, Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 2_000) & Poll.IN);
        }
    }

    @Test
    void shouldWakeASleeperWhenItsDeviceGoes()
    {
        open(MTU);
        fallAsleep();
        bed.lose();
        assertTrue(0 != Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 2_000), "still asleep");
    }

    @Test
    void shouldCloseInTheMiddleOfTraffic() throws InterruptedException
    {
        for (int round = 0; round < 3; round++)
        {
            open(MTU);
            final PacketSocket host = new PacketSocket(bed.host(), false);
            final AtomicBoolean isRunning = new AtomicBoolean(true);
            final byte[] frame = TestFrames.numbered(round, 200);
            final Thread blaster = new Thread(() ->
            {
                while (isRunning.get())
                {
                    host.trySend(frame);
                }
            });
            blaster.start();
            try
            {
                for (int received = 0; received < 500;)
                {
                    received += rig.receive();
                    rig.queue.release(rig.batch);
                    TestFrames.add(rig.batch, rig.allocator, frame);
                    rig.transmitAll();
                }
                rig.receive();
                rig.close();
                rig = null;
            }
            finally
            {
                isRunning.set(false);
                blaster.join();
                host.close();
                bed.close();
            }
        }
    }
}
