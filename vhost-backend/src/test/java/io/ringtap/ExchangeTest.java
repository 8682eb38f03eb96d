package io.ringtap;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.frontend.SinkCounter;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.ops.NicDirectory;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Frames from guest to guest through the memory of one process: every byte, in order, and every one accounted for. */
class ExchangeTest
{
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final long QUIET_NS = 500_000_000L;
    private static final int FLOWS = 8;
    private static final String[] MACS = {"52:54:00:00:00:02", "52:54:00:00:00:03"};
    private static final String[] ADDRESSES = {"198.18.7.2", "198.18.7.3"};

    @TempDir
    Path directory;

    private final NicDirectory nics = new NicDirectory();
    private Fleet fleet;

    @BeforeEach
    void reset()
    {
        RedirectingHook.target(-1);
    }

    @AfterEach
    void close()
    {
        if (null != fleet)
        {
            fleet.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DEDICATED, 1, FULL, false, 1, 64, true", "DEDICATED, 2, PARTIAL, false, 1, 1514, true",
        "SHARED, 1, FULL, true, 1, 1514, true", "SHARED, 2, FULL, false, 40, 100, true",
        "DEDICATED, 2, FULL, true, 20, 1514, false", "DEDICATED, 1, PARTIAL, false, 20, 1000, false",
    })
    void shouldDeliverEveryPacketWholeAndInOrder(
        final WorkerMode workers, final int queues, final ChecksumMode checksum, final boolean isTcp,
        final int segments, final int size, final boolean hasOffloads) throws Exception
    {
        launch(workers, queues);
        final long features = hasOffloads ? FrontendConfig.DEFAULT_FEATURES :
            FrontendConfig.DEFAULT_FEATURES & ~offloads();
        try (Guest source = guest(0, queues, FrontendConfig.DEFAULT_FEATURES); Guest sink = guest(1, queues, features))
        {
            source.start();
            sink.start();
            source.generate(new PktgenConfig()
                .spec(spec(isTcp, checksum)).flows(FLOWS).segments(segments).sizes(size).rate(20_000).count(20_000));
            await(() -> !source.isGenerating());
            settle(sink);
            final long packets = sink.sink().counters().get(SinkCounter.PACKETS);
            for (final SinkCounter fault : new SinkCounter[]{SinkCounter.LATE, SinkCounter.DUPLICATES,
                SinkCounter.STALE, SinkCounter.ALTERED, SinkCounter.BAD_CHECKSUM})
            {
                assertEquals(0, sink.sink().counters().get(fault), fault.name());
            }
            assertEquals(0, sink.sum(GuestCounter.RECEIVE_FAULTS));
            assertTrue(packets > 0);
            assertEquals(source.sum(GuestCounter.SENT_FRAMES), sum("a", WorkerCounter.HOOK_REDIRECTED));
            final long delivered = sum("a", WorkerCounter.HOOK_REDIRECTED) - sum("a", WorkerCounter.DROP_REDIRECT);
            if (hasOffloads || 1 == segments)
            {
                assertEquals(delivered, sum("b", WorkerCounter.HOST_FRAMES));
            }
            if (1 == segments)
            {
                assertEquals(delivered, packets);
            }
            assertNull(source.failure());
            assertNull(sink.failure());
        }
    }

    @Test
    void shouldCountWhatNobodyReceives() throws Exception
    {
        launch(WorkerMode.DEDICATED, 1);
        try (Guest source = guest(0, 1, FrontendConfig.DEFAULT_FEATURES))
        {
            source.start();
            for (final int target : new int[]{number("b"), 7, -1})
            {
                final long before = sum("a", WorkerCounter.DROP_REDIRECT);
                RedirectingHook.target(target);
                source.generate(new PktgenConfig().spec(spec(false, ChecksumMode.FULL)).count(1000));
                await(() -> !source.isGenerating() && 1000 == sum("a", WorkerCounter.DROP_REDIRECT) - before);
            }
        }
    }

