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
import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import io.ringtap.it.rig.Tshark;
import io.ringtap.vhost.ops.ControlClient;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the backend records, read by tshark. */
class CaptureIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String MAC = "52:54:00:12:34:56";
    private static final int PORT = 9;
    private static final long DATAGRAMS = 20_000;

    private Lab lab;
    private Path socket;

    @BeforeEach
    void open()
    {
        Tshark.provide();
        lab = Lab.open(CaptureIT.class);
        socket = lab.socket("vhost.sock");
    }

    @AfterEach
    void close()
    {
        lab.close();
    }

    @Test
    void shouldRecordBothDirectionsWithVerdicts() throws Exception
    {
        final Path file = lab.file("all.pcapng");
        final Ringtap ringtap = serve(Ringtap.command(Jdks.current()),
            "--capture=" + file, "--filter=UdpPortFilter:" + PORT);
        try (Guest guest = guest())
        {
            ping(20);
            generate(guest, DATAGRAMS);
        }
        assertEquals(0, ringtap.terminate());

        final List<String[]> frames = Tshark.fields(file, "frame.interface_name", "frame.packet_flags_direction",
            "frame.interface_queue", "frame.verdict.ebpf_xdp", "ip.src", "icmp.type", "udp.dstport");
        final long dropped = frames.stream().filter((f) -> f[6].equals("" + PORT)).count();
        assertEquals(DATAGRAMS, dropped, "dropped datagrams are recorded too");
        for (final String[] frame : frames)
        {
            assertEquals(Wire.TAP, frame[0]);
            assertEquals("0", frame[2]);
            final boolean isDatagram = frame[6].equals("" + PORT);
            assertEquals(isDatagram ? "1" : "2", frame[3], "XDP_DROP or XDP_PASS");
            if (!frame[4].isEmpty())
            {
                assertEquals(frame[4].equals(Wire.GUEST) ? "0x00000001" : "0x00000002", frame[1]);
            }
        }
        assertEquals(20, frames.stream().filter((f) -> f[5].equals("8") && f[1].endsWith("2")).count(), "requests");
        assertEquals(20, frames.stream().filter((f) -> f[5].equals("0") && f[1].endsWith("1")).count(), "replies");
        Progress.say(frames.size() + " frames recorded, " + dropped + " of them dropped by the filter");
    }

    @Test
    void shouldRecordOnCommand() throws Exception
    {
        final Path file = lab.file("commanded.pcapng");
        final Path control = lab.socket("control.sock");
        serve(Ringtap.command(Jdks.current()), "--control=" + control);
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
        final Shell.Result refused = command(control, "capture", "--write=/no/such/directory/x");
        assertEquals(2, refused.exitCode(), refused.output());
        assertTrue(refused.output().contains("ENOENT"), refused.output());
        try (Guest guest = guest())
        {
            final HostProcess recording = lab.start("capture", all(control, "capture", "--write=" + file,
                "--direction=guest", "--snap-length=64", "--seconds=60").toArray(new String[0]));
            Await.until("the recording", LIMIT, () -> recording.output().contains("recording to"));
            ping(5);
            generate(guest, DATAGRAMS);
            Await.settled(Duration.ofMillis(300), LIMIT, () -> (long)Tshark.fields(file, "frame.len").size());
            assertEquals(0, recording.terminate());
            assertTrue(recording.output().contains(" frames, 0 missed"), recording.output());
            final int frames = Tshark.fields(file, "frame.len").size();
            ping(5);
            assertEquals(frames, Tshark.fields(file, "frame.len").size(), "the recording has ended");
        }
        final List<String[]> frames = Tshark.fields(
            file, "udp.dstport", "frame.cap_len", "frame.packet_flags_direction");
        assertEquals(DATAGRAMS, frames.stream().filter((f) -> f[0].equals("" + PORT)).count());
        for (final String[] frame : frames)
        {
            assertTrue(Integer.parseInt(frame[1]) <= 64, frame[1]);
            assertEquals("0x00000001", frame[2]);
        }
    }

    @Test
    void shouldRecordWhatAProgramPasses() throws Exception
    {
        final Path file = lab.file("picked.pcapng");
        final Path control = lab.socket("control.sock");
        final Path object = BpfSources.compile("picks", lab.file("objects"));
        serve(Ringtap.command(Jdks.current()), "--control=" + control);
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
        for (final String wrong : List.of("/no/such.o", object.toString(), object + ":none"))
        {
            final Shell.Result refused = command(control, "capture", "--write=" + file, "--filter=" + wrong);
            assertEquals(2, refused.exitCode(), refused.output());
            assertEquals(1, refused.output().lines().count(), refused.output());
        }
        try (Guest guest = guest())
        {
            final HostProcess recording = lab.start("capture", all(control, "capture", "--write=" + file,
                "--filter=" + object + ":icmp", "--snap-length=60").toArray(new String[0]));
            Await.until("the recording", LIMIT, () -> recording.output().contains("recording to"));
            ping(5);
            generate(guest, DATAGRAMS);
            Await.until("all to be looked at", LIMIT, () -> looked(control) >= DATAGRAMS);
            assertEquals(0, recording.terminate());
            assertTrue(recording.output().contains("10 frames, 0 missed"), recording.output());
        }
        final List<String[]> frames = Tshark.fields(file, "icmp.type", "frame.cap_len", "frame.len", "ip.ttl");
        assertEquals(10, frames.size());
        for (final String[] frame : frames)
        {
            assertTrue(List.of("0", "8").contains(frame[0]), frame[0]);
            assertEquals("60", frame[1]);
            assertEquals("98", frame[2]);
            assertEquals("64", frame[3], "what the program wrote is not recorded");
        }
    }

    private static long looked(final Path control)
    {
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            final List<?> ports = (List<?>)client.ask(Map.of("command", "capture.show")).get("ports");
            return ((Number)((Map<?, ?>)ports.get(0)).get("filtered")).longValue();
        }
    }

    @Test
    void shouldLeaveAReadableFileWhenKilled() throws Exception
    {
        final Path file = lab.file("killed.pcapng");
        final Ringtap ringtap = serve(Ringtap.command(Jdks.current()), "--capture=" + file);
        try (Guest guest = guest())
        {
            ping(5);
            generate(guest, DATAGRAMS);
            Await.settled(
                Duration.ofMillis(300), LIMIT, () -> (long)Tshark.fields(file, "frame.len").size());
            ringtap.kill();
        }
        final List<String[]> frames = Tshark.fields(file, "udp.dstport");
        final long datagrams = frames.stream().filter((f) -> f[0].equals("" + PORT)).count();
        assertEquals(DATAGRAMS, datagrams);
    }

    @Test
    void shouldEndTheRecordingAndNothingElseOnAFullDisk() throws Exception
    {
        final Path disk = HostFiles.directories(lab.file("disk"));
        final List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c",
            "mount -t tmpfs -o size=6m none " + disk + " && exec \"$@\"", "ringtap"));
        command.addAll(Ringtap.command(Jdks.current()));
        final Ringtap ringtap = serve(command, "--capture=" + disk.resolve("full.pcapng"));
        try (Guest guest = guest())
        {
            generate(guest, 10 * DATAGRAMS);
            Await.until("the end of the recording", LIMIT,
                () -> ringtap.process().output().contains("cannot grow to"));
            ping(5);
        }
        final String log = ringtap.process().output();
        assertTrue(log.contains("ENOSPC"), log);
        assertTrue(log.contains("make room on its file system"), log);
        assertEquals(0, ringtap.terminate());
    }

    private static Shell.Result command(final Path control, final String... words)
    {
        return Shell.run(all(control, words).toArray(new String[0]));
    }

    private static List<String> all(final Path control, final String... words)
    {
        final List<String> all = new ArrayList<>(Ringtap.command(Jdks.current()));
        all.addAll(List.of(words));
        all.add("--control=" + control);
        return all;
    }

    private Ringtap serve(final List<String> command, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of("--tap=" + Wire.TAP));
        all.addAll(List.of(options));
        final Ringtap ringtap = Ringtap.serve(lab, "ringtap", command, socket, all.toArray(new String[0]));
        Await.until("the TAP", LIMIT, () -> lab.netns().hasInterface(Wire.TAP));
        Wire.raise(lab.netns());
        return ringtap;
    }

    private Guest guest() throws Exception
    {
        final Guest guest = new Guest(
            new FrontendConfig().socketPath(socket.toString()),
            new GuestConfig().addresses(
                new GuestAddresses(MacAddress.parse(MAC), InetAddress.getByName(Wire.GUEST), null)));
        guest.start();
        return guest;
    }

    private void generate(final Guest guest, final long count) throws Exception
    {
        guest.generate(new PktgenConfig().spec(new FrameSpec(
            MacAddress.parse(MAC), MacAddress.parse("02:00:00:00:00:99"), InetAddress.getByName(Wire.GUEST),
            InetAddress.getByName(Wire.HOST), false, 10_000, PORT, ChecksumMode.FULL))
            .sizes(200).rate(40_000).count(count));
        Await.until("the generator's end", LIMIT, () -> !guest.isGenerating());
    }

    private void ping(final int count)
    {
        lab.netns().check("ping", "-q", "-c", "" + count, "-i", "0.02", "-W", "10", Wire.GUEST);
    }
}
