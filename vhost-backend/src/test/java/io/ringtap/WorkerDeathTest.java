package io.ringtap;

import io.ringtap.vhost.ops.NicDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Threads that end by themselves: the NIC is said to be down, the others go on, and it comes back when it can. */
class WorkerDeathTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;
    /** A processor that no machine has, and that only the kernel knows not to be there. */
    private static final int NO_CPU = 1000;

    @TempDir
    Path directory;

    private Fleet fleet;

    @AfterEach
    void close()
    {
        if (null != fleet)
        {
            fleet.close();
        }
    }

    @Test
    void shouldSayThatANicIsDownWhoseWorkerEndedAndStartItAnew()
    {
        fleet = Fleet.launch(config(List.of(NO_CPU)), new NicDirectory());
        await(() -> PortState.FAILED == status("b").state());
        assertTrue(status("b").failure().contains("thread queue-pair-0 ended by itself"), status("b").failure());
        assertEquals(PortState.SERVING, status("a").state());
        fleet.reload(config(List.of()));
        assertEquals(PortState.SERVING, status("b").state());
    }

    private FleetConfig config(final List<Integer> cpus)
    {
        final Map<String, BackendConfig> ports = new LinkedHashMap<>();
        ports.put("a", nic("a").conclude());
        ports.put("b", nic("b").cpus(cpus).conclude());
        return new FleetConfig(
            new ProcessConfig(WorkerMode.DEDICATED, 1, List.of(), null, 0600, null,
                Isolation.DEFAULT, false), ports);
    }

    private BackendConfigBuilder nic(final String name)
    {
        return BackendConfig.builder().socketPath(directory.resolve(name).toString()).port(PortKind.NULL, null);
    }

    private PortStatus status(final String name)
    {
        return fleet.status().stream().filter((port) -> port.name().equals(name)).findFirst().orElseThrow();
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
