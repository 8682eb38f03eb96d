package io.ringtap.vhost.dataplane;

import io.ringtap.flow.VnetHeader;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What sorting, merging and cutting make of a batch between its two ends. */
class FrameMergeTest
{
    private static final int FLOWS = 2;
    private static final int FRAMES_PER_FLOW = 8;
    private static final int PAYLOAD = 22;
    private static final int HEADERS = 42;
    private final Random random = new Random(11);

    @Test
    void shouldSendInterleavedFlowsAsOneSuperFrameEach()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final List<byte[]> frames = interleaved();
            frames.forEach(w::send);
            w.work();
            assertEquals(FLOWS, w.port.sent.size());
            assertEquals(frames.size() - FLOWS, w.count(WorkerCounter.GUEST_MERGED));
            for (int flow = 0; flow < FLOWS; flow++)
            {
                final UnsafeBuffer header = new UnsafeBuffer(w.port.sentHeaders.get(flow));
                assertEquals(VnetHeader.GSO_UDP_L4, VnetHeader.gsoType(header, 0));
                assertEquals(PAYLOAD, VnetHeader.gsoSize(header, 0));
                assertArrayEquals(payloads(frames, flow), payload(w.port.sent.get(flow)));
            }
        }
    }

    @Test
    void shouldGiveGuestOneSuperFrameForRunOfFlow()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final int at = w.lend(4096);
            final List<byte[]> frames = interleaved();
            for (int i = 0; i < frames.size(); i += FLOWS)
            {
                w.port.arrive(frames.get(i));
            }
            w.work();
            assertEquals(FRAMES_PER_FLOW - 1, w.count(WorkerCounter.HOST_MERGED));
            assertEquals(VnetHeader.GSO_UDP_L4, VnetHeader.gsoType(w.guest, at));
            assertTrue(0 <= w.receive.poll());
            final int length = w.receive.usedLength() - WorkerFixture.HEADER;
            assertArrayEquals(payloads(frames, 0), payload(w.read(at + WorkerFixture.HEADER, length)));
        }
    }

    @Test
    @Tag("virtio.GUEST_TSO4")
    @Tag("virtio.GUEST_CSUM")
    void shouldCutSuperFrameThatGuestDidNotNegotiate()
    {
        try (WorkerFixture sender = new WorkerFixture(WorkerFixture.OFFLOADS);
            WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final List<byte[]> frames = interleaved();
            frames.forEach(sender::send);
            sender.work();
            final int[] at = new int[FRAMES_PER_FLOW];
            Arrays.setAll(at, (i) -> w.lend(1526));
            w.port.arrive(sender.port.sent.get(1), sender.port.sentHeaders.get(1));
            w.work();
            for (int i = 0; i < FRAMES_PER_FLOW; i++)
            {
                final byte[] expected = frames.get(i * FLOWS + 1);
                assertEquals(0, VnetHeader.flags(w.guest, at[i]));
                assertEquals(0, VnetHeader.gsoType(w.guest, at[i]));
                assertArrayEquals(expected, w.read(at[i] + WorkerFixture.HEADER, expected.length), "segment " + i);
            }
        }
    }

    @Test
    void shouldKeepCutFramesUntilGuestHasBuffers()
    {
        try (WorkerFixture sender = new WorkerFixture(WorkerFixture.OFFLOADS);
            WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final List<byte[]> frames = interleaved();
            frames.forEach(sender::send);
            sender.work();
            w.port.arrive(sender.port.sent.get(0), sender.port.sentHeaders.get(0));
            for (int i = 0; i < FRAMES_PER_FLOW; i++)
            {
                final int at = w.lend(1526);
                w.work();
                final byte[] expected = frames.get(i * FLOWS);
                assertArrayEquals(expected, w.read(at + WorkerFixture.HEADER, expected.length), "segment " + i);
            }
        }
    }

    private List<byte[]> interleaved()
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < FLOWS * FRAMES_PER_FLOW; i++)
        {
            final byte[] bytes = new byte[PAYLOAD];
            random.nextBytes(bytes);
            frames.add(Frames.udp(4000 + i % FLOWS, 100 + i / FLOWS, bytes));
        }
        return frames;
    }

    private static byte[] payloads(final List<byte[]> frames, final int flow)
    {
        byte[] all = new byte[0];
        for (int i = flow; i < frames.size(); i += FLOWS)
        {
            all = WorkerFixture.join(all, payload(frames.get(i)));
        }
        return all;
    }

    private static byte[] payload(final byte[] frame)
    {
        return Arrays.copyOfRange(frame, HEADERS, frame.length);
    }
}
