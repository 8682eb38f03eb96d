package io.ringtap.it.rig;

import io.ringtap.vhost.ops.ControlClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Two NICs of one backend from a file, their TAPs on a bridge. Guests reach each other over it, or in the backend's
 * memory while the two are joined by a program that sends everything to the other.
 */
public final class TwoNics
{
    /** Names of the NICs in the file; their TAPs are called {@code tap-a} and {@code tap-b}. */
    public static final List<String> NAMES = List.of("a", "b");

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String BRIDGE = "br0";

    private final Lab lab;
    private final Path program;
    private final Path control;
    private final Path config;
    private final String ports;
    private final Ringtap backend;

    private TwoNics(final Lab lab)
    {
        this.lab = lab;
        program = BpfSources.compile("steer", lab.file("objects"));
        control = lab.socket("control.sock");
        lab.netns().check("ip", "link", "add", BRIDGE, "type", "bridge");
        lab.netns().up(BRIDGE, null);
        final StringBuilder file = new StringBuilder(
            "control: " + control + "\ndefaults:\n  bridge: " + BRIDGE + "\nports:\n");
        NAMES.forEach(name -> file.append(port(name)));
        ports = file.toString();
        config = lab.file("ports.yaml");
        HostFiles.write(config, ports.getBytes(StandardCharsets.UTF_8));
        backend = Ringtap.config(lab, "ringtap", config, socket(0), socket(1));
        // It opens behind the ports: who steers finds them.
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
    }

    /** Serves them, not joined; the lab takes them down. */
    public static TwoNics serve(final Lab lab)
    {
        return new TwoNics(lab);
    }

    /** Where the front-end of a NIC connects. */
    public Path socket(final int nic)
    {
        return lab.socket(NAMES.get(nic));
    }

    /** The process that serves both. */
    public ProcessView view()
    {
        return backend.view();
    }

    /** From now on each sends what its guest sends to the other's guest. */
    public void join()
    {
        final String[] numbers = NAMES.stream().map(this::number).toArray(String[]::new);
        for (int nic = 0; nic < numbers.length; nic++)
        {
            ask("xdp.load", NAMES.get(nic), Map.of("object", program + ":exchange", "direction", "guest"));
            ask("xdp.map.update", NAMES.get(nic), Map.of("map", "peers", "key", "0", "value", numbers[1 - nic]));
        }
    }

    /** From now on they have only the bridge. */
    public void part()
    {
        NAMES.forEach(name -> ask("xdp.unload", name, Map.of("all", true)));
    }

    /**
     * Rewrites the file and has it read again.
     *
     * @param more lines behind those of the two NICs.
     * @param said what the backend then says, at the latest within a minute.
     */
    public void reload(final String more, final Pattern said)
    {
        final int from = backend.process().output().length();
        HostFiles.write(config, (ports + more).getBytes(StandardCharsets.UTF_8));
        Shell.check("kill", "-HUP", Long.toString(backend.process().pid()));
        backend.process().await(said, from, LIMIT);
    }

    /** A NIC's lines in the file. */
    public String port(final String name)
    {
        return "  " + name + ": {socket-path: " + lab.socket(name) + ", tap: tap-" + name + "}\n";
    }

    /** Frames that both NICs have handed to the kernel. */
    public long sentToKernel()
    {
        return NAMES.stream().mapToLong(name -> lab.netns().counter("tap-" + name, "rx_packets")).sum();
    }

    private String number(final String name)
    {
        final List<?> ports = (List<?>)ask("port.show", name, Map.of()).get("ports");
        return String.valueOf(((Map<?, ?>)ports.get(0)).get("number"));
    }

    private Map<String, Object> ask(final String command, final String port, final Map<String, Object> arguments)
    {
        final Map<String, Object> request = new LinkedHashMap<>(arguments);
        request.put("command", command);
        request.put("port", port);
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            return client.ask(request);
        }
    }
}
