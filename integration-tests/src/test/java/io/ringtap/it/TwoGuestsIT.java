package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.vhost.ops.ControlClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Two guests on one process from a file: from one to the other through its memory, and over two TAPs and a bridge. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoGuestsIT
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String[] NAMES = {"a", "b"};
    private static final String[] ADDRESSES = {"198.18.7.2", "198.18.7.3"};
    private static final Pattern RECEIVED = Pattern.compile("([\\d.]+) Mbits/sec.*receiver");
    private static final int PORT = 5001;

    private final QemuGuest[] guests = new QemuGuest[2];
    private Lab lab;
    private Path control;
    private double direct;

    @BeforeAll
    void boot()
    {
        Provision.kit();
        lab = Lab.open(TwoGuestsIT.class);
        lab.netns().check("ip", "link", "add", "br0", "type", "bridge");
        lab.netns().up("br0", null);
        final Path object = BpfSources.compile("steer", lab.file("objects"));
        control = lab.socket("control.sock");
        final StringBuilder file = new StringBuilder("control: " + control + "\ndefaults:\n  bridge: br0\nports:\n");
        for (final String name : NAMES)
        {
            file.append("  ").append(name).append(": {socket-path: ").append(lab.socket(name)).append(", tap: tap-")
                .append(name).append(", xdp-guest: '").append(object).append(":exchange'}\n");
        }
        final Path config = lab.file("ports.yaml");
        HostFiles.write(config, file.toString().getBytes(StandardCharsets.UTF_8));
        Ringtap.config(lab, "ringtap", config, lab.socket(NAMES[0]), lab.socket(NAMES[1]));
        // It opens behind the ports: who steers finds them.
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
        for (int i = 0; i < 2; i++)
        {
            ask("xdp.map.update", NAMES[i], Map.of("map", "peers", "key", "0", "value", number(NAMES[1 - i])));
            guests[i] = QemuGuest.plan().mac("52:54:00:12:34:0" + (2 + i)).vhostUser(lab.socket(NAMES[i]))
                .boot(lab, "guest-" + NAMES[i]);
            guests[i].check("up " + ADDRESSES[i] + "/24 1500");
        }
    }

    @AfterAll
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    @Order(1)
    void shouldCarryEverythingInMemory()
    {
        final long before = lab.netns().counter("tap-a", "rx_packets") + lab.netns().counter("tap-b", "rx_packets");
        for (int i = 0; i < 2; i++)
        {
            guests[i].check("ping -q -c 5 -i 0.2 -W 10 " + ADDRESSES[1 - i]);
            guests[i].check("ping -q -c 3 -i 0.2 -W 10 -M do -s 1472 " + ADDRESSES[1 - i]);
            assertTrue(isStreamWhole(i), "stream from " + NAMES[i]);
        }
        guests[1].check("iperf3 -s -D --forceflush");
        direct = mbits();
        assertTrue(direct > 0);
        assertEquals(before, lab.netns().counter("tap-a", "rx_packets") + lab.netns().counter("tap-b", "rx_packets"),
            "frames went to the kernel");
    }

    @Test
    @Order(2)
    void shouldCarryEverythingOverTheBridgeOnceTheProgramsAreGone()
    {
        for (final String name : NAMES)
        {
            ask("xdp.unload", name, Map.of("all", true));
        }
        guests[0].check("ping -q -c 5 -i 0.2 -W 10 " + ADDRESSES[1]);
        assertTrue(isStreamWhole(0));
        final double bridged = mbits();
        Progress.say(String.format("VM to VM: TCP %.0f Mbit/s in memory, %.0f over TAP, bridge and TAP: %.2f times",
            direct, bridged, direct / bridged));
        assertTrue(bridged > 0);
    }

    /** Random bytes over TCP; the digests of both ends agree. */
    private boolean isStreamWhole(final int from)
    {
        // A receiver whose input ends closes its half, and busybox's sender takes that for the end of everything.
        guests[1 - from].check("tail -f /dev/null | nc -l -p " + PORT + " >/tmp/stream 2>/tmp/receive.log & " +
            "echo $! >/tmp/receiver.pid; until grep -q '" + String.format(":%04X ", PORT) +
            "' /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done");
        final String sent = guests[from].check("dd if=/dev/urandom of=/tmp/stream bs=1M count=8 2>/dev/null; nc " +
            ADDRESSES[1 - from] + " " + PORT + " </tmp/stream; sha256sum </tmp/stream");
        return guests[1 - from].check("received").strip().equals(sent.strip());
    }

    private double mbits()
    {
        final String text = guests[0].check("iperf3 -c " + ADDRESSES[1] + " -f m -t 5", LIMIT);
        final Matcher matcher = RECEIVED.matcher(text);
        if (!matcher.find())
        {
            throw new RigException("no result of the receiver in:\n" + text);
        }
        return Double.parseDouble(matcher.group(1));
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
