package io.ringtap;

import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.vhost.ops.NicDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Many NICs of one process: what a change touches and what it leaves alone. */
class FleetTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;

    @TempDir
    Path directory;

    private final NicDirectory nics = new NicDirectory();
    private Fleet fleet;

    @AfterEach
    void close()
    {
        if (null != fleet)
        {
            fleet.close();
        }
    }

    @ParameterizedTest
    @EnumSource(WorkerMode.class)
    void shouldKeepWhatIsEqualAndReplaceWhatDiffers(final WorkerMode workers) throws Exception
    {
        fleet = Fleet.launch(
            config(workers, Map.of("a", nic("a", 1500), "b", nic("b", 1500), "c", nic("c", 1500))), nics);
        final Backend a = backend("a");
        final Backend b = backend("b");
        try (Guest guest = guest("a"))
        {
            guest.start();
            final String told = fleet.reload(
                config(workers, Map.of("a", nic("a", 1500), "b", nic("b", 9000), "d", nic("d", 1500))));
            assertEquals("1 unchanged, restarted [b], new [d], gone [c]", told);
            assertSame(a, backend("a"));
            assertNotSame(b, backend("b"));
            assertEquals(9000, backend("b").port().mtu());
            assertFalse(guest.isPeerGone());
            assertNull(guest.failure());
            assertTrue(a.session().isConnected());
        }
        assertFalse(Files.exists(directory.resolve("c")));
        assertTrue(Files.exists(directory.resolve("d")));
    }

    @Test
    void shouldLeaveEverythingWhenAChangeCannotBe()
    {
        fleet = Fleet.launch(config(WorkerMode.DEDICATED, Map.of("a", nic("a", 1500))), nics);
        final Backend a = backend("a");
        final BackendConfig inherited = BackendConfig.builder().fd(77).port(PortKind.NULL, null).conclude();
        final FleetException refusal = assertThrows(FleetException.class,
            () -> fleet.reload(config(WorkerMode.SHARED, Map.of("b", inherited))));
        assertEquals(List.of(
            "workers: it was DEDICATED at the start and cannot become SHARED while the process runs; " +
            "put it back, or start the process again",
            "port b: fd or tap-fd: descriptors are inherited at the start of the process; " +
            "use socket-path and tap, or start the process again"), refusal.lines());
        assertSame(a, backend("a"));
        assertEquals(1, fleet.status().size());
    }

    @Test
    void shouldServeTheOthersWhenOneDoesNotStartAndTryItAgain() throws Exception
    {
        final Path obstacle = Files.createFile(directory.resolve("b"));
        fleet = Fleet.launch(config(WorkerMode.DEDICATED, Map.of("a", nic("a", 1500), "b", nic("b", 1500))), nics);
        assertEquals(PortState.SERVING, status("a").state());
        assertEquals(PortState.FAILED, status("b").state());
        assertTrue(status("b").failure().contains("exists and is not a socket"), status("b").failure());
        Files.delete(obstacle);
        await(() -> PortState.SERVING == status("b").state());
        assertNull(status("b").failure());
    }

    @Test
    void shouldGiveUpWhenNothingStarts() throws Exception
    {
        Files.createFile(directory.resolve("a"));
        final FleetConfig config = config(WorkerMode.DEDICATED, Map.of("a", nic("a", 1500)));
        final RuntimeException failure = assertThrows(RuntimeException.class, () -> Fleet.launch(config, nics));
        assertTrue(failure.getMessage().contains("exists and is not a socket"), failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource(WorkerMode.class)
    void shouldAddAndRemoveOneAfterTheOther(final WorkerMode workers) throws Exception
    {
        fleet = Fleet.launch(config(workers, Map.of("a", nic("a", 1500))), nics);
        fleet.add("b", nic("b", 1500));
        try (Guest first = guest("a"); Guest second = guest("b"))
        {
            first.start();
            second.start();
            final FleetException twice = assertThrows(FleetException.class, () -> fleet.add("b", nic("b", 1500)));
            assertEquals(List.of(
                "port b: there is one of that name; remove it first or choose another name",
                "port b: socket-path: " + directory.resolve("b") + ": port b has it; give each port its own"),
                twice.lines());
            fleet.remove("b");
            await(second::isPeerGone);
            assertFalse(first.isPeerGone());
        }
        final FleetException gone = assertThrows(FleetException.class, () -> fleet.remove("b"));
        assertEquals(List.of("port b: there is no such port; give one of a"), gone.lines());
        fleet.add("b", nic("b", 1500));
        assertEquals(PortState.SERVING, status("b").state());
    }

    @Test
    void shouldNotKeepWhatDoesNotStartWhenItIsAdded() throws Exception
    {
        fleet = Fleet.launch(config(WorkerMode.DEDICATED, Map.of("a", nic("a", 1500))), nics);
        Files.createFile(directory.resolve("b"));
        assertThrows(RuntimeException.class, () -> fleet.add("b", nic("b", 1500)));
        assertEquals(1, fleet.status().size());
    }

    private FleetConfig config(final WorkerMode workers, final Map<String, BackendConfig> ports)
    {
        final Map<String, BackendConfig> sorted = new LinkedHashMap<>();
        ports.keySet().stream().sorted().forEach((name) -> sorted.put(name, ports.get(name)));
        return new FleetConfig(new ProcessConfig(workers, 2, List.of(), null, 0600, null,
            Isolation.DEFAULT, false), sorted);
    }

    private BackendConfig nic(final String socket, final int mtu)
    {
        return BackendConfig.builder().socketPath(directory.resolve(socket).toString()).mtu(mtu).queues(2)
            .port(PortKind.NULL, null).conclude();
    }

    private Guest guest(final String socket) throws Exception
    {
        return new Guest(
            new FrontendConfig().socketPath(directory.resolve(socket).toString()).queuePairs(2).timeoutMs(30_000),
            new GuestConfig().addresses(new GuestAddresses(
                MacAddress.parse("52:54:00:00:00:02"), InetAddress.getByName("198.18.1.2"), null)));
    }

    private PortStatus status(final String name)
    {
        return fleet.status().stream().filter((port) -> port.name().equals(name)).findFirst().orElseThrow();
    }

    private Backend backend(final String name)
    {
        return status(name).backend();
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
