package io.ringtap.vhost.metrics;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.PortKind;
import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.port.PortCounter;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.ops.NicDirectory;
import io.ringtap.vhost.session.SessionCounter;
import io.ringtap.vhost.virtio.RingCounter;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a scrape of a running backend brings, and who may ask. */
class MetricsServerTest
{
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String PLAIN = "text/plain";
    private static final long PATIENCE_NS = 60_000_000_000L;

    @TempDir
    private Path folder;
    private final NicDirectory nics = new NicDirectory();
    private final List<Backend> backends = new ArrayList<>();
    private MetricsServer server;

    @BeforeEach
    void open()
    {
        for (final String name : List.of("vm1", "vm \"2\" \\ä"))
        {
            final Backend backend = Backend.launch(BackendConfig.builder()
                .socketPath(folder.resolve("vhost" + backends.size()).toString())
                .port(PortKind.NULL, null).queues(2).filters(List.of("UdpPortFilter:9", "UdpPortFilter:10"))
                .conclude());
            backends.add(backend);
            nics.add(backend.nic(name));
        }
        server = MetricsServer.open("0", nics);
    }

    @AfterEach
    void close()
    {
        server.close();
        CloseHelper.closeAll(backends);
    }

    @Test
    void shouldTellEveryCounterOfEveryRoom() throws Exception
    {
        final Scrape scrape = Scrape.of(server.address(), OPEN_METRICS);
        assertTrue(scrape.text().endsWith("# EOF\n"), "the end mark of OpenMetrics");
        final Set<String> words = new HashSet<>();
        for (final Scrape.Sample sample : scrape.samples())
        {
            words.add(sample.name());
            words.addAll(sample.labels().values());
        }
        final Set<String> missing = new TreeSet<>();
        for (final WorkerCounter counter : WorkerCounter.values())
        {
            final String name = name(counter);
            if (name.startsWith("drop_") && !words.contains(name.substring("drop_".length())))
            {
                missing.add(name);
            }
        }
        for (final RingCounter counter : RingCounter.values())
        {
            if (!words.contains(counter.isFault() ? name(counter) : "ringtap_ring_" + name(counter) + "_total"))
            {
                missing.add(name(counter));
            }
        }
        for (final SessionCounter counter : SessionCounter.values())
        {
            if (SessionCounter.SESSIONS != counter && !words.contains("ringtap_session_" + name(counter) + "_total"))
            {
                missing.add(name(counter));
            }
        }
        assertEquals(Set.of(), missing, "counters that nobody tells");
        assertEquals(Set.of(), valuesNotTold(), "counters whose value goes nowhere");
        System.out.println(scrape.samples().size() + " samples of two ports");
    }

    /** Each counter is raised alone; some sample must rise with it. */
    private Set<String> valuesNotTold()
    {
        final Set<String> missing = new TreeSet<>();
        for (final WorkerCounter counter : WorkerCounter.values())
        {
            final String before = workerText();
            final var worker = backends.get(0).workers().get(1).counted();
            final boolean isToGuest = counter.name().startsWith("HOST_");
            (isToGuest ? worker.toGuest() : worker.fromGuest()).counters().add(counter, 1_000_003);
            if (before.equals(workerText()))
            {
                missing.add(name(counter));
            }
        }
        for (final PortCounter counter : PortCounter.values())
        {
            final String before = workerText();
            backends.get(0).port().queue(1).counters().add(counter, 1_000_003);
            if (before.equals(workerText()))
            {
                missing.add(name(counter));
            }
        }
        return missing;
    }

    private String workerText()
    {
        final StringBuilder text = new StringBuilder();
        server.collect().stream().filter((family) -> family.getMetadata().getName().startsWith("ringtap"))
            .forEach((family) -> family.getDataPoints().forEach((point) -> text.append(values(point))));
        return text.toString();
    }

    private static String values(final Object point)
    {
        return point instanceof io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot counter ?
            counter.getLabels() + "=" + counter.getValue() + "\n" : "";
    }

