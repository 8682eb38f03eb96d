package io.ringtap.vhost.dataplane;

import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.NamedHook;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Single frames and the times of their steps. */
class FrameTraceTest
{
    private final Random random = new Random(1);

    private record Seen(int direction, int length, FrameTrace.Fate fate, long[] steps, byte[] head)
    {
    }

    private static List<Seen> drain(final FrameTrace trace)
    {
        final List<Seen> all = new ArrayList<>();
        trace.drain((type, buffer, at, length) -> all.add(seen(buffer, at)), 1000);
        return all;
    }

    private static Seen seen(final DirectBuffer record, final int at)
    {
        final long[] steps = new long[FrameTrace.Step.values().length];
        for (int k = 0; k < steps.length; k++)
        {
            steps[k] = record.getLong(at + FrameTrace.STEPS + k * Long.BYTES);
        }
        final byte[] head = new byte[record.getInt(at + FrameTrace.HEAD_LENGTH)];
        record.getBytes(at + FrameTrace.HEAD, head);
        return new Seen(record.getInt(at + FrameTrace.DIRECTION), record.getInt(at + FrameTrace.LENGTH),
            FrameTrace.Fate.values()[record.getInt(at + FrameTrace.FATE)], steps, head);
    }

    @Test
    void shouldFollowOneOfSoManyFramesFromTheGuestThroughEveryStep()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final FrameTrace trace = new FrameTrace(3, 10, null);
            trace(w, trace);
            final List<byte[]> frames = new ArrayList<>();
            for (int i = 0; i < 35; i++)
            {
                frames.add(Frames.random(random, 100 + i));
                w.send(frames.get(i));
                w.work();
            }
            final List<Seen> all = drain(trace);
            assertEquals(3, all.size());
            for (int i = 0; i < 3; i++)
            {
                final Seen frame = all.get(i);
                assertEquals(FrameView.FROM_GUEST, frame.direction());
                assertEquals(109 + 10 * i, frame.length());
                assertEquals(FrameTrace.Fate.PASSED, frame.fate());
                assertArrayEquals(java.util.Arrays.copyOf(frames.get(9 + 10 * i), FrameTrace.MAX_HEAD), frame.head());
                for (int k = 1; k < frame.steps().length; k++)
                {
                    assertTrue(0 <= frame.steps()[k - 1] && frame.steps()[k - 1] <= frame.steps()[k],
                        "step " + k + " after the one before");
                }
            }
            trace(w, null);
            w.send(Frames.random(random, 100));
            w.work();
            assertEquals(List.of(), drain(trace));
        }
    }

    @Test
    void shouldFollowFramesToTheGuest()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final FrameTrace trace = new FrameTrace(2, 1, null);
            trace(w, trace);
            w.lend(1526);
            w.port.arrive(Frames.random(random, 321));
            w.send(Frames.random(random, 100));
            w.work();
            final List<Seen> all = drain(trace);
            assertEquals(1, all.size(), "frames from the guest were not asked for");
            assertEquals(FrameView.TO_GUEST, all.get(0).direction());
            assertEquals(321, all.get(0).length());
            assertTrue(all.get(0).steps()[FrameTrace.Step.DONE.ordinal()] >=
                all.get(0).steps()[FrameTrace.Step.SENT.ordinal()]);
        }
    }

    @Test
    void shouldSayWhatAHookStoppedAndCountWhatFoundNoRoom()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | NetFeatures.bit(NetFeatures.CSUM)))
        {
            w.guestHooks.replace(List.of(new NamedHook("all", (frame) -> io.ringtap.xdp.XdpVerdict.DROP)));
            final FrameTrace trace = new FrameTrace(1, 1, null);
            trace(w, trace);
            for (int i = 0; i < 2000; i++)
            {
                w.send(Frames.random(random, 100));
                w.work();
                w.transmit.poll();
            }
            final List<Seen> all = drain(trace);
            assertTrue(100 < all.size() && all.size() < 2000, all.size() + " found room");
            assertEquals(2000, all.size() + trace.missed());
            assertTrue(all.stream().allMatch((frame) -> FrameTrace.Fate.STOPPED == frame.fate()));
        }
    }

    private static void trace(final WorkerFixture w, final FrameTrace trace)
    {
        final Thread asker = new Thread(() -> w.worker.trace(trace));
        asker.start();
        while (asker.isAlive())
        {
            w.worker.doWork();
        }
    }
}
