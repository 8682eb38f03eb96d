package io.ringtap.it.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Shell;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.ops.ControlClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults of the host under a running backend: no descriptors are left, sockets are deleted. */
class HostFaultIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** More descriptors than a front-end's session takes. */
    private static final int MOST_LEFT = 20;
    private static final int PATIENCE_MS = 250;
    private static final int PLENTY = 4096;

    private NeighbourBed bed;
    private Path control;

    @BeforeEach
    void open()
    {
        Provision.root();
        final Path directory = HostFiles.directories(Path.of("/tmp", "rt-fault-" + ProcessHandle.current().pid()));
        control = directory.resolve("control");
        bed = new NeighbourBed(null, List.of("sandbox: on", "control: " + control), List.of(), List.of());
    }

    @AfterEach
    void close()
    {
        bed.close();
        HostFiles.deleteTree(control.getParent());
    }

    @Test
    void shouldOutliveWantOfDescriptors()
    {
        serve(PATIENCE_MS * 100);
        bed.check();
        ask();
        Await.settled(Duration.ofMillis(500), LIMIT, () -> (long)bed.backend().view().descriptors().size());
        final List<String> before = bed.backend().view().descriptors();
        int served = 0;
        for (int left = 0; left < MOST_LEFT; left++)
        {
            limit(numberWith(left));
            served += serve(PATIENCE_MS) ? 1 : 0;
            served += isAnswered() ? 1 : 0;
            bed.check();
        }
        limit(PLENTY);
        Await.until("a front-end to be served again", LIMIT, () -> serve(PATIENCE_MS));
        Await.until("the control socket to answer again", LIMIT, this::isAnswered);
        Await.until(() -> "the descriptors as before: " + before + ", not " + bed.backend().view().descriptors(),
            LIMIT, () -> before.equals(bed.backend().view().descriptors()));
        bed.check();
        final String log = bed.end();
        assertTrue(log.contains("EMFILE"), log);
        Progress.say("want of descriptors: with 0 to " + (MOST_LEFT - 1) + " left, " + served + " of " +
            2 * MOST_LEFT + " clients were served");
    }

    @Test
    void shouldListenAnewWhereSocketsWereDeleted()
    {
        serve(PATIENCE_MS * 100);
        for (int i = 0; i < 2; i++)
        {
            HostFiles.delete(bed.socket());
            HostFiles.delete(control);
            Await.until("the sockets", LIMIT, () -> Files.exists(bed.socket()) && Files.exists(control));
            assertTrue(serve(PATIENCE_MS * 100));
            ask();
            bed.check();
        }
        bed.end();
    }

    /** A front-end comes, sets everything up and goes. @return whether it was served. */
    private boolean serve(final int timeoutMs)
    {
        try (Frontend frontend = new Frontend(
            new FrontendConfig().socketPath(bed.socket().toString()).timeoutMs(timeoutMs)))
        {
            frontend.connect();
            frontend.nic();
            frontend.start();
            return true;
        }
        catch (final FrontendException ex)
        {
            return false;
        }
    }

    /** A client that cannot be accepted now would wait, so it does not wait for long. */
    private boolean isAnswered()
    {
        final UnsafeBuffer line = Memory.scratch(1 << 12);
        try (Fd socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0))
        {
            final int length = line.putStringWithoutLengthAscii(0, "{\"command\":\"help\"}\n");
            return 0 == Sockets.connectUnix(socket.number(), control.toString()) &&
                length == Syscalls.write(socket.number(), line, 0, length) &&
                0 != Syscalls.poll(socket.number(), Poll.IN, PATIENCE_MS) &&
                0 < Syscalls.read(socket.number(), line, 0, line.capacity());
        }
    }

    private void ask()
    {
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            assertTrue(client.ask(Map.of("command", "help")).containsKey("help"));
        }
    }

    /** The lowest number at which so many below it are free. */
    private int numberWith(final int free)
    {
        final Set<Integer> taken = HostFiles.list(Path.of("/proc", pid(), "fd")).stream()
            .map((path) -> Integer.parseInt(path.getFileName().toString())).collect(Collectors.toSet());
        int left = free;
        int number = 0;
        while (left > 0 || taken.contains(number))
        {
            left -= taken.contains(number) ? 0 : 1;
            number++;
        }
        assertEquals(0, left);
        return number;
    }

    private void limit(final int descriptors)
    {
        Shell.check("prlimit", "--pid=" + pid(), "--nofile=" + descriptors + ":");
    }

    private String pid()
    {
        return Long.toString(bed.backend().process().pid());
    }
}
