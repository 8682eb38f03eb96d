package io.ringtap.it;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Netns;
import io.ringtap.it.rig.Pcap;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.TestFrames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guest on one end and a TAP in our namespace on the other: what both agree on, and the ways to prove that the wire
 * between them carries frames, all of them, as they are.
 */
final class Wire
{
    static final String HOST = "198.18.7.1";
    static final String GUEST = "198.18.7.2";
    static final String HOST_ADDRESS = HOST + "/24";
    static final String GUEST_ADDRESS = GUEST + "/24";
    static final String TAP = "tap0";
    /** Length of a stream, either way. */
    static final long STREAM_MIB = 8;

    private static final int DISCARD_PORT = 9;
    /** The usual one. */
    static final int IPERF_PORT = 5201;
    private static final int STREAM_PORT = 5001;
    private static final int REPLAY_PPS = 1000;
    /** Deep enough that the kernel's queue in front of a busy reader loses nothing. */
    private static final String QUEUE_LENGTH = "5000";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(500);

    private final Lab lab;
    private final Netns netns;
    private final QemuGuest guest;

    Wire(final Lab lab, final QemuGuest guest)
    {
        this.lab = lab;
        this.netns = lab.netns();
        this.guest = guest;
    }

    /** The host's end gets its address. */
    static void raise(final Netns netns)
    {
        netns.up(TAP, HOST_ADDRESS);
        netns.check("ip", "link", "set", TAP, "txqueuelen", QUEUE_LENGTH);
    }

    /** Both ways, every echo answered. */
    void ping()
    {
        guest.check("ping -q -c 5 -i 0.2 -W 10 " + HOST);
        netns.check("ping", "-q", "-c", "5", "-i", "0.2", "-W", "10", GUEST);
    }

    /** Echoes that fill the MTU and must not be fragmented on the way. */
    void pingWith(final int mtu)
    {
        final String length = Integer.toString(mtu - 28);
        guest.check("ping -q -c 3 -i 0.2 -W 10 -M do -s " + length + " " + HOST);
        netns.check("ping", "-q", "-c", "3", "-i", "0.2", "-W", "10", "-M", "do", "-s", length, GUEST);
    }

    /** TCP from the guest, or to it. */
    double tcpMbits(final boolean fromGuest)
    {
        try (HostProcess server = lab.start("iperf3", "iperf3", "-s", "-1", "--forceflush", "-p",
            Integer.toString(IPERF_PORT)))
        {
            server.await(Pattern.compile("listening on " + IPERF_PORT), lastLine(server), LIMIT);
            final String text = guest.check("iperf3 -c " + HOST + " -p " + IPERF_PORT + " -t 2 -f m" +
                (fromGuest ? "" : " -R"));
            server.exitCode(LIMIT);
            final Matcher matcher = Pattern.compile("([\\d.]+) Mbits/sec.*receiver").matcher(text);
            if (!matcher.find())
            {
                throw new RigException("no result of the receiver in:\n" + text);
            }
            return Double.parseDouble(matcher.group(1));
        }
    }

    private static int lastLine(final HostProcess process)
    {
        return process.output().lastIndexOf("+ ");
    }

    /**
     * The guest's packet generator at a UDP socket of the host.
     *
     * @return null when as many datagrams arrived as were sent, or both figures. What the kernel counts for the socket
     * is what came out of a super-frame one by one, so it must be right whatever was merged on the way.
     */
    String lostOf(final int count, final int size, final int burst, final int flows)
    {
        try (HostProcess sink = lab.start("sink", "socat", "-u", "UDP4-RECV:" + DISCARD_PORT + ",bind=" + HOST,
            "OPEN:/dev/null"))
        {
            Await.until("the sink's socket", LIMIT, () -> netns.check("cat", "/proc/net/udp").contains(":0009 "));
            final long before = datagrams();
            final long sent = Long.parseLong(guest.check("generate " + String.join(" ", Integer.toString(count),
                Integer.toString(size), Integer.toString(burst), netns.mac(TAP), HOST, GUEST,
                Integer.toString(DISCARD_PORT), Integer.toString(flows)), Duration.ofMinutes(2)));
            Await.settled(QUIET, LIMIT, this::datagrams);
            assert sink.isAlive();
            final long arrived = datagrams() - before;
            return sent >= count && sent == arrived ? null :
                sent + " sent, " + arrived + " arrived, " + size + " bytes, " + flows + " flows, TAP dropped " +
                netns.counter(TAP, "rx_dropped") + ", kernel " + netns.check("grep", "Udp:", "/proc/net/snmp");
        }
    }

