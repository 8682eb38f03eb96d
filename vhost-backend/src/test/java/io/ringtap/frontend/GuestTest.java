package io.ringtap.frontend;

import com.sun.management.ThreadMXBean;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link Guest} with its threads, against a device that gives every frame back. */
@Timeout(120)
class GuestTest
{
    private static final long PACKED = NetFeatures.bit(NetFeatures.RING_PACKED);
    private EchoDevice device;
    private Guest guest;

    @AfterEach
    void tearDown()
    {
        if (null != guest)
        {
            guest.close();
        }
        device.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, GuestConfig.DEFAULT_SPIN_NS})
    void shouldGenerateAndCheckOverTwoQueues(final long spinNs) throws Exception
    {
        start(new FrontendConfig().queuePairs(2), new GuestConfig().sinkFlows(64).spinNs(spinNs));
        guest.generate(config().flows(7).count(20_000));
        awaitPackets(20_000);

        assertTrue(guest.sink().isClean());
        assertEquals(20_000, guest.sum(GuestCounter.GENERATED_PACKETS));
        assertNull(guest.failure());
        while (guest.inFlight() > 0)
        {
            Thread.sleep(1);
        }
        assertFalse(guest.isGenerating());
    }

    @Test
    void shouldKeepToARateWithoutSpinning() throws Exception
    {
        start(new FrontendConfig(), new GuestConfig().sinkFlows(64).spinNs(0));
        guest.generate(config().rate(5000).count(500));
        final long startNs = System.nanoTime();
        awaitPackets(500);
        assertTrue(System.nanoTime() - startNs > 80_000_000);
        assertTrue(guest.sink().isClean());
    }

    @Test
    void shouldStopGenerating() throws Exception
    {
        start(new FrontendConfig(), new GuestConfig().sinkFlows(64));
        guest.generate(config());
        awaitPackets(1000);
        guest.stopGenerating();
        while (guest.isGenerating() || guest.inFlight() > 0)
        {
            Thread.sleep(1);
        }
        final long sent = guest.sum(GuestCounter.GENERATED_PACKETS);
        awaitPackets(sent);
        assertEquals(sent, guest.sum(GuestCounter.SENT_FRAMES));
        assertTrue(guest.sink().isClean());
    }

    @Test
    void shouldEndAtOnceThoughItSleeps() throws Exception
    {
        start(new FrontendConfig().queuePairs(3), new GuestConfig());
        Thread.sleep(100);
        final long startNs = System.nanoTime();
        guest.close();
        guest = null;
        assertTrue(System.nanoTime() - startNs < 900_000_000L);
    }

    @Test
    void shouldSayWhenNobodyAnswers() throws Exception
    {
        start(new FrontendConfig(), new GuestConfig());
        assertNull(guest.resolve(InetAddress.getByName("10.0.0.1"), 50));
        assertNull(guest.resolve(InetAddress.getByName("fd00::1"), 50));
    }

    @Test
    void shouldSeeThatTheBackendIsGone() throws Exception
    {
        start(new FrontendConfig(), new GuestConfig());
        assertFalse(guest.isPeerGone());
        device.close();
        assertTrue(guest.isPeerGone());
    }

    @Test
    void shouldNotGenerateWhatWasNotNegotiated() throws Exception
    {
        start(
            new FrontendConfig().features(FrontendConfig.DEFAULT_FEATURES & ~NetFeatures.bit(NetFeatures.CSUM)),
            new GuestConfig());
        assertThrows(IllegalArgumentException.class, () -> guest.generate(config().segments(4)));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1L << NetFeatures.RING_PACKED})
    void shouldNotAllocateForFrames(final long more) throws Exception
    {
        connect(new FrontendConfig().features(FrontendConfig.DEFAULT_FEATURES | more));
        try (Frontend frontend = guest.frontend())
        {
            frontend.connect();
            final GuestQueue queue = frontend.nic().queue(0);
            frontend.start();
            final Sink sink = new Sink("test", 4, true);
            final GuestStack stack = new GuestStack("test", addresses(), queue, 7);
            final Pktgen pktgen = new Pktgen(
                config().sizes(60, 1514, 4000).conclude(true), queue, SystemNanoClock.INSTANCE, 0, 1);
            final FrameConsumer consumer = (buffer, header, offset, length) ->
            {
                sink.onFrame(buffer, header, offset, length);
                stack.onFrame(buffer, header, offset, length);
            };
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            turn(pktgen, queue, consumer, sink, 20_000);
            final long before = threads.getCurrentThreadAllocatedBytes();
            turn(pktgen, queue, consumer, sink, 40_000);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < 20_000, allocated + " bytes for 20000 frames");
            assertTrue(sink.isClean());
        }
        guest = null;
    }

    private static void turn(
        final Pktgen pktgen, final GuestQueue queue, final FrameConsumer consumer, final Sink sink, final long packets)
    {
        while (sink.counters().get(SinkCounter.PACKETS) < packets)
        {
            if (0 == pktgen.doWork() + queue.poll(consumer, 64))
            {
                queue.await(100, true);
            }
        }
    }

    private void awaitPackets(final long packets) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (guest.sink().counters().get(SinkCounter.PACKETS) < packets)
        {
            assertNull(device.failure());
            assertTrue(System.nanoTime() - startNs < 60_000_000_000L, "no packets any more");
            Thread.sleep(1);
        }
    }

    private static PktgenConfig config()
    {
        return new PktgenConfig().spec(PktgenSinkTest.spec(false, false, ChecksumMode.FULL));
    }

    private void start(final FrontendConfig frontendConfig, final GuestConfig config) throws UnknownHostException
    {
        connect(frontendConfig);
        guest = new Guest(frontendConfig, config.addresses(addresses()));
        guest.start();
    }

    private void connect(final FrontendConfig frontendConfig) throws UnknownHostException
    {
        final Fd[] ends = new Fd[2];
        Sockets.socketPair(ends, Sockets.SOCK_STREAM);
        device = new EchoDevice(
            ends[1],
            FrontendConfig.DEFAULT_FEATURES | PACKED,
            ProtocolFeature.mask(ProtocolFeature.MQ, ProtocolFeature.REPLY_ACK),
            false);
        device.launch();
        guest = new Guest(frontendConfig.socket(ends[0]), new GuestConfig().addresses(addresses()));
    }

    private static GuestAddresses addresses() throws UnknownHostException
    {
        return new GuestAddresses(MacAddress.parse("52:54:00:00:00:02"), InetAddress.getByName("10.0.0.2"), null);
    }
}
