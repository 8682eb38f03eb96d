package io.ringtap;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestQueue;
import io.ringtap.port.PortCounter;
import io.ringtap.port.PortQueue;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.ops.NicDirectory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
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

    /** What its thread waits with is no such thing any more: it is given up, and another one serves the NIC. */
    @Test
    void shouldStartANicAnewWhoseWorkerGaveUp() throws ReflectiveOperationException
    {
        final NicDirectory nics = new NicDirectory();
        fleet = Fleet.launch(config(List.of()), nics);
        final Backend before = status("b").backend();
        final QueuePairWorker worker = before.workers().get(0);
        final Method descriptor = QueuePairWorker.class.getDeclaredMethod("waitDescriptor");
        descriptor.setAccessible(true);
        final int number = (int)descriptor.invoke(worker);
        worker.call(() ->
        {
            try (Fd nothing = Syscalls.open("/dev/null", Fcntl.O_RDONLY))
            {
                Syscalls.replace(number, nothing);
            }
        });
        await(() -> nics.missing().contains("b"));
        await(() -> nics.missing().isEmpty() && PortState.SERVING == status("b").state());
        assertNotSame(before, status("b").backend());
        assertEquals(PortState.SERVING, status("a").state());
        for (final String name : List.of("a", "b"))
        {
            carry(name);
        }
    }

    /** A guest's frame leaves by the port. */
    private void carry(final String name)
    {
        final PortQueue port = status(name).backend().port().queue(0);
        final long sent = port.counters().get(PortCounter.TX_FRAMES);
        try (Frontend frontend = new Frontend(new FrontendConfig().socketPath(directory.resolve(name).toString())))
        {
            frontend.connect();
            final GuestQueue queue = frontend.nic().queue(0);
            frontend.start();
            assertTrue(queue.send(new UnsafeBuffer(new byte[100]), 0, 100));
            await(() -> sent < port.counters().get(PortCounter.TX_FRAMES));
        }
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
