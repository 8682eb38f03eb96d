package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What packet rings do that other ports do not: thresholds, super-frames beside the ring, VLAN tags, refusals. */
class PacketRingPortTest extends PacketFixture
{
    @Test
    void shouldFlushOncePerThreshold()
    {
        open(options().flushThreshold(8));
        final int batches = 32;
        for (int b = 0; b < batches; b++)
        {
            for (int i = 0; i < PortRig.BATCH; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
            }
            rig.transmitAll();
        }
        final int frames = batches * PortRig.BATCH;
        assertEquals(frames, rig.count(PortCounter.TX_FRAMES));
        assertEquals(frames / 8, rig.count(PortCounter.TX_CALLS), rig::counts);
        assertEquals(0, rig.count(PortCounter.TX_UNSENT_BYTES));
    }

    @Test
    void shouldFlushWhatIsLeftOfABatch()
    {
        open(options().flushThreshold(64));
        try (PacketSocket host = new PacketSocket(FAR, false))
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(1, 60));
            rig.queue.transmit(rig.batch);
            assertTrue(rig.batch.isDrained());
            assertEquals(0, rig.count(PortCounter.TX_CALLS));
            rig.queue.flush();
            assertArrayEquals(TestFrames.numbered(1, 60), host.receive());
            rig.queue.flush();
            assertEquals(1, rig.count(PortCounter.TX_CALLS), "a flush of nothing");
        }
    }

    @Test
    void shouldCarrySuperFramesOfAnySizeInOrder()
    {
        for (final int netHeader : new int[]{FrameLayout.NET_HEADER, PacketSockets.SHORT_HEADER})
        {
            open(options().netHeader(netHeader));
            assertEquals(Offloads.ALL & ~Offloads.UFO, rig.port.transmitOffloads());
            try (PacketSocket host = new PacketSocket(FAR, true); Mapping tail = Mapping.anonymous(1 << 17, "tail"))
            {
                final int[] payloads = {1_000, 65_000, 400, 20_000, 1_400};
                for (int i = 0; i < payloads.length; i++)
                {
                    final byte[] frame = TestFrames.superFrame(payloads[i]);
                    final byte[] header = TestFrames.superHeader(FrameLayout.NET_HEADER, 100);
                    final int linear = Math.min(frame.length, FrameLayout.SMALL_FRAME - 100);
                    final int added =
                        TestFrames.addSegmented(rig.batch, rig.allocator, header, frame, linear, tail, 32_768);
                    rig.batch.packets(added, payloads[i] / 100);
                    rig.transmitAll();
                    final byte[] got = host.receive();
                    assertArrayEquals(frame, PacketSocket.withoutNetHeader(got));
                    assertEquals(1, got[1], "GSO type");
                    assertEquals(100, ByteBuffer.wrap(got).order(ByteOrder.LITTLE_ENDIAN).getShort(4), "GSO size");
                }
                assertEquals(Arrays.stream(payloads).sum() / 100, rig.count(PortCounter.TX_PACKETS));
                assertEquals(payloads.length, rig.count(PortCounter.TX_FRAMES));
                receiveSuperFrames(host);
            }
            close();
        }
    }

    private void receiveSuperFrames(final PacketSocket host)
    {
        final int[] payloads = {65_000, 10, 20_000, 1_740, 1_738, 1_739};
        for (final int payload : payloads)
        {
            host.send(join(TestFrames.superHeader(PacketSocket.NET_HEADER, 1448), TestFrames.superFrame(payload)));
        }
        for (int received = 0; received < payloads.length;)
        {
            final int n = rig.receive();
            for (int i = 0; i < n; i++, received++)
            {
                assertArrayEquals(TestFrames.superFrame(payloads[received]), TestFrames.bytes(rig.batch, i));
                final int header = rig.batch.netHeader(i);
                assertEquals(1, rig.arena.buffer().getByte(header), "a begun checksum");
                assertEquals(34, rig.arena.buffer().getShort(header + 6), "csum_start");
                assertEquals(16, rig.arena.buffer().getShort(header + 8), "csum_offset");
                assertEquals(0, rig.arena.buffer().getShort(header + 10), "num_buffers");
                if (payloads[received] > 1448)
                {
                    assertEquals(1, rig.arena.buffer().getByte(rig.batch.netHeader(i) + 1), "GSO type");
                    assertEquals(1448, rig.arena.buffer().getShort(rig.batch.netHeader(i) + 4), "GSO size");
                }
            }
            rig.queue.release(rig.batch);
        }
    }

    @Test
    void shouldCutSuperFramesThatTheDeviceDoesNotTake()
    {
        NetNamespace.run("ethtool", "-K", NEAR, "tso", "off");
        open(options());
        assertEquals(0, rig.port.transmitOffloads() & Offloads.TSO4);
        try (PacketSocket host = new PacketSocket(FAR, true); Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(1, 60));
            TestFrames.addSegmented(rig.batch, rig.allocator, TestFrames.superHeader(FrameLayout.NET_HEADER, 1000),
                TestFrames.superFrame(20_000), 54, tail, 32_768);
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(2, 60));
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(1, 60), PacketSocket.withoutNetHeader(host.receive()));
            for (int i = 0; i < 20; i++)
            {
                final byte[] packet = PacketSocket.withoutNetHeader(host.receive());
                assertEquals(1054, packet.length);
                assertArrayEquals(Arrays.copyOfRange(TestFrames.superFrame(20_000), 54 + 1000 * i, 1054 + 1000 * i),
                    Arrays.copyOfRange(packet, 54, 1054));
            }
            assertArrayEquals(TestFrames.numbered(2, 60), PacketSocket.withoutNetHeader(host.receive()));
            assertEquals(1, rig.count(PortCounter.TX_SEGMENTED));
            assertEquals(22, rig.count(PortCounter.TX_FRAMES));
        }
    }

    @Test
    void shouldPassOverFramesThatTheKernelWouldRefuseAndCountThem()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(FAR, false); Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            for (int i = 0; i < 20; i++)
            {
                final int frame = TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
                if (i % 4 == 1)
                {
                    rig.arena.buffer().putByte(rig.batch.netHeader(frame) + 1, (byte)0x33);
                }
            }
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(20, 60));
            rig.batch.linear(20, rig.batch.offset(20), 13);
            TestFrames.addSegmented(rig.batch, rig.allocator, new byte[FrameLayout.NET_HEADER],
                new byte[FrameLayout.MAX_FRAME + 1], 60, tail, 32_768);
            TestFrames.addSegmented(rig.batch, rig.allocator, new byte[FrameLayout.NET_HEADER],
                new byte[1523], 60, tail, 32_768);
            rig.transmitAll();
            for (int i = 0; i < 20; i++)
            {
                if (i % 4 != 1)
                {
                    assertArrayEquals(TestFrames.numbered(i, 60), host.receive());
                }
            }
            assertEquals(5, rig.count(PortCounter.TX_REJECTED));
            assertEquals(1, rig.count(PortCounter.TX_RUNT));
            assertEquals(2, rig.count(PortCounter.TX_TOO_LONG));
            assertEquals(15, rig.count(PortCounter.TX_FRAMES));
            assertEquals(0, rig.count(PortCounter.TX_UNSENT_BYTES));
        }
    }

    @Test
    void shouldLoseOnlyTheFrameWhoseMemoryWasTakenAway()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(FAR, false))
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
    void shouldGiveTheGuestItsVlanTagBack()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(FAR, false))
        {
            final byte[] frame = TestFrames.numbered(1, 100);
            frame[12] = (byte)0x81;
            frame[13] = 0;
            frame[14] = 0x20;
            frame[15] = 0x2a;
            frame[16] = (byte)0x88;
            frame[17] = (byte)0xb5;
            host.send(frame);
            rig.receive();
            assertArrayEquals(frame, TestFrames.bytes(rig.batch, 0));
            assertEquals(0, rig.arena.buffer().getLong(rig.batch.netHeader(0)), "net header");
            rig.queue.release(rig.batch);
            TestFrames.add(rig.batch, rig.allocator, frame);
            rig.transmitAll();
            assertArrayEquals(Arrays.copyOf(frame, 12), Arrays.copyOf(host.receive(), 12));
        }
    }

    @Test
    void shouldNotWaitForALinkThatIsNotThere()
    {
        open(options());
        NetNamespace.run("ip", "link", "set", FAR, "down");
        for (int round = 0; round < 20; round++)
        {
            for (int i = 0; i < PortRig.BATCH; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
            }
            rig.transmitAll();
        }
        assertFalse(rig.queue.isHolding());
        assertEquals(20 * PortRig.BATCH, rig.count(PortCounter.TX_LINK_DOWN), rig::counts);
    }

    @Test
    void shouldSpreadFlowsOverAttachedQueuesOnly()
    {
        open(options().queues(2));
        final PortQueue second = rig.port.queue(1);
        try (PacketSocket host = new PacketSocket(FAR, false))
        {
            sendFlows(host);
            assertTrue(drain(rig.queue) > 0);
            assertTrue(drain(second) > 0);
            assertEquals(FLOWS, count(rig.queue) + count(second));
            final int watched = second.waitDescriptor();
            second.attach(false);
            assertEquals(-1, second.waitDescriptor());
            sendFlows(host);
            assertEquals(FLOWS, drain(rig.queue));
            assertEquals(0, drain(second));
            second.attach(true);
            assertEquals(watched, second.waitDescriptor(), "who waits for it need not be told");
            assertEquals(0, Syscalls.poll(watched, Poll.IN, 0));
            sendFlows(host);
            assertEquals(Poll.IN, Syscalls.poll(watched, Poll.IN, 0));
            assertTrue(drain(second) > 0);
        }
    }

    private static long count(final PortQueue queue)
    {
        return queue.counters().get(PortCounter.RX_FRAMES);
    }

    private static final int FLOWS = 64;

    private static void sendFlows(final PacketSocket host)
    {
        for (int flow = 0; flow < FLOWS; flow++)
        {
            final byte[] frame = TestFrames.superFrame(100);
            ByteBuffer.wrap(frame).putInt(26, 0xc612_0900 + flow).putShort(34, (short)(2000 + flow));
            host.send(frame);
        }
    }

    private int drain(final PortQueue queue)
    {
        int frames = 0;
        for (int n = queue.receive(rig.batch, PortRig.BATCH); n > 0; n = queue.receive(rig.batch, PortRig.BATCH))
        {
            frames += n;
            queue.release(rig.batch);
        }
        return frames;
    }

    @Test
    void shouldCountWhatTheKernelDropped()
    {
        open(options().receiveSlots(64));
        try (PacketSocket host = new PacketSocket(FAR, false))
        {
            final int sent = 500;
            for (int i = 0; i < sent; i++)
            {
                host.send(TestFrames.numbered(i, 60));
            }
            final int came = drain(rig.queue);
            host.send(TestFrames.numbered(0, 60));
            assertEquals(1, drain(rig.queue));
            assertEquals(sent - came, rig.count(PortCounter.RX_DROPPED));
        }
    }

    @Test
    void shouldNotSeeWhatTheHostSends()
    {
        open(options());
        try (PacketSocket own = new PacketSocket(NEAR, false); PacketSocket host = new PacketSocket(FAR, false))
        {
            own.send(TestFrames.numbered(1, 60));
            host.receive();
            host.send(TestFrames.numbered(2, 60));
            assertEquals(1, rig.receive());
            assertArrayEquals(TestFrames.numbered(2, 60), TestFrames.bytes(rig.batch, 0));
        }
    }

    @Test
    void shouldLeaveTheInterfaceAsItWasFound()
    {
        NetNamespace.run("ip", "link", "set", NEAR, "down");
        open(options().mtu(3000));
        assertEquals(3000, rig.port.mtu());
        assertTrue(NetNamespace.run("ip", "link", "show", NEAR).contains("UP"));
        assertTrue(((PacketRingPort)rig.port).probe().toString().startsWith(NEAR + ": 1 queue, offloads csum,tso4"));
        close();
        final String shown = NetNamespace.run("ip", "link", "show", NEAR);
        assertTrue(shown.contains("mtu 1500") && !shown.contains("UP"), shown);
    }

    @Test
    void shouldSayWhatIsWrongInOneLine()
    {
        final PortException error =
            assertThrows(PortException.class, () -> PortRig.packet(options().name("rtnone")));
        assertEquals("--packet=rtnone: there is no such interface; make it first, or choose one that 'ip link' shows",
            error.getMessage());
    }
}
