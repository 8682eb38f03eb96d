package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Migration;
import io.ringtap.it.rig.Pcap;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A guest that goes from one QEMU to another and back while it talks, each QEMU with a backend of its own: two TAPs on
 * one bridge, as on two hosts of a network. {@code -Dringtap.it.migrations=N} for more than the usual round.
 */
class MigrationIT
{
    private static final int MIGRATIONS = Integer.getInteger("ringtap.it.migrations", 2);
    private static final String[] SIDES = {"a", "b"};
    private static final String BRIDGE = "br0";
    private static final int ECHO_PORT = 7;
    private static final long SOME = 512 * 1024;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern REPLY = Pattern.compile("(?m)^\\[(\\d+\\.\\d+)\\] \\d+ bytes from");
    private static final Pattern PROGRESS = Pattern.compile("[1-9][\\d.]* [KM]?bits/sec");
    private static final int ETHER_TYPE_OFFSET = 12;
    private static final short RARP = (short)0x8035;

    private final Ringtap[] backends = new Ringtap[2];
    private final List<String> figures = new ArrayList<>();
    private Lab lab;
    private QemuGuest guest;
    private String device = "";
    private int side;
    private int started;

    @BeforeEach
    void open()
    {
        Provision.kit();
        lab = Lab.open(MigrationIT.class);
        lab.netns().check("ip", "link", "add", BRIDGE, "type", "bridge");
        lab.netns().up(BRIDGE, Wire.HOST_ADDRESS);
        for (int i = 0; i < 2; i++)
        {
            backends[i] = Ringtap.serve(lab, "ringtap-" + SIDES[i], socket(i), "--tap=" + tap(i), "--bridge=" + BRIDGE);
            lab.netns().up(tap(i), null);
        }
    }

    @AfterEach
    void takeDown()
    {
        lab.close();
    }

    @Test
    @Tag("message.SET_LOG_BASE")
    @Tag("protocol.LOG_SHMFD")
    @Tag("virtio.LOG_ALL")
    @Tag("virtio.GUEST_ANNOUNCE")
    void shouldTakeGuestForthAndBackUnderTraffic()
    {
        boot("");
        guest.check("iperf3 -s -D --forceflush");
        guest.awaitListener(Wire.IPERF_PORT);
        final HostProcess ping = lab.start("ping", "ping", "-D", "-n", "-i", "0.02", Wire.GUEST);
        final HostProcess iperf = lab.start("iperf3", "iperf3", "-c", Wire.GUEST, "-t", "3600", "-b", "20M", "-i", "1",
            "--forceflush");
        try (EchoStream stream = echo())
        {
            stream.awaitMore(SOME);
            for (int i = 0; i < MIGRATIONS; i++)
            {
                migrate(ping);
                stream.awaitMore(SOME);
                awaitProgress(iperf);
            }
            Progress.say("migrations: " + String.join(", ", figures) + "; " + stream.finish() +
                " bytes there and back on one connection");
        }
        assertTrue(ping.isAlive() && iperf.isAlive());
        iperf.terminate();
        assertFalse(iperf.output().contains("error"), iperf::output);
        for (int i = 0; i < 2; i++)
        {
            assertTrue(backends[i].process().output().contains("LOG_ALL"), "side " + SIDES[i] + " has kept a log");
            assertFalse(backends[i].process().output().contains("refused"), backends[i].process()::output);
            assertEquals(0, i == side ? 0 : backends[i].terminate());
        }
    }

    /** Without GUEST_ANNOUNCE it is the backend that tells the network; and a migration that is called off is none. */
    @Test
    @Tag("message.SEND_RARP")
    @Tag("protocol.RARP")
    @Tag("virtio.LOG_ALL")
    void shouldGoOnAfterCancelAndAnnounceGuestThatCannot()
    {
        boot(",guest_announce=off");
        final HostProcess ping = lab.start("ping", "ping", "-D", "-n", "-i", "0.02", Wire.GUEST);
        try (EchoStream stream = echo())
        {
            stream.awaitMore(SOME);
            final QemuGuest abandoned = incoming(1 - side);
            try (Migration migration = Migration.beginSlowly(lab, guest, abandoned))
            {
                migration.awaitUnderWay();
                stream.awaitMore(SOME);
                migration.cancel();
            }
            abandoned.process().exitCode(LIMIT);
            abandoned.close();
            stream.awaitMore(SOME);
            assertEquals(tap(side), learned());

            final List<byte[]> seen = migrate(ping);

            stream.awaitMore(SOME);
            assertEquals(RARP, Short.reverseBytes(etherType(seen.get(0))), "first frame after the switch");
            Progress.say("after migrate_cancel: " + String.join(", ", figures) + "; " + stream.finish() +
                " bytes there and back on one connection");
        }
    }

