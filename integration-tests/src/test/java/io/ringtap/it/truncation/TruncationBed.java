package io.ringtap.it.truncation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.NetnsThread;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Settings;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A backend of three NICs on a bridge: the memory behind one is taken away over and over, the guests of the two others
 * talk to each other all the while, and the host sends to the first.
 */
final class TruncationBed implements AutoCloseable
{
    private static final String BRIDGE = "br0";
    private static final String ADDRESS = "198.18.7.9";
    private static final int PORT = 9;
    private static final List<String> NAMES = List.of("loose", "near", "far");
    private static final int MOST_PUMPS = 24;
    private static final long LONGEST_WAIT_NS = 300_000;
    private static final int FRAMES = 16;
    private static final int PAGE = 4096;
    private static final int DATAGRAM = 1400;

    private final Lab lab = Lab.open(TruncationBed.class);
    private final Setting setting;
    private final Random random;
    private final MemoryFiles files;
    private final Ringtap backend;
    private final DatagramSocket host;
    private final byte[] bridgeMac;
    private final Peer near;
    private final Peer far;

    TruncationBed(final Setting setting, final Path jdk, final long seed)
    {
        this.setting = setting;
        random = new Random(seed);
        try
        {
            files = lab.own(new MemoryFiles(lab));
            ip("link", "add", BRIDGE, "type", "bridge");
            lab.netns().up(BRIDGE, "198.18.7.1/24");
            ip("neigh", "replace", ADDRESS, "lladdr", text(0), "dev", BRIDGE);
            bridgeMac = HexFormat.ofDelimiter(":").parseHex(lab.netns().mac(BRIDGE));
            HostFiles.write(lab.file("ports.yaml"), configuration());
            backend = Ringtap.config(lab, "ringtap", jdk, lab.file("ports.yaml"),
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
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
        }
    }

    MemoryFiles files()
    {
        return files;
    }

    Ringtap backend()
    {
        return backend;
    }

    /** One guest, whose memory goes at a moment that is drawn; its neighbours must not notice, nor the next guest. */
    void takeAway(final MemoryKind kind)
    {
        final Fd file = files.create(kind);
        try (Fd handle = Syscalls.dup(file.number());
            LooseGuest guest =
                new LooseGuest(lab.socket(NAMES.get(0)), setting.features, file, mac(0), bridgeMac, random))
        {
            for (int i = random.nextInt(MOST_PUMPS); i > 0; i--)
            {
                guest.pump();
                toGuest();
            }
            near.send(FRAMES);
            far.send(FRAMES);
            if (random.nextBoolean())
            {
                guest.fill();
            }
            toGuest();
            LockSupport.parkNanos((long)(random.nextDouble() * LONGEST_WAIT_NS));
            files.takeAway(kind, handle, random.nextInt(4) == 0 ? 0 : random.nextInt(MemoryFiles.SIZE) & -PAGE);
            guest.kick();
            toGuest();
            check();
            files.restore(kind, handle);
        }
        finally
        {
            files.remove(kind);
        }
    }

    /** Everything that the neighbours sent arrived, and they can go on. */
    void check()
    {
        for (int i = 0; i < 2; i++)
        {
            near.send(FRAMES);
            far.send(FRAMES);
            near.expectAllOf(far);
            far.expectAllOf(near);
        }
        near.checkConnected();
        far.checkConnected();
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

    private void toGuest()
    {
        try
        {
            final InetAddress to = InetAddress.getByName(ADDRESS);
            for (int i = random.nextInt(FRAMES); i > 0; i--)
            {
                host.send(new DatagramPacket(new byte[DATAGRAM], 1 + random.nextInt(DATAGRAM), to, PORT));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private String configuration()
    {
        final String object = Settings.root().resolve("vhost-backend/src/test/resources/xdp/steer.o").toString();
        final StringBuilder text = new StringBuilder("sandbox: on\nworkers: " + setting.workers + "\n");
        text.append("shared".equals(setting.workers) ? "worker-threads: 1\n" : "").append("ports:\n");
        for (int i = 0; i < NAMES.size(); i++)
        {
            text.append("  ").append(NAMES.get(i)).append(":\n    socket-path: ").append(lab.socket(NAMES.get(i)))
                .append("\n    tap: ").append(tap(i)).append("\n    bridge: " + BRIDGE + "\n    io: ")
                .append(setting.io).append('\n');
            if (0 == i && setting.hasPrograms)
            {
                text.append("    xdp-guest: ").append(object).append(":mark\n    xdp-host: ").append(object)
                    .append(":gate\n");
            }
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
