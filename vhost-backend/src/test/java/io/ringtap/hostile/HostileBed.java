package io.ringtap.hostile;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.Fleet;
import io.ringtap.FleetConfig;
import io.ringtap.Isolation;
import io.ringtap.PortKind;
import io.ringtap.PortStatus;
import io.ringtap.ProcessConfig;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.port.PortCounter;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.ops.Nic;
import io.ringtap.vhost.ops.NicDirectory;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One process with three NICs: one that is attacked, a neighbour that must not notice, and one whose guest sends frames
 * to both. At the end nothing may be missing: descriptors, mappings, fragments.
 */
final class HostileBed implements AutoCloseable
{
    static final String ATTACKED = "attacked";
    static final String NEIGHBOUR = "neighbour";
    private static final String SOURCE = "source";
    private static final long PATIENCE_NS = 20_000_000_000L;
    private static final long LOOK_NS = 20_000;
    private static final int PAIRS = 2;
    private static final int PEER_FRAME = 300;
    /** What a process opens once, when it first needs it; a bed has hundreds of sessions, so a leak is more. */
    private static final int ONCE = 8;

    private final Path directory;
    private final NicDirectory nics = new NicDirectory();
    private final long openBefore = Holdings.descriptors();
    private final long mappedBefore = Holdings.guestMappings();
    private final Fleet fleet;
    private final Peer neighbour;
    private final Peer source;
    private int number;

    /** For hundreds of sessions one after the other. */
    HostileBed(final HostileSetting setting)
    {
        this(setting, 0);
    }

    /** @param sessionRate front-ends a second that a NIC takes; 0 for any number. */
    HostileBed(final HostileSetting setting, final int sessionRate)
    {
        try
        {
            directory = Files.createTempDirectory("rt-hostile");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        final Map<String, BackendConfig> ports = new LinkedHashMap<>();
        ports.put(ATTACKED, nic(ATTACKED, PAIRS, sessionRate, setting.isRecorded ? RecordingHook.class : null));
        ports.put(NEIGHBOUR, nic(NEIGHBOUR, 1, sessionRate, null));
        ports.put(SOURCE, nic(SOURCE, 1, sessionRate, AddressHook.class));
        fleet = Fleet.launch(
            new FleetConfig(new ProcessConfig(setting.workers, 1, List.of(), null, 0600, null,
                Isolation.DEFAULT, false), ports), nics);
        neighbour = new Peer(path(NEIGHBOUR));
        source = new Peer(path(SOURCE));
    }

    private BackendConfig nic(final String name, final int queues, final int sessionRate, final Class<?> filter)
    {
        final BackendConfigBuilder builder = BackendConfig.builder()
            .socketPath(path(name)).sessionRate(sessionRate).queues(queues).port(PortKind.NULL, null).busyPollUs(0);
        return (null == filter ? builder : builder.filters(List.of(filter.getName()))).conclude();
    }

    String path(final String name)
    {
        return directory.resolve(name).toString();
    }

    Backend attacked()
    {
        return backend(ATTACKED);
    }

    /** A driver that has nothing bad in mind, as soon as those before it are gone. */
    HostileDriver welcomeDriver(final HostileSetting setting)
    {
        return welcomeDriver(
            Attack.sending("none", Verdict.PASSES, (driver) -> {}).frontend(setting, path(ATTACKED)));
    }

    HostileDriver welcomeDriver(final FrontendConfig config)
    {
        final HostileDriver[] driver = new HostileDriver[1];
        await(() ->
        {
            try
            {
                driver[0] = new HostileDriver(config);
            }
            catch (final FrontendException ex)
            {
                // Sent away as the second one: the first is still to be disconnected.
                return false;
            }
            return true;
        }, "no front-end is served any more");
        return driver[0];
    }

    Peer source()
    {
        return source;
    }

    Peer neighbour()
    {
        return neighbour;
    }

    private Backend backend(final String name)
    {
        for (final PortStatus each : fleet.status())
        {
            if (each.name().equals(name))
            {
                return each.backend();
            }
        }
        throw new IllegalStateException(name);
    }

    /** A frame for the guest of a NIC. */
    byte[] frameTo(final String name, final int port, final int length)
    {
        for (final Nic nic : nics.all())
        {
            if (nic.name().equals(name))
            {
                number++;
                return WireFrames.udp(nic.number(), port, number, length);
            }
        }
        throw new IllegalStateException(name);
    }

    /** Frames that left by the queue of a pair. */
    long sent(final String name, final int pair)
    {
        return backend(name).port().queue(pair).counters().get(PortCounter.TX_FRAMES);
    }

    long packets(final String name)
    {
        return backend(name).port().queue(0).counters().get(PortCounter.TX_PACKETS);
    }

    /** Time that all workers of a NIC had of the thread that it shares. */
    long threadNs(final String name)
    {
        long sum = 0;
        for (final QueuePairWorker worker : backend(name).workers())
        {
            sum += worker.counters().get(WorkerCounter.THREAD_NS);
        }
        return sum;
    }

    /** The neighbour sends and receives as if nothing were. */
    void checkNeighbour()
    {
        final long before = sent(NEIGHBOUR, 0);
        neighbour.send(frameTo(SOURCE, 1, PEER_FRAME));
        final byte[] frame = frameTo(NEIGHBOUR, 1, PEER_FRAME);
        source.send(frame);
        await(() -> neighbour.hasReceived(frame), "the neighbour receives nothing");
        await(() -> before + 1 == sent(NEIGHBOUR, 0), "the neighbour cannot send");
        for (final PortStatus each : fleet.status())
        {
            for (final QueuePairWorker worker : each.backend().workers())
            {
                assertEquals(0, worker.counters().get(WorkerCounter.FAILED), () -> "a worker of " + each.name());
            }
        }
    }

    /** Closes everything; nothing may be left. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(source, neighbour);
        final List<Backend> backends = fleet.status().stream().map(PortStatus::backend).toList();
        fleet.close();
        for (final Backend each : backends)
        {
            assertEquals(0, each.fragments().fragmentsOut(), "fragments lost");
        }
        await(() -> Holdings.guestMappings() <= mappedBefore, "mappings of guests left");
        await(() -> Holdings.descriptors() <= openBefore + ONCE, "descriptors left");
        CloseHelper.quietClose(() -> Files.deleteIfExists(directory));
    }

    static void await(final BooleanSupplier condition, final String otherwise)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, otherwise);
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
