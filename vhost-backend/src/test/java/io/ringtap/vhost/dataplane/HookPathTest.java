package io.ringtap.vhost.dataplane;

import io.ringtap.flow.Checksum;
import io.ringtap.flow.Offloads;
import io.ringtap.flow.VnetHeader;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.XdpHook;
import io.ringtap.xdp.XdpVerdict;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What hooks see of frames with offloads, and what is on the wire after they changed them. */
class HookPathTest
{
    private static final int FRAMES = 40;
    private static final int PAYLOAD = 1400;
    private static final int DESTINATION = 30;
    private static final int UDP = 34;
    private static final int UDP_CHECKSUM = 40;

    private final Random random = new Random(11);
    private final List<Integer> seen = new ArrayList<>();
    private boolean isChange;
    private boolean isWhole;

    private NamedHook hook(final ToIntFunction<FrameView> judge)
    {
        return new NamedHook("test", new XdpHook()
        {
            @Override
            public int onFrame(final FrameView frame)
            {
                seen.add(frame.length());
                return judge.applyAsInt(frame);
            }

            @Override
            public boolean changesFrames()
            {
                return isChange;
            }

            @Override
            public boolean needsWholeFrames()
            {
                return isWhole;
            }
        });
    }

    /** Another destination, and the checksums by the difference, as programs do it (RFC 1624). */
    private static int translate(final FrameView frame)
    {
        final UnsafeBuffer buffer = frame.buffer();
        final int at = frame.offset();
        for (int word = DESTINATION; word < DESTINATION + 4; word += 2)
        {
            final int old = buffer.getShort(at + word, BIG_ENDIAN) & 0xffff;
            adjust(buffer, at + 24, old, 0x0a0b);
            adjust(buffer, at + UDP_CHECKSUM, old, 0x0a0b);
            buffer.putShort(at + word, (short)0x0a0b, BIG_ENDIAN);
        }
        return XdpVerdict.PASS;
    }

    private static void adjust(final UnsafeBuffer buffer, final int field, final int from, final int to)
    {
        int sum = (~buffer.getShort(field, BIG_ENDIAN) & 0xffff) + (~from & 0xffff) + to;
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        buffer.putShort(field, (short)~sum, BIG_ENDIAN);
    }

