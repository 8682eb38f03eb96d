package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A host of its own: a fresh Debian that systemd runs, in the lab's network namespace. What is written to it lies over
 * the cached Debian in memory, and goes with it.
 */
public final class Container implements AutoCloseable
{
    private static final Duration BOOT_LIMIT = Duration.ofSeconds(180);
    private static final Duration BUSY_PAUSE = Duration.ofSeconds(1);
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(120);
    private static final Path OWN_GROUPS = Path.of("/proc/self/cgroup");
    /** The hierarchies that systemd uses: its own of version 1, and version 2. */
    private static final String NAMED = "\\d+:(name=systemd)?:.*";
    private static final Pattern UP = Pattern.compile("running|degraded");

    private final HostProcess process;
    private final long leader;

    private Container(final HostProcess process, final long leader)
    {
        this.process = process;
        this.leader = leader;
    }

    /** Boots it and waits until its services are up. */
    public static Container boot(final Lab lab, final String name)
    {
        final List<String> command = List.of("systemd-nspawn", "--quiet", "--directory=" + DebianRoot.provide(),
            "--volatile=overlay", "--machine=" + name, "--register=no", "--keep-unit",
            "--network-namespace-path=/run/netns/" + lab.netns().name(), "--capability=CAP_NET_ADMIN,CAP_NET_RAW",
            "--bind=/dev/net/tun", "--console=pipe", "--boot");
        final HostProcess[] process = {HostProcess.start(name, lab.log(name), command)};
        final long[] leader = new long[1];
        Await.until(() -> "the container's first process\n" + process[0].output(), BOOT_LIMIT, () ->
        {
            if (!process[0].isAlive())
            {
                if (!process[0].output().strip().endsWith("busy"))
                {
                    throw new RigException("the container ended\n" + process[0].output());
                }
                // Another test run has a container over the same Debian, which systemd-nspawn locks.
                Await.pause(BUSY_PAUSE);
                process[0] = HostProcess.start(name, lab.log(name), command);
            }
            leader[0] = ProcessHandle.of(process[0].pid()).stream().flatMap(ProcessHandle::children)
                .mapToLong(ProcessHandle::pid).findFirst().orElse(0);
            return leader[0] != 0 && Files.exists(Path.of("/proc/" + leader[0] + "/root/run/systemd/private"));
        });
        final Container container = lab.own(new Container(process[0], leader[0]));
        Await.until(() -> "services\n" + container.run("systemctl list-jobs; systemctl --failed").output(), BOOT_LIMIT,
            () -> UP.matcher(container.run("systemctl is-system-running").output().strip()).matches());
        return container;
    }

    /** A line for the shell inside, as root. */
    public Shell.Result run(final String line)
    {
        return Shell.run(COMMAND_LIMIT, Map.of(), inside("sh", "-c", "cd /\n" + line));
    }

    /** As {@link #run}, but any exit code other than 0 is an error. */
    public String check(final String line)
    {
        final Shell.Result result = run(line);
        if (!result.isSuccess())
        {
            throw new RigException("container: exit " + result.exitCode() + ": " + line + "\n" + result.output());
        }
        return result.output();
    }

    /** A command that runs inside. */
    public List<String> inside(final String... command)
    {
        final List<String> wrapped = new ArrayList<>(List.of("nsenter", "--target", Long.toString(leader), "--mount",
            "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "env", "-i", "LC_ALL=C.UTF-8",
            "HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
        wrapped.addAll(List.of(command));
        return wrapped;
    }

    /** A file inside as the host sees it. */
    public Path path(final String absolute)
    {
        return Path.of("/proc/" + leader + "/root" + absolute);
    }

    public void copy(final Path from, final String absolute)
    {
        try
        {
            Files.copy(from, path(absolute), StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public void write(final String absolute, final String text)
    {
        HostFiles.write(path(absolute), text);
    }

    /** Powers it off. The control groups that it had below ours are empty then, and would stay. */
    @Override
    public void close()
    {
        process.close();
        for (final String line : HostFiles.read(OWN_GROUPS).lines().filter(each -> each.matches(NAMED)).toList())
        {
            final String[] parts = line.split(":", 3);
            final String group = "/".equals(parts[2]) ? "" : parts[2];
            for (final String hierarchy : List.of("", "/unified", "/systemd"))
            {
                Shell.run("sh", "-c", "cd \"$0\" && for g in payload supervisor; do [ ! -d $g ] || " +
                    "find $g -depth -type d -exec rmdir {} +; done", "/sys/fs/cgroup" + hierarchy + group);
            }
        }
    }
}
