package io.ringtap.service;

import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Listening sockets that the supervisor opened for us, by the protocol of sd_listen_fds(3): {@code LISTEN_FDS} of them
 * from descriptor 3 on, when {@code LISTEN_PID} is ours. A NIC whose path one of them is bound to listens on it instead
 * of binding its own, so front-ends can connect before we run and while we are started again.
 * <p>
 * The supervisor's descriptors stay open as long as the process: a NIC may come and go and gets a duplicate each time.
 */
public final class InheritedSockets
{
    private static final int FIRST = 3;
    /** More than the NICs that a configuration file may have; a larger number is a mistake. */
    private static final int MAX = 1024;

    private static InheritedSockets ofProcess;

    private final Map<Path, Integer> byPath = new LinkedHashMap<>();
    private final Set<Path> used = new LinkedHashSet<>();

    private InheritedSockets()
    {
    }

    /** Those of this process. */
    public static synchronized InheritedSockets ofProcess()
    {
        if (null == ofProcess)
        {
            ofProcess = of(System.getenv(), ProcessHandle.current().pid(), FIRST);
        }
        return ofProcess;
    }

    static InheritedSockets of(final Map<String, String> environment, final long pid, final int first)
    {
        final InheritedSockets sockets = new InheritedSockets();
        if (Long.toString(pid).equals(environment.get("LISTEN_PID")))
        {
            final int count = count(environment.get("LISTEN_FDS"));
            for (int number = first; number < first + count; number++)
            {
                sockets.add(number);
            }
        }
        return sockets;
    }

    /** Whether one is bound to the path. */
    public synchronized boolean has(final String path)
    {
        return null != find(path);
    }

    /** @return a descriptor that the caller owns, listening on the path; -1 when there is none. */
    public synchronized int take(final String path)
    {
        final Path found = find(path);
        if (null == found)
        {
            return -1;
        }
        used.add(found);
        return Syscalls.dup(byPath.get(found)).release();
    }

    /** Paths that nobody has asked for: a front-end that connects there would wait for ever. */
    public synchronized Set<Path> unused()
    {
        final Set<Path> left = new LinkedHashSet<>(byPath.keySet());
        left.removeAll(used);
        return left;
    }

    /** What is no UNIX socket with a path is not for us. */
    private void add(final int number)
    {
        final String path = Sockets.boundPath(number);
        if (null != path)
        {
            Syscalls.fcntl(number, Fcntl.F_SETFD, Fcntl.FD_CLOEXEC);
            byPath.put(Path.of(path), number);
        }
    }

    /** By name, or as the same file by another name: /run and /var/run. */
    private Path find(final String path)
    {
        final Path wanted = Path.of(path);
        if (byPath.containsKey(wanted))
        {
            return wanted;
        }
        for (final Path each : byPath.keySet())
        {
            try
            {
                if (Files.isSameFile(each, wanted))
                {
                    return each;
                }
            }
            catch (final IOException ignored)
            {
                // One of them does not exist, so they are not the same.
            }
        }
        return null;
    }

    private static int count(final String text)
    {
        return null != text && text.matches("\\d{1,4}") ? Math.min(MAX, Integer.parseInt(text)) : 0;
    }
}
