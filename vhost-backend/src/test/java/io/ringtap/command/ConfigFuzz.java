package io.ringtap.command;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Fuzz target: configuration files. Each is taken, or refused in lines. Found by name, run by {@code FuzzIT}. */
public final class ConfigFuzz
{
    private static final int LONGEST_LINE = 2000;

    private ConfigFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        try
        {
            ConfigFile.parse("fuzz.yaml", data, Map.of());
        }
        catch (final ConfigFileException refused)
        {
            for (final String line : refused.lines())
            {
                if (1 != line.lines().count() || line.length() > LONGEST_LINE)
                {
                    throw new IllegalStateException("not a line: " + line, refused);
                }
            }
        }
    }

    /** Inputs to begin with. */
    public static List<byte[]> seeds()
    {
        return List.of(
            text("ports:\n  web: {socket-path: /run/a.sock, null: true}\n"),
            text("control: /run/c\ncontrol-mode: 660\nsandbox: auto\nworkers: shared\nworker-threads: 2\n" +
                "worker-cpus: 0-1\ndefaults:\n  queues: 2\n  mtu: 1500\n  no-offload: [ufo, uso]\n" +
                "ports:\n  a:\n    socket-path: /run/a\n    tap: tap0\n    mac: 52:54:00:00:00:01\n    cpus: 0,1\n" +
                "  b:\n    socket-path: /run/b\n    packet: eth0\n    doorbell: true\n    filter:\n" +
                "      - UdpPortFilter:53\n"),
            text("ports: {x: {socket-path: /run/x, xsk: 'eth0:auto', capture: /tmp/x.pcapng, capture-files: 3, " +
                "capture-file-mib: 1}}\n"),
            text("ports:\n  m: {fd: 5, macvtap: 'eth0:bridge', socket-mode: 660, no-feature: 'ring-packed'}\n"),
            text("ports: [1, &a {b: *a}, !!str x, <<: {}]\n"));
    }

    private static byte[] text(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
