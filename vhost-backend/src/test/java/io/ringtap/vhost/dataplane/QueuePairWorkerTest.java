package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.VnetHeader;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.Virtqueue;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.XdpVerdict;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One worker by hand: what the driver and the port see of each frame. */
class QueuePairWorkerTest
{
    private final Random random = new Random(7);

    @ParameterizedTest
    @ValueSource(ints = { 14, 60, 1514, 1792, 1793, 9014, 65535 })
    @Tag("virtio.ANY_LAYOUT")
    void shouldCarryFrameFromGuestToPortUnchanged(final int length)
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final byte[] frame = Frames.random(random, length);
            final int id = w.send(frame);
            w.work();
            assertEquals(1, w.port.sent.size());
            assertArrayEquals(frame, w.port.sent.get(0));
            assertEquals(id, w.transmit.poll());
            assertEquals(0, w.transmit.usedLength());
            assertEquals(1, w.transmitCall.drain());
            assertEquals(length <= FrameLayout.SMALL_FRAME ? 1 : 0, w.count(WorkerCounter.SMALL_PATH));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = { 14, 60, 1514, 9014, 65535 })
    void shouldCarryFrameFromPortToGuestUnchanged(final int length)
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final byte[] frame = Frames.random(random, length);
            final int at = w.lend(WorkerFixture.HEADER + length);
            w.port.arrive(frame);
            w.work();
            assertTrue(0 <= w.receive.poll());
            assertEquals(WorkerFixture.HEADER + length, w.receive.usedLength());
            assertArrayEquals(frame, w.read(at + WorkerFixture.HEADER, length));
            assertEquals(1, w.guest.getShort(at + VnetHeader.NUM_BUFFERS_OFFSET));
            assertEquals(1, w.receiveCall.drain());
        }
    }

    @Test
    @Tag("message.SET_VRING_CALL")
    void shouldTellNewCallDescriptorOfRunningRingWhatWasToldToTheOldOne()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC); EventFd late = EventFd.create())
        {
            w.lend(WorkerFixture.HEADER + 60);
            w.port.arrive(Frames.random(random, 60));
            w.work();

            w.worker.receiveRing().call(Fd.of(Syscalls.dup(late.number()).release()));

            assertEquals(1, late.drain());
        }
    }

    @Test
    void shouldTellDriverWhenRingGoesOnWhereAnotherBackendLeftIt()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.lend(WorkerFixture.HEADER + 60);
            w.port.arrive(Frames.random(random, 60));
            w.work();
            w.receiveCall.drain();
            final int base = w.worker.receiveRing().stop(true);
            assertEquals(1, base);

            w.worker.receiveRing().start(w.setup(0, w.receive, base), w.memory);

            assertEquals(1, w.receiveCall.drain());
        }
    }

    @Test
    @Tag("virtio.MRG_RXBUF")
    void shouldSpreadLongFrameOverMergeableBuffers()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final byte[] frame = Frames.random(random, 9014);
            final int[] at = new int[7];
            for (int i = 0; i < at.length; i++)
            {
                at[i] = w.lend(1526);
            }
            w.port.arrive(frame);
            w.work();
            assertEquals(6, w.guest.getShort(at[0] + VnetHeader.NUM_BUFFERS_OFFSET));
            byte[] got = new byte[0];
            for (int i = 0; i < 6; i++)
            {
                assertTrue(0 <= w.receive.poll());
                got = WorkerFixture.join(got, w.read(at[i], w.receive.usedLength()));
            }
            assertTrue(w.receive.poll() < 0);
            assertArrayEquals(frame, Arrays.copyOfRange(got, WorkerFixture.HEADER, got.length));
        }
    }

    @Test
    void shouldKeepFramesWhileGuestHasNoBuffers()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final byte[] frame = Frames.random(random, 100);
            w.port.arrive(frame);
            w.work();
            assertEquals(1, w.count(WorkerCounter.RECEIVE_STARVED));
            final int at = w.lend(1526);
            w.work();
            assertArrayEquals(frame, w.read(at + WorkerFixture.HEADER, frame.length));
        }
    }

    @Test
    void shouldGiveBackSoManyBadBuffersATurnAndKeepTheFrame()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            for (int i = 0; i < WorkerFixture.SIZE; i++)
            {
                w.receive.add(0, 1526, true);
            }
            w.receive.publish();
            final byte[] frame = Frames.random(random, 100);
            w.port.arrive(frame);
            w.worker.doWork();
            assertEquals(Virtqueue.MOST_WALKED / 64 + 1, w.count(WorkerCounter.DROP_CHAIN));
            w.worker.doWork();
            assertEquals(WorkerFixture.SIZE, w.count(WorkerCounter.DROP_CHAIN));
            while (0 <= w.receive.poll())
            {
                assertEquals(0, w.receive.usedLength());
            }
            final int at = w.lend(1526);
            w.workRested();
            assertArrayEquals(frame, w.read(at + WorkerFixture.HEADER, frame.length));
        }
    }

    @Test
    void shouldDropFrameThatIsLongerThanBuffersAllow()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC & ~NetFeatures.bit(
            NetFeatures.MRG_RXBUF)))
        {
            final int at = w.lend(1526);
            final byte[] small = Frames.random(random, 100);
            w.port.arrive(Frames.random(random, 2000));
            w.port.arrive(small);
            w.work();
            assertEquals(1, w.count(WorkerCounter.DROP_TOO_BIG));
            assertArrayEquals(small, w.read(at + WorkerFixture.HEADER, small.length));
        }
    }

    @Test
    void shouldPublishAndNotifyOnceForBatch()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            for (int i = 0; i < 50; i++)
            {
                w.send(Frames.random(random, 60));
            }
            w.work();
            assertEquals(50, w.port.sent.size());
            assertEquals(1, w.count(WorkerCounter.NOTIFIED));
            assertEquals(1, w.port.transmits);
        }
    }

    @Test
    void shouldKeepFramesThatPortHoldsBackAndSendThemLater()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final byte[] first = Frames.random(random, 60);
            final byte[] second = Frames.random(random, 4000);
            w.port.room = 1;
            w.send(first);
            final int id = w.send(second);
            w.work();
            assertEquals(1, w.port.sent.size());
            assertTrue(w.transmit.poll() < 0, "a chain whose frame is still in guest memory came back");
            w.port.room = 10;
            w.worker.doWork();
            assertArrayEquals(second, w.port.sent.get(1));
            w.transmit.poll();
            assertEquals(id, w.transmit.poll());
        }
    }

    @Test
    void shouldDropShortFramesAndGiveTheirChainsBack()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.send(new byte[0], new byte[5]);
            w.send(new byte[13]);
            w.send(new byte[14]);
            w.work();
            assertEquals(1, w.count(WorkerCounter.DROP_CHAIN));
            assertEquals(1, w.count(WorkerCounter.DROP_SHORT));
            assertEquals(1, w.port.sent.size());
            assertEquals(3, pollAll(w));
        }
    }

    @Test
    void shouldDropNetHeaderThatWasNotNegotiated()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            final byte[] header = new byte[WorkerFixture.HEADER];
            header[0] = VnetHeader.NEEDS_CSUM;
            w.send(header, Frames.random(random, 60));
            w.work();
            assertEquals(1, w.count(WorkerCounter.DROP_NET_HEADER));
            assertEquals(0, w.port.sent.size());
            assertEquals(1, pollAll(w));
        }
    }

    @Test
    void shouldDiscardGuestFramesWhileRingIsDisabled()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.worker.transmitRing().enable(false);
            w.send(Frames.random(random, 60));
            w.work();
            assertEquals(1, w.count(WorkerCounter.DROP_DISABLED));
            assertEquals(0, w.port.sent.size());
            assertEquals(1, pollAll(w));
        }
    }

    @Test
    void shouldGiveNothingToDisabledReceiveRing()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.worker.receiveRing().enable(false);
            w.lend(1526);
            w.port.arrive(Frames.random(random, 60));
            w.work();
            assertTrue(w.receive.poll() < 0);
            assertEquals(1, w.port.arriving.size());
        }
    }

    @Test
    void shouldObeyVerdictsInBothDirections()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.guestHooks.replace(List.of(new NamedHook("by length", (frame) ->
                frame.length() == 60 ? XdpVerdict.DROP : frame.length() == 61 ? XdpVerdict.TX : XdpVerdict.PASS)));
            w.hostHooks.replace(List.of(new NamedHook("cut", (frame) ->
            {
                frame.adjustHead(4);
                return frame.totalLength() == 96 ? XdpVerdict.TX : XdpVerdict.PASS;
            })));
            final int[] at = { w.lend(1526), w.lend(1526) };
            final byte[] reflected = Frames.random(random, 61);
            final byte[] passed = Frames.random(random, 62);
            w.send(Frames.random(random, 60));
            w.send(reflected);
            w.send(passed);
            w.work();
            assertArrayEquals(passed, w.port.sent.get(0));
            assertArrayEquals(reflected, w.read(at[0] + WorkerFixture.HEADER, 61));
            assertEquals(1, w.count(WorkerCounter.DROP_HOOK));
            final byte[] bounced = Frames.random(random, 100);
            final byte[] cut = Frames.random(random, 200);
            w.port.arrive(bounced);
            w.port.arrive(cut);
            w.work();
            assertArrayEquals(Arrays.copyOfRange(bounced, 4, 100), w.port.sent.get(1));
            assertArrayEquals(Arrays.copyOfRange(cut, 4, 200), w.read(at[1] + WorkerFixture.HEADER, 196));
        }
    }

    @Test
    void shouldSendFrameThatHookGrewOverItsNetHeaderBehindAnEmptyOne()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            w.guestHooks.replace(List.of(new NamedHook("grow", (frame) ->
            {
                assertTrue(frame.adjustHead(-8));
                frame.buffer().setMemory(frame.offset(), 8, (byte)0x7f);
                return XdpVerdict.PASS;
            })));
            final byte[] frame = Frames.random(random, 60);
            w.send(frame);
            w.work();
            assertArrayEquals(new byte[WorkerFixture.HEADER], w.port.sentHeaders.get(0));
            assertArrayEquals(frame, Arrays.copyOfRange(w.port.sent.get(0), 8, 68));
        }
    }

    @Test
    @Tag("message.SET_VRING_ERR")
    void shouldStopRingThatIsBrokenAndTellFrontend()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC);
            EventFd error = EventFd.create())
        {
            w.worker.transmitRing().error(Fd.of(
                Syscalls.dup(error.number()).release()));
            // The available index jumps by more than the ring's size.
            final UnsafeBuffer guest = w.guest;
            guest.putShort((int)(w.transmit.driverAddress() - WorkerFixture.GUEST) + 2, (short)1000);
            w.work();
            assertFalse(w.worker.transmitRing().isStarted());
            assertEquals(1, error.drain());
            final int at = w.lend(1526);
            final byte[] frame = Frames.random(random, 60);
            w.port.arrive(frame);
            w.work();
            assertArrayEquals(frame, w.read(at + WorkerFixture.HEADER, 60), "the other ring goes on");
        }
    }

    @Test
    void shouldDropWhatWaitsWhenRingsStop()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.port.room = 0;
            w.send(Frames.random(random, 4000));
            w.port.arrive(Frames.random(random, 60));
            w.work();
            w.worker.guestToPort().settle();
            w.worker.settleReceive();
            assertEquals(2, w.count(WorkerCounter.DROP_STOPPED));
            assertEquals(1, w.worker.transmitRing().stop(true));
            assertEquals(0, w.worker.receiveRing().stop(true));
        }
    }

    @Test
    @Tag("message.SEND_RARP")
    @Tag("protocol.RARP")
    void shouldAnnounceGuestByReverseArp()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.worker.announce(0x0605_0403_0252L);
            w.work();
            final byte[] frame = w.port.sent.get(0);
            assertEquals(RarpFrame.LENGTH, frame.length);
            assertArrayEquals(new byte[] { 0x52, 2, 3, 4, 5, 6 }, Arrays.copyOfRange(frame, 6, 12));
            assertEquals((byte)0x80, frame[12]);
            assertEquals(0x35, frame[13]);
            assertEquals(3, frame[21]);
        }
    }

    private static int pollAll(final WorkerFixture w)
    {
        int n = 0;
        while (0 <= w.transmit.poll())
        {
            n++;
        }
        return n;
    }
}
