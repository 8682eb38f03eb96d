package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.GuestProgram;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import io.ringtap.vhost.ops.ControlClient;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real guest whose driver is hostile: a program drives the device in place of the kernel and breaks the rules of
 * rings and headers one by one. Its NIC and a neighbour's share a process and a thread; the neighbour sends all the
 * while and loses nothing, and the guest's own kernel finds the device in order afterwards.
 */
class HostileQemuIT
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int CASES = Integer.getInteger("hostile.cases", 10);
    private static final long SEED = Long.getLong("hostile.seed", 20261201);
    private static final String HOST = "198.18.7.1";
    private static final String GUEST = "198.18.7.2";
    private static final String NEIGHBOUR_HOST = "198.18.8.1";
    private static final String NEIGHBOUR = "198.18.8.2";
    private static final double RATE = 2000;

    private Lab lab;

    /** What the program says of a way: what it may cost, and the counter that tells. */
    private record Way(String name, String cost, String counter)
    {
        static Way parse(final String line)
        {
            final String[] words = line.split(" ");
            return new Way(words[0], words[1], words[2]);
        }

        boolean isExact()
        {
            return "frames".equals(cost) || "ring".equals(cost);
        }

        boolean isCounted()
        {
            return isExact() || "received".equals(cost);
        }
    }

    @AfterEach
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"split", "packed"})
    void shouldCostAFrameOrARingAndNoNeighbour(final String layout) throws Exception
    {
        Provision.kit();
        lab = Lab.open(HostileQemuIT.class);
        final Ringtap backend = serve();
        try (Guest neighbour = neighbour())
        {
            final QemuGuest guest = QemuGuest.plan().device("packed".equals(layout) ? ",packed=on" : "")
                .vhostUser(lab.socket("a")).boot(lab, "guest");
            guest.check("up " + GUEST + "/24");
            final String program =
                GuestProgram.compile(lab, "hostile_driver").send(lab, guest, HOST) + " " + layout;
            final List<Way> ways = guest.check(program + " list").lines().map(Way::parse).toList();
            final String device = guest.check("basename \"$(readlink -f /sys/class/net/eth0/device/..)\"").strip();
            guest.check("echo " + device + " >/sys/bus/pci/drivers/virtio-pci/unbind");
            lab.netns().check("ip", "neigh", "replace", GUEST, "lladdr", QemuGuest.MAC, "dev", "tap-a");
            lab.start("flood", "ping", "-q", "-i", "0.005", GUEST);
            final long before = datagrams();
            final long generated = neighbour.sum(GuestCounter.GENERATED_PACKETS);
            neighbour.generate(spec());

            final List<String> failures = new ArrayList<>();
            for (final Way way : ways)
            {
                attack(guest, program, way, failures);
                assertTrue(backend.process().isAlive(), way.name());
                final long returned = neighbour.sum(GuestCounter.RETURNED_FRAMES);
                Await.until("the neighbour to go on after " + way.name(), LIMIT,
                    () -> returned < neighbour.sum(GuestCounter.RETURNED_FRAMES));
            }
            assertEquals(List.of(), failures, "seed " + SEED);

            neighbour.stopGenerating();
            Await.until("the end of sending", LIMIT, () -> !neighbour.isGenerating() && 0 == neighbour.inFlight());
            final long sent = neighbour.sum(GuestCounter.GENERATED_PACKETS) - generated;
            Await.until(() -> sent + " datagrams, " + (datagrams() - before) + " arrived", LIMIT,
                () -> datagrams() - before >= sent);
            assertEquals(sent, datagrams() - before, "datagrams of the neighbour");
            assertNull(neighbour.failure());
            guest.check("echo " + device + " >/sys/bus/pci/drivers/virtio-pci/bind; " +
                "until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done; up " + GUEST + "/24");
            guest.check("ping -q -c 5 -i 0.2 -W 10 " + HOST);
            Progress.say("hostile driver in QEMU, " + layout + ": " + ways.size() * CASES + " cases of " + ways.size() +
                " ways; the neighbour lost none of " + sent + " datagrams");
        }
        assertEquals(0, backend.process().terminate());
        final String log = backend.process().output();
        assertFalse(log.contains("not given back") || log.contains("fault of ours") || log.contains("ERROR"), log);
    }

    /** One way, some times: its counter moves as often, and no other one that tells of faults. */
    private void attack(final QemuGuest guest, final String program, final Way way, final List<String> failures)
    {
        final Map<String, Long> before = counters();
        final Shell.Result result = guest.run(program + " " + way.name() + " " + SEED + " " + CASES);
        if (!result.output().contains(way.name() + ": " + CASES + " cases, 0 faults"))
        {
            failures.add(way.name() + ": exit " + result.exitCode() + ": " + result.output());
        }
        final Map<String, Long> after = counters();
        assertEquals(0, after.get("failed"), way.name());
        final long moved = way.isCounted() ? after.get(way.counter()) - before.get(way.counter()) : 0;
        if (way.isExact() && CASES != moved || way.isCounted() && moved < CASES)
        {
            failures.add(way.name() + ": " + way.counter() + " moved by " + moved);
        }
        after.forEach((label, value) ->
        {
            final boolean isFault = label.matches("head_range|available_lead|next_range|chain_.*|buffer_(un|or).*|" +
                "indirect_.*|drop-(short|long|net-header)");
            if (!"anything".equals(way.cost()) && isFault && !label.equals(way.counter()) &&
                !value.equals(before.get(label)))
            {
                failures.add(way.name() + ": " + label + " moved by " + (value - before.get(label)));
            }
        });
    }

    /** All counters of the attacked NIC by label, rings and directions together. */
    private Map<String, Long> counters()
    {
        final Map<String, Long> sums = new TreeMap<>();
        try (ControlClient client = ControlClient.connect(lab.socket("control.sock").toString()))
        {
            final Map<?, ?> ports = (Map<?, ?>)client.ask(Map.of("command", "stats")).get("ports");
            for (final Object set : (List<?>)ports.get("a"))
            {
                ((Map<?, ?>)((Map<?, ?>)set).get("counters")).forEach((label, value) ->
                    sums.merge((String)label, ((Number)value).longValue(), Long::sum));
            }
        }
        return sums;
    }

    private Ringtap serve()
    {
        final Path file = lab.file("ports.yaml");
        final Path control = lab.socket("control.sock");
        final StringBuilder text = new StringBuilder(
            "control: " + control + "\nworkers: shared\nworker-threads: 1\nports:\n");
        for (final String name : List.of("a", "b"))
        {
            text.append("  ").append(name).append(": {socket-path: ").append(lab.socket(name)).append(", tap: tap-")
                .append(name).append("}\n");
        }
        HostFiles.write(file, text.toString());
        final Ringtap backend = Ringtap.config(lab, "ringtap", file, lab.socket("a"), lab.socket("b"));
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
        lab.netns().up("tap-a", HOST + "/24");
        lab.netns().up("tap-b", NEIGHBOUR_HOST + "/24");
        lab.start("sink", "socat", "-u", "UDP4-RECV:9,bind=" + NEIGHBOUR_HOST, "OPEN:/dev/null");
        Await.until("the sink", LIMIT, () -> lab.netns().check("cat", "/proc/net/udp").contains(":0009 "));
        return backend;
    }

    private Guest neighbour() throws Exception
    {
        final Guest guest = new Guest(
            new FrontendConfig().socketPath(lab.socket("b").toString()).timeoutMs(30_000),
            new GuestConfig().addresses(new GuestAddresses(mac(), InetAddress.getByName(NEIGHBOUR), null)));
        guest.start();
        return guest;
    }

    private PktgenConfig spec() throws Exception
    {
        return new PktgenConfig().spec(new FrameSpec(mac(), MacAddress.parse(lab.netns().mac("tap-b")),
            InetAddress.getByName(NEIGHBOUR), InetAddress.getByName(NEIGHBOUR_HOST), false, 10_000, 9,
            ChecksumMode.FULL)).rate(RATE);
    }

    private static MacAddress mac()
    {
        return MacAddress.parse("52:54:00:12:34:08");
    }

    /** Datagrams that reached the host's sockets, read or not. */
    private long datagrams()
    {
        return lab.netns().udp("InDatagrams") + lab.netns().udp("NoPorts") + lab.netns().udp("InErrors");
    }
}
