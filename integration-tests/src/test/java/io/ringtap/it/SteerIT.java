package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import io.ringtap.it.rig.Tshark;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A running backend, steered and looked into from the command line while frames flow. */
class SteerIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String MAC = "52:54:00:12:34:56";

    private static Lab lab;
    private static Path control;
    private static Guest guest;

    @BeforeAll
    static void serve() throws Exception
    {
        Provision.root();
        Tshark.provide();
        lab = Lab.open(SteerIT.class);
        control = lab.socket("control.sock");
        final Path socket = lab.socket("vhost.sock");
        Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--control=" + control, "--rate=host:10G");
        Await.until("the TAP", LIMIT, () -> lab.netns().hasInterface(Wire.TAP) && Files.exists(control));
        Wire.raise(lab.netns());
        guest = new Guest(new FrontendConfig().socketPath(socket.toString()),
            new GuestConfig().addresses(
                new GuestAddresses(MacAddress.parse(MAC), InetAddress.getByName(Wire.GUEST), null)));
        guest.start();
        ping();
    }

    @AfterAll
    static void takeDown()
    {
        if (null != guest)
        {
            guest.close();
        }
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    void shouldSetMtuRatesAndLevels()
    {
        assertTrue(ringtap(0, "port", "mtu", "9000").contains("mtu: 9000"));
        assertEquals("9000", lab.netns().check("cat", "/sys/class/net/" + Wire.TAP + "/mtu").strip());
        assertTrue(ringtap(0, "port", "mtu", "1500").contains("mtu: 1500"));
        assertTrue(ringtap(2, "port", "mtu", "67").contains("67"));
        assertTrue(ringtap(0, "port", "rate").contains("host: 10000000000"));
        assertTrue(ringtap(0, "port", "rate", "--guest=1.5G", "--host=none").contains("guest: 1500000000"));
        assertTrue(ringtap(2, "port", "rate", "--guest=1").contains("not 1M to 1000G"));
        assertTrue(ringtap(0, "port", "rate", "--guest=none").contains("guest: 0"));
        assertTrue(ringtap(0, "port", "features").matches("(?is).*acknowledged: .*version.1.*"),
            () -> ringtap(0, "port", "features"));
        assertTrue(ringtap(0, "log", "level", "debug", "--name=io.ringtap.vhost").contains("io.ringtap.vhost"));
        assertTrue(ringtap(0, "log", "level", "info").contains("all"));
        assertTrue(ringtap(2, "log", "level", "loud").contains("loud"));
    }

    @Test
    void shouldRecordWhatAnExpressionFitsIntoARingOfFiles() throws Exception
    {
        final Path file = lab.file("dns.pcapng");
        assertTrue(ringtap(2, "capture", "-w", file.toString(), "--filter=nonsense and").contains("--filter="));
        final HostProcess recording = lab.start("capture", words("capture", "--write=" + file,
            "--filter=udp dst port 53", "--file-mib=1", "--files=3", "--snap-length=64", "--seconds=60")
            .toArray(new String[0]));
        Await.until("the recording", LIMIT, () -> recording.output().contains("recording to"));
        generate(9, 3_000);
        generate(53, 2_000);
        ping();
        Await.until("the frames", LIMIT, () -> 2_000 <= Tshark.fields(file, "frame.len").size());
        assertEquals(0, recording.terminate());
        final List<String[]> frames = Tshark.fields(file, "udp.dstport", "frame.cap_len");
        assertEquals(2_000, frames.size());
        assertTrue(frames.stream().allMatch((frame) -> "53".equals(frame[0]) && "64".equals(frame[1])));
    }

    @Test
    void shouldFollowSingleFramesThroughTheRooms() throws Exception
    {
        final HostProcess trace = lab.start("trace", words("trace", "--every=100", "--filter=udp port 7",
            "--direction=guest", "--frames=5").toArray(new String[0]));
        Await.until("five frames", LIMIT, () ->
        {
            generateQuietly(7, 500);
            return !trace.isAlive();
        });
        final List<String> lines = trace.output().lines().filter((line) -> line.contains("from guest")).toList();
        assertEquals(5, lines.size(), trace.output());
        for (final String line : lines)
        {
            assertTrue(line.matches(".* queue 0 from guest 200 B UDP 198.18.7.2:10000 > 198.18.7.1:7.*" +
                "admitted \\+.*judged \\+.*sorted \\+.*sent \\+.*done \\+.*"), line);
        }
        Progress.say(lines.get(0));
    }

    private static void generateQuietly(final int port, final long count)
    {
        try
        {
            generate(port, count);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void generate(final int port, final long count) throws Exception
    {
        guest.generate(new PktgenConfig().spec(new FrameSpec(
            MacAddress.parse(MAC), MacAddress.parse("02:00:00:00:00:99"), InetAddress.getByName(Wire.GUEST),
            InetAddress.getByName(Wire.HOST), false, 10_000, port, ChecksumMode.FULL)).sizes(200).rate(20_000)
            .count(count));
        Await.until("the generator's end", LIMIT, () -> !guest.isGenerating());
    }

    private static void ping()
    {
        lab.netns().check("ping", "-q", "-c", "5", "-i", "0.02", "-W", "10", Wire.GUEST);
    }

    private static String ringtap(final int exitCode, final String... words)
    {
        final Shell.Result result = Shell.run(words(words).toArray(new String[0]));
        assertEquals(exitCode, result.exitCode(), () -> String.join(" ", words) + ": " + result.output());
        return result.output();
    }

    private static List<String> words(final String... words)
    {
        final List<String> all = new ArrayList<>(Ringtap.command(Jdks.current()));
        all.addAll(List.of(words));
        all.add("--control=" + control);
        return all;
    }
}
