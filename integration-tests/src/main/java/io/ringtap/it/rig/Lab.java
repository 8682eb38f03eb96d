package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one test class works with: a namespace, a short directory for sockets, a directory for logs, and everything
 * that was started. Closed in reverse order, also when half of it failed to come up, and then looked over: whatever is
 * left fails the class.
 */
public final class Lab implements AutoCloseable
{
    private static final Map<Path, Integer> OPENED = new ConcurrentHashMap<>();

    private final Path directory;
    private final Path logs;
    private final Netns netns;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    private Lab(final Path directory, final Path logs, final Netns netns)
    {
        this.directory = directory;
        this.logs = logs;
        this.netns = netns;
    }

    public static Lab open(final Class<?> test)
    {
        Provision.root();
        final Path ofClass = Settings.output().resolve(test.getSimpleName());
        final int number = OPENED.merge(ofClass, 1, Integer::sum);
        if (1 == number)
        {
            HostFiles.deleteTree(ofClass);
        }
        final Path logs = HostFiles.directories(ofClass.resolve(Integer.toString(number)));
        try
        {
            // Short on purpose: the path of a UNIX socket has 107 bytes.
            final Path directory = Files.createTempDirectory("rt-it-");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            return new Lab(directory, logs, Netns.create());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public Netns netns()
    {
        return netns;
    }

    public Path socket(final String name)
    {
        return directory.resolve(name);
    }

    public Path log(final String name)
    {
        return file(name + ".log");
    }

    /** Kept like a log, for looking at after a failure. */
    public Path file(final String name)
    {
        return logs.resolve(name);
    }

    /** Will be closed with the lab; closing it earlier as well does no harm. */
    public <T extends AutoCloseable> T own(final T resource)
    {
        owned.push(resource);
        return resource;
    }

    /** A program inside the namespace. */
    public HostProcess start(final String name, final String... command)
    {
        return own(HostProcess.start(name, log(name), netns.inside(List.of(command))));
    }

    @Override
    public void close()
    {
        final List<String> faults = new ArrayList<>();
        while (!owned.isEmpty())
        {
            try
            {
                owned.pop().close();
            }
            catch (final Exception ex)
            {
                faults.add(ex.toString());
            }
        }
        final String strays = Shell.run("ip", "netns", "pids", netns.name()).output().strip();
        if (!strays.isEmpty())
        {
            faults.add("processes left in the namespace: " + strays.replace('\n', ' '));
        }
        netns.close();
        for (final Path left : HostFiles.list(directory))
        {
            faults.add("left behind: " + left.getFileName());
        }
        HostFiles.deleteTree(directory);
        if (Shell.check("ip", "netns", "list").lines().anyMatch(line -> line.split(" ")[0].equals(netns.name())))
        {
            faults.add("namespace " + netns.name() + " is still there");
        }
        if (!faults.isEmpty())
        {
            throw new RigException("the lab was not left clean: " + faults);
        }
    }
}