    @Test
    void shouldLetTheReceiverGoAndComeUnderTraffic() throws Exception
    {
        launch(WorkerMode.SHARED, 2);
        try (Guest source = guest(0, 2, FrontendConfig.DEFAULT_FEATURES))
        {
            source.start();
            source.generate(new PktgenConfig().spec(spec(false, ChecksumMode.FULL)).flows(FLOWS).rate(50_000));
            for (int i = 0; i < 5; i++)
            {
                try (Guest sink = guest(1, 2, FrontendConfig.DEFAULT_FEATURES))
                {
                    sink.start();
                    await(() -> sink.sink().counters().get(SinkCounter.PACKETS) > 1000);
                    assertEquals(0, sink.sink().counters().get(SinkCounter.ALTERED));
                    fleet.remove("b");
                    await(sink::isPeerGone);
                }
                fleet.add("b", nic("b", 2));
                RedirectingHook.target(number("b"));
            }
            assertTrue(source.isGenerating());
            assertNull(source.failure());
        }
    }

    private void launch(final WorkerMode workers, final int queues)
    {
        final Map<String, BackendConfig> ports = new LinkedHashMap<>();
        ports.put("a", BackendConfig.builder().socketPath(directory.resolve("a").toString()).queues(queues)
            .port(PortKind.NULL, null).filters(List.of(RedirectingHook.class.getName())).conclude());
        ports.put("b", nic("b", queues));
        fleet = Fleet.launch(
            new FleetConfig(new ProcessConfig(workers, 2, List.of(), null, 0600, null,
            Isolation.DEFAULT, false), ports), nics);
        RedirectingHook.target(number("b"));
    }

    private BackendConfig nic(final String socket, final int queues)
    {
        return BackendConfig.builder().socketPath(directory.resolve(socket).toString()).queues(queues)
            .port(PortKind.NULL, null).conclude();
    }

    private int number(final String name)
    {
        return nics.all().stream().filter((nic) -> nic.name().equals(name)).findFirst().orElseThrow().number();
    }

    private long sum(final String name, final WorkerCounter counter)
    {
        long sum = 0;
        for (final PortStatus port : fleet.status())
        {
            if (port.name().equals(name))
            {
                for (final QueuePairWorker worker : port.backend().workers())
                {
                    sum += worker.counters().get(counter);
                }
            }
        }
        return sum;
    }

    private Guest guest(final int index, final int queues, final long features) throws Exception
    {
        return new Guest(
            new FrontendConfig().socketPath(directory.resolve(0 == index ? "a" : "b").toString()).queuePairs(queues)
                .features(features).timeoutMs(30_000),
            new GuestConfig()
                .addresses(new GuestAddresses(
                    MacAddress.parse(MACS[index]), InetAddress.getByName(ADDRESSES[index]), null))
                .sinkFlows(1 == index ? FLOWS : 0));
    }

    private static FrameSpec spec(final boolean isTcp, final ChecksumMode checksum) throws Exception
    {
        return new FrameSpec(MacAddress.parse(MACS[0]), MacAddress.parse(MACS[1]),
            InetAddress.getByName(ADDRESSES[0]), InetAddress.getByName(ADDRESSES[1]), isTcp, 10_000, 9, checksum);
    }

    private static long offloads()
    {
        return NetFeatures.bit(NetFeatures.GUEST_CSUM) | NetFeatures.bit(NetFeatures.GUEST_TSO4) |
            NetFeatures.bit(NetFeatures.GUEST_TSO6) | NetFeatures.bit(NetFeatures.GUEST_ECN) |
            NetFeatures.bit(NetFeatures.GUEST_USO4) | NetFeatures.bit(NetFeatures.GUEST_USO6);
    }

    /** Until nothing has come for a while. */
    private static void settle(final Guest sink)
    {
        long seen = -1;
        long now = sink.sink().counters().get(SinkCounter.PACKETS);
        while (seen != now)
        {
            LockSupport.parkNanos(QUIET_NS);
            seen = now;
            now = sink.sink().counters().get(SinkCounter.PACKETS);
        }
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "nothing happened");
            LockSupport.parkNanos(1_000_000);
        }
    }
}
