package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import io.ringtap.vhost.ops.ControlClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backend that has given up what it does not need: everything works, and every thread of it has given it up. */
class IsolationIT
{
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String NOBODY = "65534";

    private Lab lab;
    private Path control;

    @BeforeEach
    void open()
    {
        Provision.kit();
        lab = Lab.open(IsolationIT.class);
        control = lab.socket("control.sock");
    }

    @AfterEach
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    void shouldDoEverythingInsideTheSandboxOnEveryJava()
    {
        final Path object = BpfSources.compile("steer", lab.file("objects"));
        Shell.check("chmod", "-R", "a+rX", lab.file("objects").toString());
        int count = 0;
        for (final Map.Entry<Integer, Path> java : Jdks.all().entrySet())
        {
            if (java.getKey() >= 17)
            {
                Progress.say("every kind of port in the sandbox on Java " + java.getKey());
                serveEverything(java.getKey(), java.getValue(), object);
                count++;
            }
        }
        Progress.say(count + " releases of Java in the sandbox");
    }

    private void serveEverything(final int version, final Path home, final Path object)
    {
        for (final String name : List.of("p", "q", "x", "m"))
        {
            lab.netns().check("ip", "link", "add", "rt" + name + "0", "type", "veth",
                "peer", "name", "rt" + name + "1");
            lab.netns().up("rt" + name + "0", null);
            lab.netns().up("rt" + name + "1", null);
        }
        final String first = "control: " + control + "\nsandbox: on\nports:\n" +
            "  a: {socket-path: " + lab.socket("a") + ", tap: tap-a, xdp-guest: '" + object +
            ":filter', xdp-oracle: true, capture: " + lab.file("a" + version + ".pcapng") + "}\n" +
            "  p: {socket-path: " + lab.socket("p") + ", packet: rtp0}\n" +
            "  x: {socket-path: " + lab.socket("x") + ", xsk: rtx0}\n" +
            "  m: {socket-path: " + lab.socket("m") + ", macvtap: rtm0, mac: 52:54:00:00:00:01}\n";
        final Path file = lab.file("ports-" + version + ".yaml");
        HostFiles.write(file, first);
        final List<String> command = new ArrayList<>(Ringtap.command(home));
        command.add("--config=" + file);
        final HostProcess backend = lab.start("ringtap-" + version, command.toArray(new String[0]));
        backend.await(Pattern.compile("sandbox: no programs.*"), 0, LIMIT);
        final String said = backend.output();
        assertTrue(said.contains("accepted: the kernel's verifier would load filter"), said);
        assertEveryThread(backend, "Seccomp", Set.of("2"));
        assertEveryThread(backend, "NoNewPrivs", Set.of("1"));
        lab.netns().up("tap-a", "198.18.7.1/24");
        final HostProcess guest = guest("a-" + version, "a", "198.18.7.2");
        ping("198.18.7.2");
        assertTrue(ask("xdp.load", Map.of("port", "a", "object", object + ":filter", "direction", "host",
            "oracle", true)).toString().contains("accepted"));
        ask("capture.stop", Map.of("port", "a"));
        ask("capture.start", Map.of("port", "a", "file", lab.file("again-" + version + ".pcapng").toString()));
        ask("port.add", Map.of("port", "n", "words", "--socket-path=" + lab.socket("n") + "\n--null"));
        HostFiles.write(file, first +
            "  e: {socket-path: " + lab.socket("e") + ", tap: tap-e}\n" +
            "  q: {socket-path: " + lab.socket("q") + ", packet: rtq0}\n");
        Shell.check("kill", "-HUP", Long.toString(backend.pid()));
        Await.until("the ports of the new file", LIMIT,
            () -> Files.exists(lab.socket("e")) && Files.exists(lab.socket("q")));
        lab.netns().up("tap-e", "198.18.8.1/24");
        final HostProcess second = guest("e-" + version, "e", "198.18.8.2");
        ping("198.18.8.2");
        ping("198.18.7.2");
        assertEquals(0, guest.terminate());
        assertEquals(0, second.terminate());
        assertEquals(0, backend.terminate());
        assertFalse(backend.output().contains("EPERM"), backend.output());
        for (final String name : List.of("p", "q", "x", "m"))
        {
            lab.netns().check("ip", "link", "delete", "rt" + name + "0");
        }
    }

