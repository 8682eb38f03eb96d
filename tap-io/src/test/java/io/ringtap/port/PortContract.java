package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.Checksum;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.flow.Segmenter;
import io.ringtap.flow.VnetHeader;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

/**
 * What holds for every port that leads to a kernel, whichever it is. A port joins with a {@link PortBed} and a class of
 * a few lines.
 */
abstract class PortContract extends PortFaultContract
{
    private static final int PAYLOAD = 14_480;
    private static final int TRANSPORT = TestFrames.ETHERNET + 20;
    private static final int HEADERS = TRANSPORT + 20;

    @Test
    void shouldSendFramesOfAnyLengthInOrderAndWhole()
    {
        open(MTU);
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            final int frames = 500;
            for (int sent = 0; sent < frames;)
            {
                final int first = sent;
                for (int i = 0; i < PortRig.BATCH && sent < frames; i++, sent++)
                {
                    add(sent, length(sent));
                }
                rig.transmitAll();
                for (int i = first; i < sent; i++)
                {
                    assertArrayEquals(TestFrames.numbered(i, length(i)), host.receive(), "frame " + i);
                }
            }
            assertEquals(frames, rig.count(PortCounter.TX_FRAMES));
            assertEquals(frames, rig.count(PortCounter.TX_PACKETS));
        }
    }

    @Test
    void shouldReceiveFramesOfAnyLengthInOrderAndWhole()
    {
        open(MTU);
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            final int frames = 500;
            for (int received = 0, sent = 0; received < frames;)
            {
                for (int i = 0; i < 100 && sent < frames; i++, sent++)
                {
                    host.send(TestFrames.numbered(sent, length(sent)));
                }
                while (received < sent)
                {
                    final int n = rig.receive();
                    for (int i = 0; i < n; i++, received++)
                    {
                        assertArrayEquals(
                            TestFrames.numbered(received, length(received)), TestFrames.bytes(rig.batch, i));
                        assertEquals(0, rig.arena.buffer().getLong(rig.batch.netHeader(i)), "net header");
                        assertEquals(0, rig.arena.buffer().getInt(rig.batch.netHeader(i) + 8), "net header");
                        assertTrue(rig.batch.offset(i) - rig.batch.slot(i) >= FrameLayout.HEADROOM, "headroom");
                    }
                    rig.queue.release(rig.batch);
                }
            }
            assertEquals(frames, rig.count(PortCounter.RX_FRAMES));
        }
    }

    @Test
    void shouldCarryJumboFramesAndFramesFromForeignMemory()
    {
        open(9000);
        try (PacketSocket host = new PacketSocket(bed.host(), false);
            Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            final int[] lengths = {9014, 60, 4096, 1792, 1793, 8000, 9014};
            for (int i = 0; i < lengths.length; i++)
            {
                final byte[] frame = TestFrames.numbered(i, lengths[i]);
                TestFrames.addSegmented(rig.batch, rig.allocator, new byte[FrameLayout.NET_HEADER], frame,
                    Math.min(frame.length - 10, 1792 - 64), tail, 4096);
                rig.transmitAll();
                assertArrayEquals(frame, host.receive(), "frame " + i);
            }
            for (int i = 0; i < lengths.length; i++)
            {
                final byte[] frame = TestFrames.numbered(i, lengths[i]);
                host.send(frame);
                assertEquals(1, rig.receive());
                assertArrayEquals(frame, TestFrames.bytes(rig.batch, 0));
                rig.queue.release(rig.batch);
            }
        }
    }

    @Test
    void shouldSendASuperFrameOrItsSegments()
    {
        open(MTU);
        try (PacketSocket host = new PacketSocket(bed.host(), true); Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            final byte[] big = TestFrames.superFrame(PAYLOAD);
            final int i = TestFrames.addSegmented(rig.batch, rig.allocator,
                TestFrames.superHeader(FrameLayout.NET_HEADER, 1448), big, 54, tail, 4096);
            final int offloads = rig.port.transmitOffloads();
            if (VnetHeader.fits(rig.arena.buffer(), rig.batch.netHeader(i), offloads))
            {
                rig.transmitAll();
            }
            else
            {
                final FrameBatch plain = new FrameBatch(rig.arena.buffer(), PortRig.BATCH, PortRig.BATCH);
                assertEquals(10, new Segmenter(rig.allocator).segment(rig.batch, i, plain, offloads));
                while (!plain.isDrained())
                {
                    rig.queue.transmit(plain);
                }
                plain.release(rig.allocator);
                plain.close();
                TestFrames.finish(rig.batch, rig.allocator);
            }
            for (int payload = 0; payload < PAYLOAD;)
            {
                final byte[] frame = host.receive();
                payload = judge(big, payload, frame[0], frame[1], PacketSocket.withoutNetHeader(frame));
            }
        }
    }

    @Test
    void shouldReceiveASuperFrameOrItsSegments()
    {
        open(MTU);
        if (!bed.receivesSuperFrames())
        {
            return;
        }
        rig.port.receiveOffloads(Offloads.ALL);
        try (PacketSocket host = new PacketSocket(bed.host(), true))
        {
            final byte[] big = TestFrames.superFrame(PAYLOAD);
            host.send(TestFrames.join(TestFrames.superHeader(PacketSocket.NET_HEADER, 1448), big));
            for (int payload = 0; payload < PAYLOAD;)
            {
                final int n = rig.receive();
                for (int i = 0; i < n; i++)
                {
                    final int header = rig.batch.netHeader(i);
                    payload = judge(big, payload, rig.arena.buffer().getByte(header),
                        rig.arena.buffer().getByte(header + 1), TestFrames.bytes(rig.batch, i));
                }
                rig.queue.release(rig.batch);
            }
        }
    }

    @Test
    void shouldLoseNothingWhileTheHostHoldsBack()
    {
        open(MTU);
        final long before = received(bed.host());
        final int batches = 200;
        for (int b = 0; b < batches; b++)
        {
            for (int i = 0; i < PortRig.BATCH; i++)
            {
                add(i, 1000);
            }
            rig.transmitAll();
        }
        final long frames = (long)batches * PortRig.BATCH;
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (received(bed.host()) - before < frames && System.nanoTime() < deadline)
        {
            rig.queue.flush();
        }
        assertEquals(frames, received(bed.host()) - before, rig::counts);
        assertEquals(frames, rig.count(PortCounter.TX_FRAMES));
    }

    @Test
    void shouldReceiveAfterItWasTooLateForSomeFrames()
    {
        open(MTU);
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            for (int i = 0; i < 20_000; i++)
            {
                host.trySend(TestFrames.numbered(i, 60));
            }
            int last = -1;
            while (0 < rig.queue.receive(rig.batch, PortRig.BATCH))
            {
                for (int i = 0; i < rig.batch.frames(); i++)
                {
                    final int number = TestFrames.number(rig.batch, i);
                    assertTrue(number > last, "frame " + number + " after " + last);
                    last = number;
                }
                rig.queue.release(rig.batch);
            }
            assertTrue(last >= 0);
            exchange(host, 7);
        }
    }

    @Test
    void shouldWakeASleeperWhenAFrameComes()
    {
        open(MTU);
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            for (int round = 0; round < 3; round++)
            {
                // A queue that sends much may have stopped listening meanwhile.
                for (int i = 0; i < round * PortRig.BATCH / 2; i++)
                {
                    add(i, 60);
                }
                rig.transmitAll();
                fallAsleep();
                assertEquals(0, Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 0));
                host.send(TestFrames.numbered(round, 60));
                assertEquals(Poll.IN, Syscalls.poll(rig.queue.waitDescriptor(), Poll.IN, 2_000) & Poll.IN);
                assertEquals(1, rig.receive());
                rig.queue.release(rig.batch);
            }
        }
    }

    @Test
    void shouldNeedFewSystemCalls()
    {
        open(MTU);
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            final int frames = 16 * PortRig.BATCH;
            for (int sent = 0; sent < frames; sent += PortRig.BATCH)
            {
                for (int i = 0; i < PortRig.BATCH; i++)
                {
                    add(i, 60);
                }
                rig.transmitAll();
            }
            assertTrue(rig.count(PortCounter.TX_CALLS) <= bed.mostCalls(frames), rig::counts);
            final int come = 256;
            for (int i = 0; i < come; i++)
            {
                host.send(TestFrames.numbered(i, 60));
            }
            for (int received = 0; received < come;)
            {
                received += rig.receive();
                rig.queue.release(rig.batch);
            }
            assertTrue(rig.count(PortCounter.RX_CALLS) <= bed.mostCalls(come), rig::counts);
        }
    }

    @Test
    void shouldFollowAnMtuThatAnAdministratorRaised()
    {
        open(MTU);
        bed.mtu(4000);
        try (PacketSocket host = new PacketSocket(bed.host(), false))
        {
            final byte[] frame = TestFrames.numbered(1, 4014);
            final long deadline = System.nanoTime() + PATIENCE_NS;
            boolean hasCome = false;
            // A frame that came too early may be cut, and is then dropped and counted.
            while (!hasCome)
            {
                assertTrue(System.nanoTime() < deadline, rig::counts);
                host.send(frame);
                host.send(TestFrames.numbered(2, 60));
                rig.receive();
                hasCome = frame.length == rig.batch.length(0);
                if (hasCome)
                {
                    assertArrayEquals(frame, TestFrames.bytes(rig.batch, 0));
                }
                rig.queue.release(rig.batch);
            }
            assertEquals(4000, rig.port.mtu());
        }
    }

    /** A part of the super-frame: its payload is next, and its checksum is sound or said to be begun. */
    private static int judge(
        final byte[] whole, final int payload, final int flags, final int gsoType, final byte[] frame)
    {
        final int length = frame.length - HEADERS;
        assertArrayEquals(Arrays.copyOfRange(whole, HEADERS + payload, HEADERS + payload + length),
            Arrays.copyOfRange(frame, HEADERS, frame.length), "payload at " + payload);
        if (0 == (flags & VnetHeader.NEEDS_CSUM))
        {
            assertEquals(VnetHeader.GSO_NONE, gsoType);
            final UnsafeBuffer buffer = new UnsafeBuffer(frame);
            final int transport = frame.length - TRANSPORT;
            assertTrue(Checksum.isSound(buffer, TRANSPORT, transport,
                Checksum.pseudoV4(buffer, TestFrames.ETHERNET, 6, transport)), "checksum at " + payload);
        }
        return payload + length;
    }

    private static long received(final String device)
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            assertTrue(interfaces.exists(device));
        }
        for (final String line : NetNamespace.run("cat", "/proc/thread-self/net/dev").split("\n"))
        {
            if (line.strip().startsWith(device + ":"))
            {
                final String[] columns = line.substring(line.indexOf(':') + 1).strip().split(" +");
                // Frames for nobody are dropped behind the packet socket, or counted as dropped by the device.
                return Long.parseLong(columns[1]);
            }
        }
        throw new AssertionError(device + " has no counters");
    }

    private static int length(final int number)
    {
        return 60 + number * 37 % 1455;
    }
}
