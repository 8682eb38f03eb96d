package io.ringtap.frontend;

import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link GuestQueue} against a device that gives every frame back. */
@Timeout(60)
class GuestQueueTest
{
    private static final long ALL = FrontendConfig.DEFAULT_FEATURES;
    private static final long PACKED = NetFeatures.bit(NetFeatures.RING_PACKED);
    private static final long MERGEABLE = NetFeatures.bit(NetFeatures.MRG_RXBUF);
    private static final long EVENT_IDX = NetFeatures.bit(NetFeatures.EVENT_IDX);
    private static final long VERSION_1 = NetFeatures.bit(NetFeatures.VERSION_1);

    private final List<byte[]> received = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private EchoDevice device;
    private Frontend frontend;

    @AfterEach
    void tearDown()
    {
        if (null != frontend)
        {
            frontend.close();
            device.close();
            assertNull(device.failure());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "split, 1, false, 1", "split, 2, false, 1", "split, 5, true, 1", "packed, 1, false, 1", "packed, 3, false, 1",
        "packed, 4, true, 1", "legacy, 1, false, 1", "big, 1, false, 1", "big, 3, true, 1", "noevent, 1, false, 1",
        "split, 3, true, 7", "packed, 3, true, 7",
    })
    void shouldCarryFramesOfAllSizesBothWays(
        final String kind, final int parts, final boolean isIndirect, final int regions)
    {
        start(new FrontendConfig().descriptorsPerFrame(parts, isIndirect).regions(regions, 1 < regions ? 1 << 20 : 0)
            .receiveBuffer(512).features(featuresOf(kind)));
        final int ofRing = "big".equals(kind) ? 65_550 : 256 / (isIndirect ? 1 : parts) * 500;
        final int limit = "legacy".equals(kind) ? 1514 : Math.min(ofRing, frontend.nic().queue(0).maxFrame());
        final Random random = new Random(7);
        for (final int length : new int[]{14, 60, 61, 64, 500, 501, 512, 1000, 1514, 9014, 30_000, 65_550})
        {
            if (length <= limit)
            {
                final byte[] frame = new byte[length];
                random.nextBytes(frame);
                assertArrayEquals(frame, echo(frame), "length " + length);
            }
        }
        assertEquals(0, count(GuestCounter.RECEIVE_FAULTS));
    }

    @ParameterizedTest
    @CsvSource({"split, 64", "split, 2", "packed, 64", "packed, 37", "noevent, 256", "big, 16"})
    void shouldKeepThousandsOfFramesInOrder(final String kind, final int ringSize)
    {
        start(new FrontendConfig().ringSize(ringSize).features(featuresOf(kind)));
        final GuestQueue queue = frontend.nic().queue(0);
        final PktgenConfig config = new PktgenConfig()
            .spec(PktgenSinkTest.spec(false, false, ChecksumMode.FULL))
            .sizes(60, 1514, 64, 3000, 128)
            .flows(4)
            .count(50_000);
        final Pktgen pktgen = new Pktgen(config.conclude(true), queue, SystemNanoClock.INSTANCE, 0, 1);
        final Sink sink = new Sink("test", 4, true);
        while (sink.counters().get(SinkCounter.PACKETS) < 50_000)
        {
            final int work = pktgen.doWork() + queue.poll(sink, 64);
            if (0 == work)
            {
                sleep(queue);
            }
        }

        assertTrue(sink.isClean());
        assertEquals(50_000, count(GuestCounter.SENT_FRAMES));
        assertEquals(50_000, count(GuestCounter.RECEIVED_FRAMES));
        assertEquals(0, count(GuestCounter.RECEIVE_FAULTS));
    }

    @Test
    void shouldSayWhenTheRingIsFullAndGoOn()
    {
        start(new FrontendConfig().ringSize(16));
        device.hold(true);
        final GuestQueue queue = frontend.nic().queue(0);
        final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
        int sent = 0;
        while (queue.send(frame, 0, 100))
        {
            sent++;
        }
        assertEquals(16, sent);
        assertEquals(16, queue.inFlight());
        assertFalse(queue.await(20, true));

        device.hold(false);
        assertTrue(queue.await(5000, true));
        while (queue.inFlight() > 0)
        {
            queue.reclaim();
            queue.poll(this::take, 16);
        }
        assertTrue(queue.send(frame, 0, 100));
    }

    @Test
    void shouldSleepUntilTheDeviceCalls()
    {
        start(new FrontendConfig());
        final GuestQueue queue = frontend.nic().queue(0);
        assertFalse(queue.await(10, false));
        queue.send(new UnsafeBuffer(new byte[60]), 0, 60);
        assertTrue(queue.await(5000, false));
        assertEquals(1, queue.poll(this::take, 16));
        // The calls of both rings may come after the frame was seen: a wake-up for nothing each, and no more.
        int wakeUps = 0;
        while (queue.await(200, false))
        {
            wakeUps++;
            assertTrue(wakeUps <= 2, wakeUps + " wake-ups for nothing");
        }
    }

