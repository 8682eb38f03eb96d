package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DPDK's testpmd, as a front-end that is not QEMU (virtio-user) or as a backend to prove the rigs against. */
public final class Testpmd implements AutoCloseable
{
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern PROMPT = Pattern.compile("testpmd> ");
    private static final Pattern STARTED = Pattern.compile("packet forwarding - ports=");
    private static final Pattern MODE = Pattern.compile("Set \\w+ packet forwarding mode");
    private static final Pattern STOPPED = Pattern.compile("Done\\.");
    private static final Pattern STATISTICS = Pattern.compile(
        "(?s)RX-packets:\\s*(?<received>\\d+).*?TX-packets:\\s*(?<sent>\\d+).*?Tx-pps:.*?#{20}");
    private static final Path RUNTIME = Path.of("/var/run/dpdk");

    private final HostProcess process;
    private final String prefix;

    private Testpmd(final HostProcess process, final String prefix)
    {
        this.process = process;
        this.prefix = prefix;
    }

    /**
     * A driver without a machine, connected to a backend's socket.
     *
     * @param device  properties of the virtio-user device behind its path, e.g. {@code ",queues=1,packed_vq=1"}.
     * @param options options of testpmd, e.g. {@code --forward-mode=txonly}.
     */
    public static Testpmd virtioUser(
        final Lab lab, final String name, final Path socket, final String device, final List<String> options)
    {
        return start(lab, name, List.of("--vdev", "net_virtio_user0,path=" + socket + device), options);
    }

    /** DPDK's vhost backend, forwarding to a TAP of its own making. */
    public static Testpmd vhostToTap(final Lab lab, final String name, final Path socket, final String tap)
    {
        final Testpmd started = start(lab, name, List.of("--vdev", "net_vhost0,iface=" + socket + ",queues=1",
            "--vdev", "net_tap0,iface=" + tap), List.of("--forward-mode=io", "--auto-start"));
        lab.own(() -> HostFiles.delete(socket));
        return started;
    }

    private static Testpmd start(
        final Lab lab, final String name, final List<String> devices, final List<String> options)
    {
        return launch(lab, name, "0@0,1@0", devices, options);
    }

    /**
     * Any testpmd.
     *
     * @param cores   its threads and their CPUs, e.g. {@code 0@0,1@1}: the first one waits for commands.
     * @param devices options of DPDK that make its ports.
     * @param options of testpmd itself; the later of two wins.
     */
    public static Testpmd launch(
        final Lab lab,
        final String name,
        final String cores,
        final List<String> devices,
        final List<String> options)
    {
        final String prefix = "rt-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        final List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", "dpdk-testpmd", "--lcores", cores,
            "--no-pci", "--no-telemetry", "--no-huge", "-m", "256", "--file-prefix", prefix));
        command.addAll(devices);
        command.addAll(List.of("--", "-i", "--rxd=1024", "--txd=1024", "--total-num-mbufs=16384"));
        command.addAll(options);
        final HostProcess process = HostProcess.start(name, lab.log(name), lab.netns().inside(command));
        final Testpmd started = lab.own(new Testpmd(process, prefix));
        process.await(PROMPT, 0, LIMIT);
        return started;
    }

    public HostProcess process()
    {
        return process;
    }

    /** What it does with frames from the next start on: {@code txonly}, {@code rxonly}, or {@code io}: send back. */
    public void mode(final String forwarding)
    {
        command("set fwd " + forwarding, MODE);
    }

    public void startForwarding()
    {
        command("start", STARTED);
    }

    public void stopForwarding()
    {
        command("stop", STOPPED);
    }

    public long sent()
    {
        return Long.parseLong(command("show port stats 0", STATISTICS).group("sent"));
    }

    public long received()
    {
        return Long.parseLong(command("show port stats 0", STATISTICS).group("received"));
    }

    /** Types a command and waits for its answer: a prompt may be that of the command before. */
    private Matcher command(final String line, final Pattern answer)
    {
        final int from = process.output().length();
        process.type(line);
        return process.await(answer, from, LIMIT);
    }

    @Override
    public void close()
    {
        if (process.isAlive())
        {
            process.type("quit");
            process.exitCode(LIMIT);
        }
        process.close();
        HostFiles.deleteTree(RUNTIME.resolve(prefix));
    }
}