    @Test
    void shouldTellTheFramesOfEachPortQueueAndDirection() throws Exception
    {
        try (Guest guest = new Guest(new FrontendConfig().socketPath(folder.resolve("vhost0").toString()).queuePairs(2),
            new GuestConfig().addresses(new GuestAddresses(
                MacAddress.parse("52:54:00:00:00:02"), InetAddress.getByName("198.18.7.2"), null))))
        {
            guest.start();
            for (final int port : new int[]{9, 11})
            {
                guest.generate(new PktgenConfig().spec(new FrameSpec(
                    MacAddress.parse("52:54:00:00:00:02"), MacAddress.parse("02:00:00:00:00:99"),
                    InetAddress.getByName("198.18.7.2"), InetAddress.getByName("198.18.7.1"), false, 10_000, port,
                    ChecksumMode.FULL)).sizes(100).count(5000));
                await(() -> !guest.isGenerating());
            }
            await(() -> 10_000 == sum("ringtap_frames_total", "port", "vm1", "direction", "from_guest"));
            await(() -> 10_000 == sum(
                "ringtap_frame_latency_seconds_count", "port", "vm1", "direction", "from_guest"));
            final Scrape scrape = Scrape.of(server.address(), PLAIN);
            assertEquals(1_000_000, scrape.sum("ringtap_frame_bytes_total", "port", "vm1"));
            assertEquals(5000, scrape.sum("ringtap_dropped_frames_total", "direction", "from_guest", "reason", "hook"));
            assertEquals(0, scrape.sum("ringtap_dropped_frames_total", "direction", "to_guest"));
            assertEquals(5000, scrape.sum("ringtap_hook_frames_total", "verdict", "pass", "direction", "from_guest"));
            assertEquals(10_000, scrape.sum("ringtap_path_frames_total", "path", "small", "port", "vm1"));
            assertEquals(10_000, scrape.sum("ringtap_batch_frames_sum", "port", "vm1", "direction", "from_guest"));
            assertEquals(scrape.sum("ringtap_batches_total", "port", "vm1"),
                scrape.sum("ringtap_batch_frames_count", "port", "vm1"));
            assertEquals(5000, scrape.sum("ringtap_port_packets_total", "port", "vm1"));
            assertEquals(10_000, scrape.sum("ringtap_ring_chains_total", "port", "vm1", "direction", "from_guest"));
            assertEquals(5000, scrape.sum("ringtap_hook_verdicts_total", "port", "vm1", "verdict", "drop"));
            assertEquals(1, scrape.sum("ringtap_port_connected", "port", "vm1"));
            assertEquals(0, scrape.sum("ringtap_port_rate_limit_bytes", "port", "vm1", "direction", "to_guest"));
            assertTrue(0 <= scrape.sum("ringtap_fragment_registrations_total", "port", "vm1"));
            assertEquals(0, scrape.sum("ringtap_frames_total", "port", "vm \\\"2\\\" \\\\ä"));
            assertTrue(0 < scrape.sum("process_resident_memory_bytes"));
            assertTrue(0 < scrape.sum("ringtap_ring_kicks_total", "port", "vm1"));
        }
    }

    @Test
    void shouldCloseConnectionsBeyondItsLimitAndServeAgainWhenTheyAreGone() throws Exception
    {
        final List<Socket> held = new ArrayList<>();
        for (int i = 0; i < 3 * MetricsServer.MAX_CONNECTIONS; i++)
        {
            final Socket socket = new Socket(server.address().host(), server.address().port());
            socket.setSoTimeout(30_000);
            held.add(socket);
        }
        // One that is beyond the limit is closed at once; one that is within it waits for its request.
        assertEquals(-1, held.get(held.size() - 1).getInputStream().read());
        CloseHelper.closeAll(held);
        await(() -> 0 <= sum("ringtap_frames_total"));
    }

    @Test
    void shouldOutliveNonsense() throws Exception
    {
        for (final String nonsense : List.of("GET\r\n\r\n", "x".repeat(10_000) + "\r\n\r\n",
            "GET /metrics HTTP/1.1\r\n" + "A: b\r\n".repeat(1000) + "\r\n", "POST /../../etc HTTP/9\r\n\r\n", "\0\1\2"))
        {
            try (Socket socket = new Socket(server.address().host(), server.address().port()))
            {
                socket.getOutputStream().write(nonsense.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                socket.shutdownOutput();
            }
        }
        assertTrue(0 <= sum("ringtap_frames_total"));
    }

    @Test
    void shouldKnowAddressesAndSayWhatIsWrongWithThem()
    {
        assertEquals("127.0.0.1:9431", String.valueOf(MetricsAddress.of("9431")));
        assertEquals("127.0.0.1:9431", String.valueOf(MetricsAddress.of(":9431")));
        assertEquals("vm-host.example:1", String.valueOf(MetricsAddress.of("vm-host.example:1")));
        assertEquals("[::1]:80", String.valueOf(MetricsAddress.of("[::1]:80")));
        for (final String wrong : List.of("", ":", "a", "a:", "a:65536", "a:-1", "a b:1", "::1:80", "a:1:2", "a:1/x"))
        {
            assertNull(MetricsAddress.of(wrong), wrong);
        }
        final MetricsException taken = assertThrows(MetricsException.class,
            () -> MetricsServer.open(server.address().toString(), nics).close());
        assertTrue(taken.getMessage().contains("cannot listen there: Address already in use; give"),
            taken.getMessage());
        final MetricsException alien = assertThrows(MetricsException.class,
            () -> MetricsServer.open("198.18.99.99:0", nics).close());
        assertTrue(alien.getMessage().contains("cannot listen there"), alien.getMessage());
        assertFalse(server.address().port() == 0);
    }

    private double sum(final String name, final String... labels)
    {
        try
        {
            return Scrape.of(server.address(), PLAIN).sum(name, labels);
        }
        catch (final java.io.IOException closed)
        {
            return -1;
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static void await(final java.util.function.BooleanSupplier condition)
    {
        final long end = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() < end, "waited in vain");
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static String name(final Enum<?> counter)
    {
        return counter.name().toLowerCase(Locale.ROOT);
    }
}
