package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hosts joined by VXLAN as docs/recipes/vxlan.md says, a guest on each: its commands are what runs here. */
class VxlanIT
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration CUT = Duration.ofSeconds(5);
    private static final String[] UNDERLAY = {"198.18.0.1", "198.18.0.2"};
    private static final String[] GUESTS = {"198.18.7.2", "198.18.7.3"};
    private static final Pattern COMMANDS = Pattern.compile("(?s)\n```sh\n(.*?)\n```\n");
    private static final Pattern RECEIVED = Pattern.compile("([\\d.]+) Mbits/sec.*receiver");

    @ParameterizedTest(name = "guests of MTU {0} over an underlay of {1}")
    @CsvSource({"1450, 1500", "1500, 1550"})
    void shouldCarryGuestsAcrossHostsAndSurviveACut(final int mtu, final int underlayMtu) throws Exception
    {
        Provision.kit();
        try (Lab first = Lab.open(VxlanIT.class); Lab second = Lab.open(VxlanIT.class))
        {
            Shell.check("ip", "link", "add", "under0", "netns", first.netns().name(), "mtu",
                Integer.toString(underlayMtu), "type", "veth", "peer", "name", "under0", "mtu",
                Integer.toString(underlayMtu), "netns", second.netns().name());
            final QemuGuest a = host(first, 0, mtu);
            final QemuGuest b = host(second, 1, mtu);
            a.check("up " + GUESTS[0] + "/24 " + mtu);
            b.check("up " + GUESTS[1] + "/24 " + mtu);

            final String full = Integer.toString(mtu - 28);
            a.check("ping -q -c 5 -i 0.2 -W 10 " + GUESTS[1]);
            a.check("ping -q -c 3 -i 0.2 -W 10 -M do -s " + full + " " + GUESTS[1]);
            b.check("ping -q -c 3 -i 0.2 -W 10 -M do -s " + full + " " + GUESTS[0]);
            assertFalse(a.run("ping -q -c 1 -W 2 -M do -s " + (mtu - 27) + " " + GUESTS[1]).isSuccess());

            b.check("iperf3 -s -D --forceflush");
            b.awaitListener(Wire.IPERF_PORT);
            Progress.say(String.format("VXLAN, guests of %d: TCP %.0f Mbit/s", mtu, mbits(client(a, 3))));
            streamUnderACut(first, a);
        }
    }

    /** One session before, during and after the cut; it must go on, not begin anew. */
    private static void streamUnderACut(final Lab lab, final QemuGuest guest) throws Exception
    {
        final AtomicReference<String> text = new AtomicReference<>("");
        final Thread stream = new Thread(() -> text.set(client(guest, 25)), "stream");
        final long before = lab.netns().counter("tap0", "rx_packets");
        stream.start();
        Await.until("the stream", LIMIT, () -> lab.netns().counter("tap0", "rx_packets") > before + 100);
        Shell.check("ip", "-n", lab.netns().name(), "link", "set", "under0", "down");
        Await.pause(CUT);
        Shell.check("ip", "-n", lab.netns().name(), "link", "set", "under0", "up");
        stream.join(LIMIT.toMillis());
        assertFalse(stream.isAlive(), "the stream has not ended");
        assertTrue(text.get().contains("0.00 Mbits/sec") || text.get().contains("0.00 bits/sec"),
            "the cut does not show:\n" + text.get());
        assertTrue(mbits(text.get()) > 0, text.get());
        assertEquals(-1, text.get().indexOf("error"), text.get());
    }

    private static QemuGuest host(final Lab lab, final int index, final int mtu)
    {
        lab.netns().up("under0", UNDERLAY[index] + "/24");
        lab.netns().check("sh", "-e", "-c", "UNDERLAY=under0 LOCAL=" + UNDERLAY[index] + " REMOTE=" +
            UNDERLAY[1 - index] + "\n" + commands());
        final Path socket = lab.socket("vm.sock");
        Ringtap.serve(lab, "ringtap", socket, "--tap=tap0", "--bridge=br0", "--mtu=" + mtu);
        return QemuGuest.plan().mac("52:54:00:12:34:0" + (2 + index)).device(",host_mtu=" + mtu).vhostUser(socket)
            .boot(lab, "guest");
    }

    private static String client(final QemuGuest guest, final int seconds)
    {
        return guest.check("iperf3 -c " + GUESTS[1] + " -f m -t " + seconds, LIMIT);
    }

    private static double mbits(final String text)
    {
        final Matcher matcher = RECEIVED.matcher(text);
        if (!matcher.find())
        {
            throw new RigException("no result of the receiver in:\n" + text);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static String commands()
    {
        final Path recipe = Settings.root().resolve("docs/recipes/vxlan.md");
        final Matcher matcher = COMMANDS.matcher(HostFiles.read(recipe));
        if (!matcher.find())
        {
            throw new RigException("no commands in " + recipe);
        }
        return matcher.group(1);
    }
}
