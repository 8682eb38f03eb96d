package io.ringtap.it.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.NetnsThread;
import io.ringtap.it.rig.Ringtap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A backend of three NICs on a bridge: something happens to the first, or to the process, while the guests of the two
 * others talk to each other and count their frames. The host can send to the first.
 */
final class NeighbourBed implements AutoCloseable
{
    static final String FIRST = "first";
    private static final List<String> NAMES = List.of(FIRST, "near", "far");
    private static final String BRIDGE = "br0";
    private static final String ADDRESS = "198.18.7.9";
    private static final int PORT = 9;
    private static final int FRAMES = 16;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Lab lab = Lab.open(NeighbourBed.class);
    private final Ringtap backend;
    private final DatagramSocket host;
    private final byte[] bridgeMac;
    private final Peer near;
    private final Peer far;

    /**
     * @param jdk      to run the backend on; null for that of the tests.
     * @param settings lines of the configuration file for the process.
     * @param ofAll    for every NIC.
     * @param ofFirst  for the first.
     */
    NeighbourBed(final Path jdk, final List<String> settings, final List<String> ofAll, final List<String> ofFirst)
    {
        try
        {
            ip("link", "add", BRIDGE, "type", "bridge");
            lab.netns().up(BRIDGE, "198.18.7.1/24");
            ip("neigh", "replace", ADDRESS, "lladdr", text(0), "dev", BRIDGE);
            bridgeMac = HexFormat.ofDelimiter(":").parseHex(lab.netns().mac(BRIDGE));
            HostFiles.write(lab.file("ports.yaml"), configuration(settings, ofAll, ofFirst));
            backend = Ringtap.configOn(null == jdk ? Jdks.current() : jdk, lab, "ringtap", lab.file("ports.yaml"),
                NAMES.stream().map(lab::socket).toArray(Path[]::new));
            for (int i = 1; i < NAMES.size(); i++)
            {
                // Frames of a guest without memory go anywhere; a queue that they fill says nothing about a neighbour.
                ip("link", "set", "dev", tap(i), "type", "bridge_slave", "flood", "off", "mcast_flood", "off",
                    "bcast_flood", "off");
                lab.netns().check("bridge", "fdb", "replace", text(i), "dev", tap(i), "master", "static");
            }
            host = lab.own(NetnsThread.call(lab.netns(), DatagramSocket::new));
            near = lab.own(new Peer(lab.socket("near"), mac(1), mac(2)));
            far = lab.own(new Peer(lab.socket("far"), mac(2), mac(1)));
            // A port of a bridge forwards some time after its link came up.
            Await.until("the bridge to forward", LIMIT, () -> Stream.of(tap(1), tap(2)).allMatch((tap) ->
                lab.netns().check("ip", "-d", "link", "show", tap).contains("state forwarding")));
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
        }
    }

    Lab lab()
    {
        return lab;
    }

    Ringtap backend()
    {
        return backend;
    }

    /** Of the first NIC. */
    Path socket()
    {
        return lab.socket(FIRST);
    }

    /** Of the first NIC's guest. */
    static byte[] mac()
    {
        return mac(0);
    }

    byte[] bridgeMac()
    {
        return bridgeMac;
    }

    /** The neighbours send to each other. */
    void talk()
    {
        near.send(FRAMES);
        far.send(FRAMES);
    }

    /** Everything that the neighbours sent arrived, and they can go on. */
    void check()
    {
        for (int i = 0; i < 2; i++)
        {
            talk();
            near.expectAllOf(far);
            far.expectAllOf(near);
        }
        near.checkConnected();
        far.checkConnected();
    }

    /** The host sends a datagram to the first guest. */
    void toFirst(final int length)
    {
        try
        {
            host.send(new DatagramPacket(new byte[length], length, InetAddress.getByName(ADDRESS), PORT));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Ends it. @return what its log says. */
    String end()
    {
        near.close();
        far.close();
        assertEquals(0, backend.terminate());
        return backend.process().output();
    }

    @Override
    public void close()
    {
        lab.close();
    }

    private String configuration(final List<String> settings, final List<String> ofAll, final List<String> ofFirst)
    {
        final StringBuilder text = new StringBuilder();
        settings.forEach((line) -> text.append(line).append('\n'));
        text.append("ports:\n");
        for (int i = 0; i < NAMES.size(); i++)
        {
            text.append("  ").append(NAMES.get(i)).append(":\n    socket-path: ").append(lab.socket(NAMES.get(i)))
                .append("\n    tap: ").append(tap(i)).append("\n    bridge: " + BRIDGE + "\n");
            Stream.concat(ofAll.stream(), 0 == i ? ofFirst.stream() : Stream.empty())
                .forEach((line) -> text.append("    ").append(line).append('\n'));
        }
        return text.toString();
    }

    private void ip(final String... words)
    {
        lab.netns().check(Stream.concat(Stream.of("ip"), Stream.of(words)).toArray(String[]::new));
    }

    private static String tap(final int i)
    {
        return "tap-" + NAMES.get(i);
    }

    private static byte[] mac(final int i)
    {
        return new byte[]{0x52, 0x54, 0, 0, 7, (byte)(9 + i)};
    }

    private static String text(final int i)
    {
        return HexFormat.ofDelimiter(":").formatHex(mac(i));
    }
}