    private void boot(final String properties)
    {
        device = properties;
        guest = plan(side).boot(lab, name(side));
        guest.check("up " + Wire.GUEST_ADDRESS);
        guest.check("nc -ll -p " + ECHO_PORT + " -e cat >/dev/null 2>&1 &");
        lab.netns().check("ping", "-q", "-c", "3", "-i", "0.2", "-W", "10", Wire.GUEST);
    }

    private EchoStream echo()
    {
        return EchoStream.connect(lab.netns(), Wire.GUEST, ECHO_PORT, System.nanoTime());
    }

    /** @return the frames that came from the guest first on the other side. */
    private List<byte[]> migrate(final HostProcess ping)
    {
        final int other = 1 - side;
        final Path capture = lab.file("after-" + started + ".pcap");
        final QemuGuest destination = incoming(other);
        final int before = ping.output().length();
        try (HostProcess recorder = lab.start("tcpdump", "tcpdump", "-i", tap(other), "-Q", "in", "-c", "20", "-U",
            "--immediate-mode", "-n", "-Z", "root", "-w", capture.toString());
            Migration migration = Migration.begin(lab, guest, destination))
        {
            final long downtimeMs = migration.awaitDone();
            guest.close();
            guest = destination;
            side = other;
            recorder.exitCode(LIMIT);
            assertEquals(tap(side), learned());
            awaitReplies(ping);
            figures.add(downtimeMs + " ms by QEMU, " + silenceMs(ping.output().substring(before)) +
                " ms without an echo");
        }
        final List<byte[]> seen = Pcap.frames(capture);
        assertEquals(QemuGuest.MAC, mac(seen.get(0)), "first frame after the switch");
        return seen;
    }

    /** Where the bridge believes the guest to be. */
    private String learned()
    {
        final Matcher matcher = Pattern.compile(QemuGuest.MAC + " dev (\\S+)").matcher(
            lab.netns().check("bridge", "fdb", "show", "br", BRIDGE));
        return matcher.find() ? matcher.group(1) : "nowhere";
    }

    private static void awaitReplies(final HostProcess ping)
    {
        for (int i = 0; i < 10; i++)
        {
            ping.await(REPLY, ping.output().length(), LIMIT);
        }
    }

    private static void awaitProgress(final HostProcess iperf)
    {
        iperf.await(PROGRESS, iperf.output().length(), LIMIT);
        assertTrue(iperf.isAlive());
    }

    private static long silenceMs(final String log)
    {
        final Matcher matcher = REPLY.matcher(log);
        double last = 0;
        double longest = 0;
        while (matcher.find())
        {
            final double at = Double.parseDouble(matcher.group(1));
            longest = Math.max(longest, 0 == last ? 0 : at - last);
            last = at;
        }
        return Math.round(longest * 1000);
    }

    private QemuGuest incoming(final int where)
    {
        return plan(where).incoming().start(lab, name(where));
    }

    private QemuGuest.Plan plan(final int where)
    {
        return QemuGuest.plan().device(device).vhostUser(socket(where));
    }

    /** Each QEMU has a name of its own: the logs of all are kept. */
    private String name(final int where)
    {
        return "guest-" + SIDES[where] + started++;
    }

    private Path socket(final int where)
    {
        return lab.socket(SIDES[where]);
    }

    private static String tap(final int where)
    {
        return "tap-" + SIDES[where];
    }

    private static short etherType(final byte[] frame)
    {
        return (short)(frame[ETHER_TYPE_OFFSET] & 0xFF | frame[ETHER_TYPE_OFFSET + 1] << 8);
    }

    private static String mac(final byte[] frame)
    {
        return HexFormat.ofDelimiter(":").formatHex(Arrays.copyOfRange(frame, 6, 12));
    }
}