    @Test
    void shouldCarryTheNetHeader()
    {
        start(new FrontendConfig());
        final GuestQueue queue = frontend.nic().queue(0);
        final UnsafeBuffer header = new UnsafeBuffer(new byte[]{1, 5, 42, 0, 100, 0, 34, 0, 6, 0, 0, 0});
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[500]);
        assertTrue(queue.offer(header, 0, frame, 0, 500));
        queue.flush();
        final byte[] got = new byte[NetHeader.BUFFER_COUNT_OFFSET];
        while (0 == queue.poll((buffer, at, offset, length) -> buffer.getBytes(at, got), 1))
        {
            sleep(queue);
        }
        assertArrayEquals(new byte[]{1, 5, 42, 0, 100, 0, 34, 0, 6, 0}, got);
    }

    @ParameterizedTest
    @CsvSource({"split", "packed"})
    void shouldGoOnAfterStopAndStart(final String kind)
    {
        start(new FrontendConfig().ringSize(32).features(featuresOf(kind)));
        for (int i = 0; i < 50; i++)
        {
            final byte[] frame = new byte[60 + i];
            frame[0] = (byte)i;
            assertArrayEquals(frame, echo(frame));
            if (i % 10 == 9)
            {
                frontend.stop();
                assertFalse(frontend.ring(0).isRunning());
                frontend.start();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"split", "packed"})
    void shouldServeEveryPairOnItsOwn(final String kind)
    {
        start(new FrontendConfig().queuePairs(3).features(featuresOf(kind)));
        for (int pair = 0; pair < 3; pair++)
        {
            final GuestQueue queue = frontend.nic().queue(pair);
            final byte[] frame = new byte[60 + pair];
            queue.send(new UnsafeBuffer(frame), 0, frame.length);
            while (0 == queue.poll(this::take, 1))
            {
                queue.await(100, false);
            }
        }
        assertEquals(List.of(60, 61, 62), received.stream().map(frame -> frame.length).toList());
    }

    @Test
    void shouldGoOnWhileTheMemoryTableIsReplaced()
    {
        start(new FrontendConfig());
        for (int regions = 1; regions <= 8; regions++)
        {
            frontend.splitMemory(regions);
            final byte[] frame = new byte[1000 + regions];
            assertArrayEquals(frame, echo(frame));
        }
    }

    private static long featuresOf(final String kind)
    {
        return switch (kind)
        {
            case "packed" -> ALL | PACKED;
            case "legacy" -> ALL & ~MERGEABLE & ~VERSION_1 & ~NetFeatures.bit(NetFeatures.GUEST_CSUM) &
                ~NetFeatures.bit(NetFeatures.GUEST_TSO4) & ~NetFeatures.bit(NetFeatures.GUEST_TSO6) &
                ~NetFeatures.bit(NetFeatures.GUEST_USO4) & ~NetFeatures.bit(NetFeatures.GUEST_USO6);
            case "big" -> ALL & ~MERGEABLE;
            case "noevent" -> ALL & ~EVENT_IDX;
            default -> ALL;
        };
    }

    private byte[] echo(final byte[] frame)
    {
        final GuestQueue queue = frontend.nic().queue(0);
        assertTrue(queue.send(new UnsafeBuffer(frame), 0, frame.length));
        received.clear();
        while (0 == queue.poll(this::take, 1))
        {
            sleep(queue);
        }
        queue.reclaim();
        return received.get(0);
    }

    private void sleep(final GuestQueue queue)
    {
        assertNull(device.failure());
        assertTrue(System.nanoTime() - startNs < 30_000_000_000L, "device gave no sign of life");
        queue.await(100, true);
    }

    private void take(
        final DirectBuffer buffer, final int header, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        received.add(bytes);
    }

    private long count(final GuestCounter counter)
    {
        return frontend.nic().queue(0).counters().get(counter);
    }

    private void start(final FrontendConfig config)
    {
        final Fd[] ends = new Fd[2];
        Sockets.socketPair(ends, Sockets.SOCK_STREAM);
        device = new EchoDevice(
            ends[1], ALL | PACKED, ProtocolFeature.mask(ProtocolFeature.MQ, ProtocolFeature.REPLY_ACK), false);
        device.launch();
        frontend = new Frontend(config.socket(ends[0]));
        frontend.connect();
        frontend.nic();
        frontend.start();
    }
}
