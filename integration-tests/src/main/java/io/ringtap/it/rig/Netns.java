package io.ringtap.it.rig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network namespace of our own, in which every interface of a test lives. It is silent: without IPv6 nothing is sent
 * that the test did not send. Addresses are from 198.18.0.0/15, the range for tests of network devices.
 */
public final class Netns implements AutoCloseable
{
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Path DIRECTORY = Path.of("/run/netns");
    private static final Pattern NAME = Pattern.compile("rt-(\\d+)-\\d+");

    private final String name;
    private final Thread hook = new Thread(this::remove);

    private Netns(final String name)
    {
        this.name = name;
    }

    public static Netns create()
    {
        final Netns made = new Netns("rt-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
        sweep();
        Shell.check("ip", "netns", "add", made.name);
        Runtime.getRuntime().addShutdownHook(made.hook);
        made.check("sh", "-c", "for f in all default; do " +
            "echo 1 > /proc/sys/net/ipv6/conf/$f/disable_ipv6 2>/dev/null || :; done; ip link set lo up");
        return made;
    }

    /** Removes namespaces of test runs that were killed: the process in the name is gone and nobody is inside. */
    private static void sweep()
    {
        for (final Path path : HostFiles.list(DIRECTORY))
        {
            final String found = path.getFileName().toString();
            final Matcher matcher = NAME.matcher(found);
            if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty() &&
                Shell.run("ip", "netns", "pids", found).output().isBlank())
            {
                Shell.run("ip", "netns", "delete", found);
            }
        }
    }

    public String name()
    {
        return name;
    }

    /** A command line that runs inside. */
    public List<String> inside(final List<String> command)
    {
        final List<String> wrapped = new ArrayList<>(List.of("ip", "netns", "exec", name));
        wrapped.addAll(command);
        return wrapped;
    }

    public Shell.Result run(final String... command)
    {
        return run(Duration.ofSeconds(60), command);
    }

    public Shell.Result run(final Duration limit, final String... command)
    {
        return Shell.run(limit, Map.of(), inside(Arrays.asList(command)));
    }

    public String check(final String... command)
    {
        return check(Duration.ofSeconds(60), command);
    }

    public String check(final Duration limit, final String... command)
    {
        return Shell.check(limit, Map.of(), inside(Arrays.asList(command)));
    }

    /** Waits until somebody here listens on a TCP port. */
    public void awaitListener(final int port)
    {
        Listeners.await(port, (command) -> run("sh", "-c", command).isSuccess());
    }

    /** Whether there is such a device. */
    public boolean hasInterface(final String device)
    {
        return Shell.run("ip", "-n", name, "link", "show", "dev", device).isSuccess();
    }

    /** Gives an interface its address and brings it up. */
    public void up(final String device, final String address)
    {
        if (null != address)
        {
            Shell.check("ip", "-n", name, "addr", "replace", address, "dev", device);
        }
        Shell.check("ip", "-n", name, "link", "set", device, "up");
    }

    /** A persistent TAP that outlives the backend, as a VM manager makes it. */
    public void addTap(final String device, final boolean multiQueue)
    {
        final List<String> command = new ArrayList<>(List.of("ip", "-n", name, "tuntap", "add", "dev", device, "mode",
            "tap", "vnet_hdr"));
        if (multiQueue)
        {
            command.add("multi_queue");
        }
        Shell.check(command.toArray(String[]::new));
    }

    public String mac(final String device)
    {
        return check("cat", "/sys/class/net/" + device + "/address").strip();
    }

    /** One of the counters under {@code statistics}. */
    public long counter(final String device, final String counter)
    {
        final Matcher matcher = Pattern.compile("(?m)^" + Pattern.quote(counter) + "=(\\d+)$").matcher(
            check("sh", "-c", "cd /sys/class/net/" + device + "/statistics && for f in *; do " +
            "echo $f=$(cat $f); done"));
        if (!matcher.find())
        {
            throw new RigException(device + " has no counter " + counter);
        }
        return Long.parseLong(matcher.group(1));
    }

    /** One of the kernel's UDP counters, for example {@code InDatagrams}; counts datagrams, not super-frames. */
    public long udp(final String counter)
    {
        final List<String> rows = check("cat", "/proc/net/snmp").lines().filter(row -> row.startsWith("Udp:")).toList();
        final int column = Arrays.asList(rows.get(0).split(" ")).indexOf(counter);
        return Long.parseLong(rows.get(1).split(" ")[column]);
    }

    @Override
    public void close()
    {
        remove();
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    private void remove()
    {
        if (!Files.exists(DIRECTORY.resolve(name)))
        {
            return;
        }
        for (final String pid : Shell.run("ip", "netns", "pids", name).output().lines().toList())
        {
            ProcessHandle.of(Long.parseLong(pid.strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
        Shell.run("ip", "netns", "delete", name);
    }
}
