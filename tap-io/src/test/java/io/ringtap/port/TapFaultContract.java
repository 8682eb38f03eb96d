package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.FrameLayout;
import io.ringtap.sys.Mapping;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicBoolean;

/** What a TAP does when something is wrong: one bad frame costs one frame, a lost device costs its traffic. */
abstract class TapFaultContract extends TapFixture
{
    private static final int SECOND_NS = 1_000_000_000;

    @Test
    void shouldPassOverFramesThatTheKernelRefuses()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            for (int i = 0; i < 20; i++)
            {
                final int frame = TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
                if (i % 4 == 1)
                {
                    rig.arena.buffer().putByte(rig.batch.netHeader(frame) + 1, (byte)0x33);
                }
            }
            rig.transmitAll();
            for (int i = 0; i < 20; i++)
            {
                if (i % 4 != 1)
                {
                    assertArrayEquals(TestFrames.numbered(i, 60), host.receive());
                }
            }
            assertEquals(5, rig.count(PortCounter.TX_REJECTED));
            assertEquals(15, rig.count(PortCounter.TX_FRAMES));
            assertEquals(15 * 60, rig.count(PortCounter.TX_BYTES));
        }
    }

    @Test
    void shouldRefuseRuntsAndGiantsItself()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false); Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(0, 13 + 5));
            rig.batch.linear(0, rig.batch.offset(0), 13);
            TestFrames.addSegmented(rig.batch, rig.allocator, new byte[FrameLayout.NET_HEADER],
                new byte[FrameLayout.MAX_FRAME + 1], 60, tail, 32_768);
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(2, 14));
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(2, 14), host.receive());
            assertEquals(1, rig.count(PortCounter.TX_RUNT));
            assertEquals(1, rig.count(PortCounter.TX_TOO_LONG));
            assertEquals(1, rig.count(PortCounter.TX_FRAMES));
        }
    }

    @Test
    void shouldLoseOnlyTheFrameWhoseMemoryWasTakenAway()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            final Mapping tail = Mapping.anonymous(1 << 16, "tail");
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(0, 60));
            TestFrames.addSegmented(rig.batch, rig.allocator, new byte[FrameLayout.NET_HEADER],
                TestFrames.numbered(1, 1000), 60, tail, 4096);
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(2, 60));
            tail.close();
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(0, 60), host.receive());
            assertArrayEquals(TestFrames.numbered(2, 60), host.receive());
            assertEquals(1, rig.count(PortCounter.TX_FAULT));
        }
    }

    @Test
    void shouldCountFramesThatAnInterfaceThatIsDownLoses()
    {
        open(options());
        NetNamespace.run("ip", "link", "set", NAME, "down");
        for (int i = 0; i < 3; i++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
        }
        rig.transmitAll();
        assertEquals(3, rig.count(PortCounter.TX_LINK_DOWN));
        NetNamespace.run("ip", "link", "set", NAME, "up");
        TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(3, 60));
        rig.transmitAll();
        assertEquals(1, rig.count(PortCounter.TX_FRAMES));
    }

    @Test
    void shouldKeepFramesThatTheHostHoldsBack()
    {
        // Frames leave through a bridge over a slow link, and what waits there is charged to the TAP's send buffer.
        open(options().sendBuffer(8192));
        NetNamespace.run("ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0");
        NetNamespace.run("ip", "link", "add", "slow", "type", "veth", "peer", "name", "far");
        NetNamespace.run("tc", "qdisc", "add", "dev", "slow", "root", "tbf",
            "rate", "2mbit", "burst", "2000", "limit", "1000000");
        for (final String name : new String[]{NAME, "slow"})
        {
            NetNamespace.run("ip", "link", "set", name, "master", "br0");
        }
        for (final String name : new String[]{"br0", "slow", "far"})
        {
            NetNamespace.run("ip", "link", "set", name, "up");
        }
        NetNamespace.awaitForwarding(NAME);
        NetNamespace.awaitForwarding("slow");
        try (PacketSocket host = new PacketSocket("far", false))
        {
            for (int i = 0; i < PortRig.BATCH; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 1000));
            }
            rig.queue.transmit(rig.batch);
            assertFalse(rig.batch.isDrained());
            assertTrue(rig.count(PortCounter.TX_HELD_BACK) > 0);
            rig.transmitAll();
            assertEquals(PortRig.BATCH, rig.count(PortCounter.TX_FRAMES));
            final boolean[] seen = new boolean[PortRig.BATCH];
            for (int i = 0; i < PortRig.BATCH; i++)
            {
                seen[number(host.receive())] = true;
            }
            for (int i = 0; i < PortRig.BATCH; i++)
            {
                assertTrue(seen[i], "frame " + i);
            }
        }
        finally
        {
            NetNamespace.run("ip", "link", "del", "br0");
            NetNamespace.run("ip", "link", "del", "slow");
        }
    }

    @Test
    void shouldLiveWithoutItsDeviceAndTakeItUpAgain()
    {
        open(options().mtu(1400));
        NetNamespace.run("ip", "link", "del", NAME);
        for (int i = 0; i < 5; i++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
        }
        rig.transmitAll();
        assertTrue(rig.queue.isGone());
        assertEquals(-1, rig.queue.waitDescriptor());
        assertEquals(5, rig.count(PortCounter.TX_GONE));
        assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
        assertEquals(1, rig.count(PortCounter.DEVICE_GONE));

        // Somebody else's interface of that name is in the way at first.
        NetNamespace.run("ip", "link", "add", NAME, "type", "veth", "peer", "name", "other");
        assertFalse(rig.queue.revive(0));
        NetNamespace.run("ip", "link", "del", NAME);
        assertFalse(rig.queue.revive(SECOND_NS - 1), "at most once a second");
        assertTrue(rig.queue.revive(SECOND_NS));
        assertEquals(1, rig.count(PortCounter.DEVICE_BACK));
        assertTrue(rig.queue.waitDescriptor() >= 0);
        assertTrue(NetNamespace.run("ip", "link", "show", NAME).contains("mtu 1400"));
        sendAndReceive();
    }

    @Test
    void shouldNoticeWhileReceivingThatTheDeviceIsGone()
    {
        open(options());
        NetNamespace.run("ip", "link", "del", NAME);
        for (int i = 0; i < 3 && !rig.queue.isGone(); i++)
        {
            assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
        }
        assertTrue(rig.queue.isGone());
        assertTrue(rig.queue.armReceive(), "a lost device keeps nobody awake");
        assertTrue(rig.queue.revive(0));
        sendAndReceive();
    }

    @Test
    void shouldCloseInTheMiddleOfTraffic() throws InterruptedException
    {
        for (int round = 0; round < 3; round++)
        {
            open(options());
            final PacketSocket host = new PacketSocket(NAME, false);
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
            }
        }
    }

    private void sendAndReceive()
    {
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(1, 60));
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(1, 60), host.receive());
            host.send(TestFrames.numbered(2, 60));
            rig.receive();
            assertArrayEquals(TestFrames.numbered(2, 60), TestFrames.bytes(rig.batch, 0));
        }
    }

    private static int number(final byte[] frame)
    {
        final int number = frame[TestFrames.ETHERNET + 3];
        assertArrayEquals(TestFrames.numbered(number, frame.length), frame);
        return number;
    }
}