    private long datagrams()
    {
        return netns.udp("InDatagrams") + netns.udp("InErrors");
    }

    /** Frames that the TAP counted as received from the guest, dropped ones included. */
    long framesOnTap()
    {
        return netns.counter(TAP, "rx_packets") + netns.counter(TAP, "rx_dropped");
    }

    /** One frame of each size from the guest; returns those that differ from what was sent. */
    String framesToHost(final List<byte[]> sent, final String file)
    {
        final Path capture = lab.file("seen-" + file);
        try (HostProcess recorder = lab.start("tcpdump", "tcpdump", "-i", TAP, "-Q", "in", "-B", "16384", "-s", "0",
            "-U", "--immediate-mode", "-n", "-Z", "root", "-w", capture.toString(), TestFrames.FILTER))
        {
            recorder.await(Pattern.compile("listening on"), lastLine(recorder), LIMIT);
            guest.check("tcpreplay -q -i eth0 -p " + REPLAY_PPS + " /lab/" + file);
            Await.settled(QUIET, LIMIT, () -> size(capture));
        }
        return difference(sent, Pcap.frames(capture));
    }

    /** One frame of each size to the guest; the compare happens there. */
    String framesToGuest(final List<byte[]> sent, final String file)
    {
        guest.check("record 60 " + TestFrames.FILTER);
        replay(lab, sent);
        Await.settled(QUIET, LIMIT, () -> Long.parseLong(guest.check("recorded")));
        guest.check("stop_recording");
        final var result = guest.run("same /lab/" + file);
        return result.isSuccess() ? "" : result.output();
    }

    /** Sends frames into the TAP, from the host's side. */
    static void replay(final Lab lab, final List<byte[]> frames)
    {
        final Path source = lab.file("sent.pcap");
        HostFiles.write(source, Pcap.bytes(frames));
        lab.netns().check("tcpreplay", "-q", "-i", TAP, "-p", Integer.toString(REPLAY_PPS), source.toString());
    }

    static String difference(final List<byte[]> sent, final List<byte[]> seen)
    {
        for (int i = 0; i < Math.min(sent.size(), seen.size()); i++)
        {
            final int at = Arrays.mismatch(sent.get(i), seen.get(i));
            if (at >= 0)
            {
                return "frame " + i + " of length " + sent.get(i).length + " differs at byte " + at +
                    ", seen length " + seen.get(i).length;
            }
        }
        return sent.size() == seen.size() ? "" : "sent " + sent.size() + " frames, seen " + seen.size();
    }

    /** Random bytes over TCP with whatever offloads are on; true when the digests of both ends agree. */
    boolean streamToHost()
    {
        return streamToHost(HOST);
    }

    /** As {@link #streamToHost()}, by whatever address. */
    boolean streamToHost(final String address)
    {
        final String port = Integer.toString(STREAM_PORT);
        try (HostProcess receiver = lab.start("stream", "sh", "-c", "socat -u TCP4-LISTEN:" + port +
            ",reuseaddr STDOUT | sha256sum"))
        {
            netns.awaitListener(STREAM_PORT);
            final String sent = guest.check("dd if=/dev/urandom of=/tmp/stream bs=1M count=" + STREAM_MIB +
                " 2>/dev/null; nc " + address + " " + port + " </tmp/stream; sha256sum </tmp/stream");
            receiver.exitCode(LIMIT);
            return receiver.output().endsWith(sent.strip() + "\n");
        }
    }

    boolean streamToGuest()
    {
        final String port = Integer.toString(STREAM_PORT);
        guest.check("receive " + port);
        final String sent = netns.check("sh", "-c", "head -c " + STREAM_MIB + "M /dev/urandom >$0; " +
            "socat -u FILE:$0 TCP4:" + GUEST + ":" + port + "; sha256sum <$0",
            lab.file("stream.bin").toString());
        return guest.check("received").strip().equals(sent.strip());
    }

    private static long size(final Path file)
    {
        return file.toFile().length();
    }
}