    @Test
    void shouldRefuseInOneLineWhatTheSandboxHasShut()
    {
        lab.netns().check("ip", "link", "add", "rtx0", "type", "veth", "peer", "name", "rtx1");
        Ringtap.serve(lab, "ringtap", lab.socket("v"), "--null", "--control=" + control, "--sandbox=on");
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
        final Path words = lab.socket("x");
        final Shell.Result refused = Ringtap.run(lab, "port", "add", "--control=" + control, "--port=x",
            "--socket-path=" + words, "--xsk=rtx0");
        assertEquals(2, refused.exitCode(), refused.output());
        assertTrue(refused.output().contains("which the sandbox has shut for a process that began without"),
            refused.output());
        assertFalse(Files.exists(words));
    }

    @Test
    void shouldServeAsSomebodyWithoutRights()
    {
        final Path home = lab.socket("home");
        HostFiles.directories(home);
        Shell.check("chown", NOBODY, home.toString());
        final Path socket = home.resolve("vhost.sock");
        final Ringtap backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--queues=2",
            "--run-as=" + NOBODY + ":" + NOBODY, "--sandbox=on", "--control=" + home.resolve("control"));
        backend.process().await(Pattern.compile("sandbox: no programs.*"), 0, LIMIT);
        final String ids = String.join(" ", NOBODY, NOBODY, NOBODY, NOBODY);
        assertEveryThread(backend.process(), "Uid", Set.of(ids));
        assertEveryThread(backend.process(), "Gid", Set.of(ids));
        assertEveryThread(backend.process(), "Groups", Set.of(NOBODY));
        for (final String set : List.of("CapPrm", "CapEff", "CapAmb"))
        {
            assertEveryThread(backend.process(), set, Set.of("0000000000000000"));
        }
        Wire.raise(lab.netns());
        for (int i = 0; i < 2; i++)
        {
            final HostProcess guest = guest("guest-" + i, "home/vhost.sock", Wire.GUEST);
            ping(Wire.GUEST);
            assertEquals(0, guest.terminate());
        }
        control = home.resolve("control");
        final Path recording = home.resolve("kept.pcapng");
        ask("capture.start", Map.of("file", recording.toString()));
        ask("capture.stop", Map.of());
        assertTrue(Files.exists(recording));
        assertEquals(0, backend.terminate());
        assertFalse(Files.exists(socket), "the socket was left");
        assertFalse(lab.netns().hasInterface(Wire.TAP));
        HostFiles.deleteTree(home);
    }

    private void assertEveryThread(final HostProcess process, final String field, final Set<String> expected)
    {
        final Set<String> seen = new TreeSet<>();
        int count = 0;
        for (final Path thread : HostFiles.list(Path.of("/proc", Long.toString(process.pid()), "task")))
        {
            for (final String line : HostFiles.read(thread.resolve("status")).lines().toList())
            {
                if (line.startsWith(field + ":"))
                {
                    seen.add(line.substring(field.length() + 1).strip().replaceAll("\\s+", " "));
                    count++;
                }
            }
        }
        assertEquals(expected, seen, field + " of " + count + " threads");
        assertTrue(count > 8, count + " threads");
    }

    private HostProcess guest(final String name, final String socket, final String address)
    {
        final List<String> command = new ArrayList<>(Ringtap.command(Jdks.current()));
        command.addAll(List.of("guest", "--socket-path=" + lab.socket(socket), "--ip=" + address));
        final HostProcess guest = lab.own(HostProcess.start(name, lab.log(name), command));
        guest.await(Pattern.compile("(?m)^connected 1 queue pairs"), 0, LIMIT);
        return guest;
    }

    private void ping(final String address)
    {
        lab.netns().check("ping", "-q", "-c", "3", "-i", "0.2", "-W", "20", address);
    }

    private Map<String, Object> ask(final String name, final Map<String, Object> arguments)
    {
        final Map<String, Object> request = new LinkedHashMap<>(arguments);
        request.put("command", name);
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            return client.ask(request);
        }
    }
}
