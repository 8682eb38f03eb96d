package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import io.ringtap.it.rig.Tshark;
import io.ringtap.vhost.ops.ControlClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** eBPF programs, compiled by clang, on the way of a real guest's frames, steered by the command line. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class XdpIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int GENERATED = 20_000;
    private static final int BURST = 32;
    private static final String VIRTUAL = "198.18.7.77";

    private Lab lab;
    private Ringtap backend;
    private QemuGuest guest;
    private Wire wire;
    private Path control;
    private Path object;

    @BeforeAll
    void boot()
    {
        Provision.kit();
        Tshark.provide();
        lab = Lab.open(XdpIT.class);
        object = BpfSources.compile("steer", lab.file("objects"));
        control = lab.socket("control.sock");
        final Path socket = lab.socket("vhost.sock");
        backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--control=" + control,
            "--xdp-guest=" + object + ":filter", "--xdp-host=" + object + ":filter", "--xdp-oracle", "--verbose");
        Wire.raise(lab.netns());
        guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS + " 1500");
        wire = new Wire(lab, guest);
    }

    @AfterAll
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    /** Back to what the backend was started with: the filter in both directions. */
    @AfterEach
    void cleanUp()
    {
        for (final String direction : List.of("guest", "host"))
        {
            final List<Map<?, ?>> hooks = hooks(direction);
            for (final Map<?, ?> hook : hooks.subList(1, hooks.size()))
            {
                ringtap("xdp", "unload", "--id=" + hook.get("id"));
            }
        }
    }

    @Test
    void shouldCarryEverythingUnderProgramsThatOnlyLook()
    {
        wire.ping();
        assertTrue(wire.streamToHost(), "stream to the host");
        assertTrue(wire.streamToGuest(), "stream to the guest");
        final String kernel = backend.process().output();
        assertTrue(kernel.contains("accepted: the kernel's verifier would load filter"), kernel);
    }

    @Test
    void shouldDropByAMapThatTheCommandLineWritesAndReads()
    {
        final long before = frames();
        ringtap("xdp", "map", "update", "shut", "9", "0");
        try
        {
            final String lost = wire.lostOf(GENERATED, 60, BURST, 1);
            assertTrue(lost.contains(", 0 arrived"), lost);
            assertTrue(frames() - before >= GENERATED, "seen counts what it saw");
            final String count = ringtap("xdp", "map", "lookup", "shut", "9");
            assertTrue(Long.parseLong(count.strip().split("\\s+")[1]) >= GENERATED, count);
            assertTrue(ringtap("xdp", "map", "dump", "shut").startsWith("9  "));
        }
        finally
        {
            ringtap("xdp", "map", "delete", "shut", "9");
        }
        assertNull(wire.lostOf(GENERATED / 4, 60, BURST, 1));
        assertEquals("", ringtap("xdp", "map", "dump", "shut"));
    }

    @Test
    void shouldBeRecordedSoThatTsharkReadsWhatHappened()
    {
        final Path file = lab.file("guest.pcapng");
        ringtap("xdp", "map", "update", "shut", "9", "0");
        final long begunNs = epochNs();
        final String sent;
        final String said;
        try (HostProcess recording = lab.start("capture", words("capture", "--write=" + file)))
        {
            Await.until("the recording", LIMIT, () -> recording.output().contains("recording to"));
            wire.ping();
            sent = wire.lostOf(GENERATED / 4, 60, BURST, 1);
            assertTrue(wire.streamToHost(), "stream to the host");
            assertTrue(wire.streamToGuest(), "stream to the guest");
            assertEquals(0, recording.terminate());
            said = recording.output();
        }
        finally
        {
            ringtap("xdp", "map", "delete", "shut", "9");
        }
        assertTrue(sent.contains(", 0 arrived"), sent);
        final TsharkRecording read = TsharkRecording.read(file);
        read.assertTimes(begunNs, epochNs());
        read.assertFrames(Wire.TAP, QemuGuest.MAC, 9);
        assertTrue(said.contains(read.frames() + " frames, 0 missed"), said);
        assertEquals(sent.substring(0, sent.indexOf(' ')), Long.toString(read.dropped()));
        // Each side asks five times, and is answered.
        assertEquals(List.of(5L, 5L, 5L, 5L), read.echoes());
        for (final boolean isFromGuest : new boolean[]{true, false})
        {
            assertTrue(read.streamed(isFromGuest) >= Wire.STREAM_MIB << 20, read::toString);
        }
        Progress.say("tshark read " + read);
    }

    private static long epochNs()
    {
        final Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Test
    void shouldTranslateAddressesOfStreamsInBothDirections()
    {
        // The guest talks to an address that nobody has; its frames go to the host, and the answers come from there.
        final String mac = lab.netns().mac(Wire.TAP);
        guest.check("ip neigh replace " + VIRTUAL + " lladdr " + mac + " dev eth0");
        load("nat", "guest", Map.of("from", VIRTUAL, "to", Wire.HOST));
        load("nat", "host", Map.of("from", Wire.HOST, "to", VIRTUAL));
        guest.check("ping -q -c 5 -i 0.2 -W 10 " + VIRTUAL);
        assertTrue(wire.streamToHost(VIRTUAL), "stream to the host by its other address");
        final Map<?, ?> nat = hooks("guest").get(1);
        assertEquals(true, nat.get("changesFrames"), () -> String.valueOf(nat));
        final String stats = ringtap("stats");
        assertTrue(stats.contains("hook-cut") || stats.contains("hook-completed"), stats);
        Progress.say("under nat: " + stats.lines().filter((line) -> line.contains("hook-")).toList());
    }

    @Test
    void shouldReflectEchoesInBothDirections()
    {
        load("reflect", "guest", Map.of());
        // Whatever address the guest pings, the program answers.
        guest.check("ip neigh replace " + VIRTUAL + " lladdr 52:54:00:77:77:77 dev eth0");
        guest.check("ping -q -c 5 -i 0.2 -W 10 " + VIRTUAL);
        load("reflect", "host", Map.of());
        lab.netns().check("ip", "neigh", "replace", VIRTUAL, "lladdr", "52:54:00:77:77:78", "dev", Wire.TAP);
        lab.netns().check("ping", "-q", "-c", "5", "-i", "0.2", "-W", "10", VIRTUAL);
        assertTrue((Long)hooks("guest").get(1).get("tx") >= 5);
        assertTrue((Long)hooks("host").get(1).get("tx") >= 5);
    }

    @Test
    void shouldRedirectToTheOtherSideByThePortsNumber()
    {
        final long number = Long.parseLong(
            lab.netns().check("cat", "/sys/class/net/" + Wire.TAP + "/ifindex").strip());
        load("redirect", "guest", Map.of("target", Long.toString(number)));
        load("redirect", "host", Map.of("target", Long.toString(number)));
        wire.ping();
        assertTrue((Long)hooks("guest").get(1).get("redirect") >= 10);
        ringtap("xdp", "map", "update", ".bss", "target", "0", "--id=" + hooks("guest").get(1).get("id"));
        assertFalse(guest.run("ping -q -c 2 -i 0.2 -W 1 " + Wire.HOST).isSuccess(), "nobody has number 0");
    }

    @Test
    void shouldReplaceProgramsUnderLoadWithoutLosingAFrame() throws Exception
    {
        load("filter", "guest", Map.of());
        final List<String> failures = new ArrayList<>();
        final boolean[] isOver = new boolean[1];
        final int[] replaced = new int[1];
        final Thread replacer = new Thread(() -> replace(isOver, replaced, failures), "replacer");
        replacer.start();
        try
        {
            assertNull(wire.lostOf(3 * GENERATED, 60, BURST, 4));
        }
        finally
        {
            synchronized (isOver)
            {
                isOver[0] = true;
            }
            replacer.join();
        }
        assertEquals(List.of(), failures);
        assertTrue(replaced[0] > 0, "not one replacement fell into the load");
        Progress.say(replaced[0] + " replacements, attachments and detachments under load, no frame lost");
    }

    /** Over the socket, since a Java process each would make few replacements. */
    private void replace(final boolean[] isOver, final int[] replaced, final List<String> failures)
    {
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            final List<String> programs = List.of("second", "filter", "nat");
            for (int i = 0; !isOver(isOver); i++)
            {
                final Object id = hooks("guest").get(1).get("id");
                client.ask(Map.of("command", "xdp.load", "object", object + ":" + programs.get(i % 3), "replace", id));
                final Object more = attachedId(client.ask(
                    Map.of("command", "xdp.load", "object", object + ":second", "direction", "guest")));
                client.ask(Map.of("command", "xdp.unload", "id", more));
                replaced[0] += 3;
            }
        }
        catch (final RuntimeException ex)
        {
            failures.add(ex.toString());
        }
    }

    private static boolean isOver(final boolean[] isOver)
    {
        synchronized (isOver)
        {
            return isOver[0];
        }
    }

    private static Object attachedId(final Map<String, Object> answer)
    {
        return ((Map<?, ?>)((List<?>)answer.get("attached")).get(0)).get("id");
    }

    private void load(final String program, final String direction, final Map<String, String> settings)
    {
        final List<String> words = new ArrayList<>(List.of(
            "xdp", "load", object + ":" + program, "--direction=" + direction));
        settings.forEach((name, value) -> words.add("--set=" + name + "=" + value));
        final String said = ringtap(words.toArray(String[]::new));
        assertTrue(said.contains("steer.o:" + program + " attached"), said);
        assertTrue(said.contains("compiled"), said);
    }

    /** Frames that the filter saw, on all processors. */
    private long frames()
    {
        final String dump = ringtap("xdp", "map", "dump", "seen", "--id=" + hooks("guest").get(0).get("id"));
        long sum = 0;
        for (final String number : dump.strip().split("\\s+", 2)[1].replaceAll("[\\[\\] ]", "").split(","))
        {
            sum += Long.parseLong(number);
        }
        return sum;
    }

    private List<Map<?, ?>> hooks(final String direction)
    {
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            final Map<String, Object> answer = client.ask(new LinkedHashMap<>(Map.of("command", "xdp.show")));
            final Map<?, ?> port = (Map<?, ?>)((List<?>)answer.get("ports")).get(0);
            final List<Map<?, ?>> hooks = new ArrayList<>();
            ((List<?>)port.get(direction)).forEach((hook) -> hooks.add((Map<?, ?>)hook));
            return hooks;
        }
    }

    private String[] words(final String... words)
    {
        final List<String> all = new ArrayList<>(Ringtap.command(Jdks.current()));
        all.addAll(List.of(words));
        all.add("--control=" + control);
        return all.toArray(String[]::new);
    }

    /** A command as a user types it, at the running backend. */
    private String ringtap(final String... words)
    {
        final List<String> all = new ArrayList<>(List.of(words));
        all.add("--control=" + control);
        final Shell.Result result = Ringtap.run(lab, all.toArray(String[]::new));
        assertTrue(result.isSuccess(), () -> String.join(" ", all) + ": " + result.output());
        return result.output();
    }
}
