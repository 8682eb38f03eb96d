package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.counters.CounterSet;
import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.NetnsThread;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.UdpSink;
import io.ringtap.port.PortCounter;
import io.ringtap.vhost.dataplane.WorkerCounter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What makes the fast path fast, counted: every segment of a merged flow arrives, no frame costs an object, and a
 * system call carries many frames. The backend runs in this process, so that its counters and its heap can be read.
 */
class FastPathIT
{
    private static final String TAP = "tap0";
    private static final String MAC = "02:00:00:00:00:42";
    private static final int PORT = 9000;
    private static final long DATAGRAMS = 20_000;
    private static final int IPV4_HEADERS = 42;
    private static final int IPV6_HEADERS = 62;
    private static final long MILLION = 1_000_000;
    private static final int LIMIT_MS = 60_000;

    private static Lab lab;
    private static Backend backend;
    private static Guest guest;
    private static MacAddress hostMac;

    @BeforeAll
    static void start() throws Exception
    {
        lab = Lab.open(FastPathIT.class);
        final BackendConfig config = BackendConfig.builder()
            .socketPath(lab.socket("vhost.sock").toString()).tap(TAP).conclude();
        backend = NetnsThread.call(lab.netns(), () -> Backend.launch(config));
        lab.netns().check("sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/" + TAP + "/disable_ipv6");
        lab.netns().up(TAP, "198.18.7.1/24");
        lab.netns().check("ip", "addr", "add", "2001:2:0:7::1/64", "dev", TAP, "nodad");
        lab.netns().check("ip", "neigh", "add", "198.18.7.2", "lladdr", MAC, "dev", TAP);
        guest = new Guest(
            new FrontendConfig().socketPath(config.socketPath()).ringSize(1024).transmitBytes(1 << 22),
            new GuestConfig().threads(1).addresses(new GuestAddresses(
                MacAddress.parse(MAC), InetAddress.getByName("198.18.7.2"), InetAddress.getByName("2001:2:0:7::2"))));
        guest.start();
        hostMac = MacAddress.parse(lab.netns().mac(TAP));
    }

    @AfterAll
    static void stop()
    {
        guest.close();
        backend.close();
        lab.close();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 1, 18", "4, 2, 18", "4, 100, 18", "4, 1, 300", "4, 2, 1000", "4, 100, 1472", "4, 1, 1472", "4, 2, 1472",
        "6, 1, 18", "6, 2, 18", "6, 100, 18", "6, 1, 300", "6, 2, 1000", "6, 100, 1452", "6, 1, 1452", "6, 2, 1452" })
    void shouldCountEverySegmentAtTheSocket(final int family, final int flows, final int payload) throws Exception
    {
        final long mergedBefore = worker().get(WorkerCounter.GUEST_MERGED);
        try (UdpSink sink = UdpSink.open(lab.netns(), PORT, flows))
        {
            generate(family, flows, payload, DATAGRAMS, hostMac);
            sink.await(DATAGRAMS, LIMIT_MS);
            assertEquals(DATAGRAMS, sink.received());
            assertEquals(0, sink.outOfOrder());
            assertEquals(0, sink.foreign());
            assertEquals(payload, sink.shortest());
            assertEquals(payload, sink.longest());
        }
        final long merged = worker().get(WorkerCounter.GUEST_MERGED) - mergedBefore;
        Progress.say(String.format("IPv%d, %d flows, %d bytes: %d datagrams, %d of them merged into the one before",
            family, flows, payload, DATAGRAMS, merged));
        assertTrue(0 < merged || 64 < flows, "nothing was merged");
    }

    @Test
    void shouldAllocateNothingPerFrameInEitherDirection() throws Exception
    {
        final long thread = workerThread();
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        flood(MILLION / 10);
        final long before = threads.getThreadAllocatedBytes(thread);
        final long fromGuest = worker().get(WorkerCounter.GUEST_FRAMES);
        final long toGuest = worker().get(WorkerCounter.HOST_FRAMES);
        flood(MILLION);
        final long bytes = threads.getThreadAllocatedBytes(thread) - before;
        final long frames = worker().get(WorkerCounter.GUEST_FRAMES) - fromGuest +
            worker().get(WorkerCounter.HOST_FRAMES) - toGuest;
        Progress.say(bytes + " bytes allocated by the worker for " + frames + " frames");
        assertTrue(MILLION <= frames, frames + " frames");
        assertTrue(bytes < frames / 100, bytes + " bytes for " + frames + " frames");
    }

    @Test
    void shouldCarryManyFramesWithASystemCall() throws Exception
    {
        final CounterSet<PortCounter> port = backend.port().queue(0).counters();
        final long calls = port.get(PortCounter.TX_CALLS);
        final long packets = port.get(PortCounter.TX_PACKETS);
        // A hundred flows of one frame each: nothing to merge, so this is the submissions' doing.
        generate(4, 100, 18, MILLION, MacAddress.parse("02:00:00:00:00:99"));
        awaitGenerator();
        final double perFrame = (port.get(PortCounter.TX_CALLS) - calls) /
            (double)(port.get(PortCounter.TX_PACKETS) - packets);
        Progress.say(String.format("%.4f system calls a frame", perFrame));
        assertTrue(perFrame < 0.05, perFrame + " system calls a frame");
    }

    /** Frames from the guest to a foreign MAC, and as many echo requests as fit to the guest meanwhile. */
    private static void flood(final long frames) throws Exception
    {
        final Process ping = new ProcessBuilder(lab.netns().inside(List.of(
            "ping", "-q", "-f", "-c", "20000", "198.18.7.2"))).redirectErrorStream(true)
            .redirectOutput(lab.log("flood.log").toFile()).start();
        generate(4, 8, 18, frames, MacAddress.parse("02:00:00:00:00:99"));
        awaitGenerator();
        ping.waitFor();
    }

    private static void generate(
        final int family, final int flows, final int payload, final long count, final MacAddress to) throws Exception
    {
        final boolean isFour = 4 == family;
        final FrameSpec spec = new FrameSpec(MacAddress.parse(MAC), to,
            InetAddress.getByName(isFour ? "198.18.7.2" : "2001:2:0:7::2"),
            InetAddress.getByName(isFour ? "198.18.7.1" : "2001:2:0:7::1"), false, 4000, PORT, ChecksumMode.FULL);
        guest.generate(new PktgenConfig().spec(spec).flows(flows).count(count)
            .sizes(payload + (isFour ? IPV4_HEADERS : IPV6_HEADERS)));
    }

    private static void awaitGenerator()
    {
        Await.until("the generator is done", Duration.ofMillis(LIMIT_MS),
            () -> !guest.isGenerating() && 0 == guest.inFlight());
    }

    private static CounterSet<WorkerCounter> worker()
    {
        return backend.workers().get(0).counters();
    }

    private static long workerThread()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().contains("queue-pair-0")).findFirst().orElseThrow().getId();
    }
}