    private static void assertSound(final byte[] frame)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        assertEquals(Checksum.SOUND, Checksum.fold(Checksum.sum(buffer, 14, 20)), "IP header");
        assertTrue(Checksum.isSound(buffer, UDP, frame.length - UDP,
            Checksum.pseudoV4(buffer, 14, 17, frame.length - UDP)), "UDP checksum");
    }

    /** A frame of the guest whose checksum is only begun. */
    private static byte[] begin(final byte[] frame, final byte[] header)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        buffer.putShort(UDP_CHECKSUM, (short)0);
        final long pseudo = Checksum.pseudoV4(buffer, 14, 17, frame.length - UDP);
        buffer.putShort(UDP_CHECKSUM, (short)Checksum.fold(pseudo));
        VnetHeader.partial(new UnsafeBuffer(header), 0, UDP, VnetHeader.UDP_CSUM_OFFSET);
        return frame;
    }

    private byte[] bytes(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = { 20, 1400, 5000 })
    void shouldCompleteBegunChecksumsForHooksThatChangeFrames(final int length)
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            isChange = true;
            w.guestHooks.replace(List.of(hook(HookPathTest::translate)));
            final byte[] header = new byte[WorkerFixture.HEADER];
            final byte[] frame = begin(Frames.udp(4000, 1, bytes(length)), header);
            w.send(header, frame);
            w.work();
            assertEquals(List.of(frame.length), seen);
            assertArrayEquals(new byte[WorkerFixture.HEADER], w.port.sentHeaders.get(0));
            assertEquals(0x0a0b0a0b, new UnsafeBuffer(w.port.sent.get(0)).getInt(DESTINATION, BIG_ENDIAN));
            assertSound(w.port.sent.get(0));
            assertEquals(1, w.count(WorkerCounter.HOOK_COMPLETED));
            assertEquals(1, w.count(WorkerCounter.HOOK_PASSED));
        }
    }

    @Test
    void shouldLeaveOffloadsToReadersAndShowThemWholeFramesWhenTheyWant()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            w.guestHooks.replace(List.of(hook((frame) -> XdpVerdict.PASS)));
            final byte[] header = new byte[WorkerFixture.HEADER];
            final byte[] frame = begin(Frames.udp(4000, 1, bytes(5000)), header);
            w.send(header, frame);
            w.work();
            isWhole = true;
            w.send(header, frame);
            w.work();
            assertTrue(seen.get(0) < frame.length, "a reader that takes parts got all");
            assertEquals(frame.length, seen.get(1));
            for (int i = 0; i < 2; i++)
            {
                assertArrayEquals(frame, w.port.sent.get(i));
                assertArrayEquals(header, w.port.sentHeaders.get(i));
            }
            assertEquals(1, w.count(WorkerCounter.HOOK_WHOLE));
            assertEquals(0, w.count(WorkerCounter.HOOK_COMPLETED));
        }
    }

    @Test
    void shouldCutSuperFramesForHooksThatChangeThemAndKeepTheirOrder()
    {
        try (WorkerFixture sender = new WorkerFixture(WorkerFixture.OFFLOADS);
            WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS, Offloads.NONE))
        {
            isChange = true;
            w.guestHooks.replace(List.of(hook(HookPathTest::translate)));
            final List<byte[]> frames = superFrames(sender);
            // More than go over at once, and plain frames in between.
            final int rounds = 9;
            for (int round = 0; round < rounds; round++)
            {
                w.send(sender.port.sentHeaders.get(0), sender.port.sent.get(0));
                w.send(Frames.udp(4000, 9999, new byte[] { (byte)round }));
            }
            w.work();
            assertEquals(rounds * (FRAMES + 1), w.port.sent.size());
            assertEquals(rounds, w.count(WorkerCounter.HOOK_CUT));
            for (int i = 0; i < w.port.sent.size(); i++)
            {
                final byte[] got = w.port.sent.get(i);
                assertSound(got);
                assertEquals(0x0a0b0a0b, new UnsafeBuffer(got).getInt(DESTINATION, BIG_ENDIAN));
                final int place = i % (FRAMES + 1);
                if (FRAMES == place)
                {
                    assertEquals(i / (FRAMES + 1), got[42]);
                }
                else
                {
                    assertArrayEquals(payload(frames.get(place)), payload(got), "frame " + i);
                }
            }
        }
    }

    @Test
    void shouldCutSuperFramesOnTheirWayToTheGuest()
    {
        try (WorkerFixture sender = new WorkerFixture(WorkerFixture.OFFLOADS);
            WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            isChange = true;
            w.hostHooks.replace(List.of(hook(HookPathTest::translate)));
            final List<byte[]> frames = superFrames(sender);
            w.port.arrive(sender.port.sent.get(0), sender.port.sentHeaders.get(0));
            for (int i = 0; i < FRAMES; i++)
            {
                // One buffer at a time: the rest waits in between.
                final int at = w.lend(1526);
                w.work();
                final byte[] got = w.read(at + WorkerFixture.HEADER, frames.get(i).length);
                assertSound(got);
                assertArrayEquals(payload(frames.get(i)), payload(got), "frame " + i);
            }
            assertEquals(FRAMES, w.count(WorkerCounter.HOOK_PASSED));
        }
    }

    @Test
    void shouldDropFramesWithOffloadsThatAReaderChangedAndThenTreatItAsWhatItIs()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            w.guestHooks.replace(List.of(hook((frame) ->
            {
                isChange = true;
                return translate(frame);
            })));
            final byte[] header = new byte[WorkerFixture.HEADER];
            final byte[] frame = begin(Frames.udp(4000, 1, bytes(100)), header);
            w.send(header, frame);
            w.send(Frames.udp(4001, 1, bytes(100)));
            w.work();
            assertEquals(1, w.port.sent.size(), "the plain frame alone goes on");
            assertEquals(1, w.count(WorkerCounter.DROP_EDIT));
            w.send(header, frame);
            w.work();
            assertSound(w.port.sent.get(0));
            assertSound(w.port.sent.get(1));
        }
    }

    @Test
    void shouldNotFollowAReaderThatMovesAFramesStart()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            w.guestHooks.replace(List.of(hook((frame) ->
                frame.adjustHead(-4) ? XdpVerdict.PASS : XdpVerdict.ABORTED)));
            final byte[] header = new byte[WorkerFixture.HEADER];
            final byte[] begun = begin(Frames.udp(4000, 1, bytes(100)), header);
            final byte[] plain = Frames.udp(4001, 1, bytes(100));
            w.send(header, begun);
            w.send(plain);
            w.work();
            assertEquals(0, w.count(WorkerCounter.DROP_EDIT));
            assertArrayEquals(begun, w.port.sent.get(0));
            assertArrayEquals(header, w.port.sentHeaders.get(0));
            assertArrayEquals(plain, w.port.sent.get(1));
        }
    }

    @Test
    void shouldRedirectToTheOtherSideToOtherPortsAndNowhere()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.guestHooks.replace(List.of(hook((frame) ->
            {
                final int target = frame.buffer().getByte(frame.offset() + 42);
                if (0 < target)
                {
                    frame.redirect(target);
                }
                return XdpVerdict.REDIRECT;
            })));
            for (final int target : new int[] { WorkerFixture.PORT_NUMBER, WorkerFixture.OTHER_PORT_NUMBER, 99, 0 })
            {
                w.send(Frames.udp(4000, 1, new byte[] { (byte)target }));
            }
            w.work();
            assertEquals(1, w.port.sent.size());
            assertEquals(WorkerFixture.PORT_NUMBER, w.port.sent.get(0)[42]);
            assertEquals(1, w.exchanged.size());
            assertEquals(WorkerFixture.OTHER_PORT_NUMBER, w.exchanged.get(0)[42]);
            assertEquals(4, w.count(WorkerCounter.HOOK_REDIRECTED));
            assertEquals(2, w.count(WorkerCounter.DROP_REDIRECT));
        }
    }

    @Test
    void shouldTurnRoundEveryPacketOfASuperFrame()
    {
        try (WorkerFixture sender = new WorkerFixture(WorkerFixture.OFFLOADS);
            WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS, Offloads.NONE))
        {
            isChange = true;
            w.hostHooks.replace(List.of(hook((frame) -> XdpVerdict.TX)));
            superFrames(sender);
            final int rounds = 4;
            for (int i = 0; i < rounds; i++)
            {
                w.port.arrive(sender.port.sent.get(0), sender.port.sentHeaders.get(0));
            }
            w.work();
            assertEquals(rounds * FRAMES, w.port.sent.size());
            assertEquals(rounds * FRAMES, w.count(WorkerCounter.REFLECTED));
            assertEquals(0, w.count(WorkerCounter.DROP_REFLECT));
            w.port.sent.forEach(HookPathTest::assertSound);
        }
    }

    @Test
    void shouldDropWhatWaitsOfACutBatchWhenTheRingStops()
    {
        try (WorkerFixture sender = new WorkerFixture(WorkerFixture.OFFLOADS);
            WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS, Offloads.NONE))
        {
            isChange = true;
            w.guestHooks.replace(List.of(hook((frame) -> XdpVerdict.PASS)));
            superFrames(sender);
            w.port.room = 10;
            for (int i = 0; i < 8; i++)
            {
                w.send(sender.port.sentHeaders.get(0), sender.port.sent.get(0));
            }
            w.work();
            assertEquals(10, w.port.sent.size());
            w.worker.guestToPort().settle();
            w.port.room = 1000;
            w.send(Frames.udp(4000, 1, new byte[] { 7 }));
            w.work();
            assertEquals(11, w.port.sent.size());
            assertEquals(7, w.port.sent.get(10)[42]);
        }
    }

    /** One super-frame in the sender's port, made of these frames. */
    private List<byte[]> superFrames(final WorkerFixture sender)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++)
        {
            frames.add(Frames.udp(4000, 100 + i, bytes(PAYLOAD)));
            sender.send(frames.get(i));
        }
        sender.work();
        assertEquals(1, sender.port.sent.size());
        return frames;
    }

    private static byte[] payload(final byte[] frame)
    {
        final byte[] payload = new byte[frame.length - 42];
        System.arraycopy(frame, 42, payload, 0, payload.length);
        return payload;
    }
}
