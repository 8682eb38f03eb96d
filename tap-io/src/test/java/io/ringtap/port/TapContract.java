package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.Test;

/** What holds for a TAP whichever way frames cross to the kernel; the host's side is a packet socket. */
abstract class TapContract extends TapFixture
{
    @Test
    void shouldSendFramesInOrderAndWhole()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            final int frames = 500;
            int sent = 0;
            while (sent < frames)
            {
                for (int i = 0; i < PortRig.BATCH && sent < frames; i++, sent++)
                {
                    TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(sent, length(sent)));
                }
                final int first = sent - rig.batch.frames();
                rig.transmitAll();
                for (int i = first; i < sent; i++)
                {
                    assertArrayEquals(TestFrames.numbered(i, length(i)), host.receive(), "frame " + i);
                }
            }
            assertNull(host.poll(0), "more frames than were sent");
            assertEquals(frames, rig.count(PortCounter.TX_FRAMES));
            assertEquals(frames, rig.count(PortCounter.TX_PACKETS));
            assertEquals(bytes(frames), rig.count(PortCounter.TX_BYTES));
        }
    }

    @Test
    void shouldNotHoldALoneFrameForAThreshold()
    {
        open(options().flushThreshold(64));
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(1, 60));
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(1, 60), host.receive());
            assertEquals(1, rig.count(PortCounter.TX_CALLS));
        }
    }

    @Test
    void shouldReceiveFramesInOrderAndWhole()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            final int frames = 400;
            for (int i = 0; i < frames; i++)
            {
                host.send(TestFrames.numbered(i, length(i)));
            }
            int received = 0;
            while (received < frames)
            {
                final int n = rig.receive();
                for (int i = 0; i < n; i++, received++)
                {
                    assertArrayEquals(
                        TestFrames.numbered(received, length(received)), TestFrames.bytes(rig.batch, i));
                    assertEquals(FrameLayout.HEADROOM, rig.batch.offset(i) - rig.batch.slot(i));
                    assertEquals(0, rig.arena.buffer().getLong(rig.batch.netHeader(i)), "net header");
                    assertEquals(0, rig.arena.buffer().getInt(rig.batch.netHeader(i) + 8), "net header");
                }
                rig.queue.release(rig.batch);
            }
            assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
            assertEquals(frames, rig.count(PortCounter.RX_FRAMES));
            assertEquals(bytes(frames), rig.count(PortCounter.RX_BYTES));
        }
    }

    @Test
    void shouldReceiveNoMoreThanTheLimit()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            for (int i = 0; i < 10; i++)
            {
                host.send(TestFrames.numbered(i, 100));
            }
            int received = 0;
            while (received < 10)
            {
                assertTrue(rig.queue.receive(rig.batch, 3) <= 3);
                for (int i = 0; i < rig.batch.frames(); i++, received++)
                {
                    assertArrayEquals(TestFrames.numbered(received, 100), TestFrames.bytes(rig.batch, i));
                }
                rig.queue.release(rig.batch);
            }
        }
    }

    @Test
    void shouldSendSuperFramesFromSegmentsAmongSmallFrames()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, true);
            Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            final byte[] big = TestFrames.superFrame(65_000);
            final byte[] header = TestFrames.superHeader(FrameLayout.NET_HEADER, 1448);
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(0, 60));
            final int i =
                TestFrames.addSegmented(rig.batch, rig.allocator, header, big, 54, tail, 4096);
            rig.batch.packets(i, 45);
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(1, 60));
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(0, 60), PacketSocket.withoutNetHeader(host.receive()));
            assertArrayEquals(big, PacketSocket.withoutNetHeader(host.receive()));
            assertArrayEquals(TestFrames.numbered(1, 60), PacketSocket.withoutNetHeader(host.receive()));
            assertEquals(3, rig.count(PortCounter.TX_FRAMES));
            assertEquals(47, rig.count(PortCounter.TX_PACKETS));
        }
    }

    @Test
    void shouldReceiveSuperFramesWhole()
    {
        open(options());
        assertEquals(Offloads.ALL, rig.port.receiveOffloads(Offloads.ALL));
        try (PacketSocket host = new PacketSocket(NAME, true))
        {
            final int[] payloads = {65_000, 10, 20_000, 1_740, 1_738, 1_739};
            for (final int payload : payloads)
            {
                host.send(TestFrames.join(
                    TestFrames.superHeader(PacketSocket.NET_HEADER, 1448), TestFrames.superFrame(payload)));
            }
            int received = 0;
            while (received < payloads.length)
            {
                final int n = rig.receive();
                for (int i = 0; i < n; i++, received++)
                {
                    final int payload = payloads[received];
                    assertArrayEquals(TestFrames.superFrame(payload), TestFrames.bytes(rig.batch, i));
                    if (payload > 1448)
                    {
                        assertEquals(1, rig.arena.buffer().getByte(rig.batch.netHeader(i) + 1), "GSO type");
                        assertEquals(1448, rig.arena.buffer().getShort(rig.batch.netHeader(i) + 4), "GSO size");
                    }
                }
                rig.queue.release(rig.batch);
            }
        }
    }

    @Test
    void shouldGetSegmentsInsteadOfSuperFramesAfterOffloadsWereTakenBack()
    {
        open(options());
        rig.port.receiveOffloads(Offloads.ALL);
        try (PacketSocket host = new PacketSocket(NAME, true))
        {
            final byte[] big =
                TestFrames.join(TestFrames.superHeader(PacketSocket.NET_HEADER, 1448), TestFrames.superFrame(20_000));
            host.send(big);
            // The super-frame already lies in the host's queue and must come whole.
            assertEquals(Offloads.NONE, rig.port.receiveOffloads(Offloads.NONE));
            rig.receive();
            assertEquals(20_054, rig.batch.length(0));
            rig.queue.release(rig.batch);
            assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
            host.send(big);
            int payload = 0;
            while (payload < 20_000)
            {
                for (int i = rig.receive() - 1; i >= 0; i--)
                {
                    assertTrue(rig.batch.length(i) <= 1514, () -> "length " + rig.batch.length(0));
                    assertEquals(0, rig.batch.segments(i));
                    payload += rig.batch.length(i) - 54;
                }
                rig.queue.release(rig.batch);
            }
            assertEquals(20_000, payload);
            assertEquals(Offloads.ALL, rig.port.receiveOffloads(Offloads.ALL));
            host.send(big);
            rig.receive();
            assertEquals(20_054, rig.batch.length(0));
            assertEquals(0, rig.count(PortCounter.RX_TRUNCATED));
        }
    }

    @Test
    void shouldReceiveJumboFramesInOneFragment()
    {
        open(options().mtu(9000));
        assertEquals(9000, rig.port.mtu());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            host.send(TestFrames.numbered(1, 9014));
            rig.receive();
            assertArrayEquals(TestFrames.numbered(1, 9014), TestFrames.bytes(rig.batch, 0));
            assertEquals(0, rig.batch.segments(0));
        }
    }

    @Test
    void shouldFollowAnMtuThatAnAdministratorRaised()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false); Interfaces interfaces = Interfaces.open())
        {
            interfaces.mtu(NAME, 4000);
            host.send(TestFrames.numbered(1, 4014));
            host.send(TestFrames.numbered(2, 60));
            rig.receive();
            // The kernel cut the first one: it is dropped, and its coming told us of the new MTU.
            assertArrayEquals(TestFrames.numbered(2, 60), TestFrames.bytes(rig.batch, rig.batch.frames() - 1));
            assertEquals(1, rig.count(PortCounter.RX_TRUNCATED));
            rig.queue.release(rig.batch);
            host.send(TestFrames.numbered(3, 4014));
            rig.receive();
            assertArrayEquals(TestFrames.numbered(3, 4014), TestFrames.bytes(rig.batch, 0));
            assertEquals(4000, rig.port.mtu());
        }
    }

    @Test
    void shouldWakeASleeperWhenAFrameComes()
    {
        open(options());
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            while (rig.queue.receive(rig.batch, PortRig.BATCH) > 0)
            {
                rig.queue.release(rig.batch);
            }
            assertTrue(rig.queue.armReceive());
            assertEquals(0, Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 0));
            host.send(TestFrames.numbered(1, 60));
            assertEquals(Poll.IN, Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 2_000) & Poll.IN);
            assertEquals(1, rig.receive());
            rig.queue.release(rig.batch);
            assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
            assertTrue(rig.queue.armReceive());
            assertEquals(0, Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 0));
        }
    }

    @Test
    void shouldKeepNobodyAwakeWhileDetached()
    {
        open(options().queues(2));
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
        }
        rig.queue.attach(false);
        assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
        assertEquals(-1, rig.queue.waitDescriptor());
        assertTrue(rig.queue.armReceive());
        rig.queue.attach(true);
        rig.port.queue(1).attach(false);
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            host.send(TestFrames.numbered(1, 60));
            rig.receive();
            assertArrayEquals(TestFrames.numbered(1, 60), TestFrames.bytes(rig.batch, 0));
            rig.queue.release(rig.batch);
        }
        assertEquals(0, rig.count(PortCounter.DEVICE_GONE));
    }

    @Test
    void shouldPauseWithoutLossWhenFragmentsRunOut()
    {
        rig = new PortRig(1, (arena, allocator) -> TapPort.open(options(), arena.buffer(), (i) -> allocator));
        rig.port.carrier(true);
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            for (int i = 0; i < 40; i++)
            {
                host.send(TestFrames.numbered(i, 60));
            }
            int received = 0;
            while (received < 40)
            {
                final int n = rig.receive();
                assertTrue(n <= 16);
                for (int i = 0; i < n; i++, received++)
                {
                    assertArrayEquals(TestFrames.numbered(received, 60), TestFrames.bytes(rig.batch, i));
                }
                rig.queue.release(rig.batch);
            }
            assertTrue(rig.count(PortCounter.RX_NO_FRAGMENT) > 0);
        }
    }

    @Test
    void shouldShowTheSessionAsCarrier()
    {
        rig = PortRig.tap(options());
        assertFalse(NetNamespace.run("ip", "link", "show", NAME).contains("LOWER_UP"));
        rig.port.carrier(true);
        assertTrue(NetNamespace.run("ip", "link", "show", NAME).contains("LOWER_UP"));
        rig.port.carrier(false);
        assertFalse(NetNamespace.run("ip", "link", "show", NAME).contains("LOWER_UP"));
    }

    private static int length(final int number)
    {
        return 18 + number * 37 % 1497;
    }

    private static long bytes(final int frames)
    {
        long sum = 0;
        for (int i = 0; i < frames; i++)
        {
            sum += length(i);
        }
        return sum;
    }
}
