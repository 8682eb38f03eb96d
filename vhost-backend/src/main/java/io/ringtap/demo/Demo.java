package io.ringtap.demo;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.Pktgen;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.frontend.Sink;
import io.ringtap.frontend.SinkCounter;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.Sockets;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Shows the backend at work without a virtual machine: the host is a namespace of our own with a TAP in it, the guest
 * is the built-in one, and both talk through a backend as QEMU would have it.
 */
public final class Demo
{
    private static final String TAP = "tap0";
    private static final String HOST = "198.18.7.1";
    private static final String GUEST = "198.18.7.2";
    private static final MacAddress GUEST_MAC = MacAddress.parse("52:54:00:12:34:56");
    private static final int PORT = 9000;
    private static final int FLOWS = 8;
    private static final int SMALL = 64;
    private static final int LARGE = 1514;
    private static final int UDP_HEADERS = 42;
    private static final int SMALL_SEGMENTS = 32;
    private static final int LARGE_SEGMENTS = 40;
    private static final long FULL_WAIT_NS = 100_000;
    private static final long NO_END = Long.MAX_VALUE / 2;

    private final Screen screen;
    private final int seconds;
    private final BooleanSupplier isEnded;
    private final List<String> rows = new ArrayList<>();
    private MacAddress hostMac;
    private int tapIndex;

    /**
     * @param screen  where to show.
     * @param seconds for each stream.
     * @param isEnded whether the user wants no more.
     */
    private Demo(final Screen screen, final int seconds, final BooleanSupplier isEnded)
    {
        this.screen = screen;
        this.seconds = seconds;
        this.isEnded = isEnded;
    }

    /**
     * Runs the whole demonstration.
     *
     * @return whether the guest answered and every frame that arrived was intact.
     */
    public static boolean run(final PrintStream out, final int seconds, final BooleanSupplier isEnded)
        throws InterruptedException
    {
        if (!DemoNamespace.enter())
        {
            return 0 == DemoNamespace.startAgain();
        }
        return new Demo(new Screen(out), seconds, isEnded).play();
    }

    private boolean play() throws InterruptedException
    {
        final Fd[] ends = new Fd[2];
        Sockets.socketPair(ends, Sockets.SOCK_STREAM);
        final BackendConfig config = BackendConfig.builder().fd(ends[0].release()).tap(TAP).conclude();
        try (Fd guestEnd = ends[1]; Backend backend = Backend.launch(config))
        {
            raiseTap();
            screen.title("Ringtap, seen at work without a virtual machine");
            screen.say("  host    " + backend.port().name() + ", " + HOST + ", in a network namespace of its own");
            screen.say("  guest   " + GUEST + ", " + GUEST_MAC + ", the built-in vhost-user front-end");
            final FrontendConfig way = new FrontendConfig().socket(Fd.of(guestEnd.release()));
            try (DemoGuest guest = new DemoGuest(way, guestAddresses(), FLOWS))
            {
                return show(guest);
            }
        }
    }

    private boolean show(final DemoGuest guest) throws InterruptedException
    {
        final boolean isAnswering = ping();
        fromGuest(guest, SMALL);
        fromGuest(guest, LARGE);
        toGuest(guest, SMALL, SMALL_SEGMENTS);
        toGuest(guest, LARGE, LARGE_SEGMENTS);
        screen.title(String.format(
            Locale.ROOT, "  %-34s %13s  %13s  %15s", "UDP, " + FLOWS + " interleaved flows", "sent", "arrived", ""));
        rows.forEach(screen::say);
        final List<String> faults = guest.faults();
        screen.say("\n  Everything that reached the guest was intact and in order: " +
            (faults.isEmpty() ? "yes" : "NO, " + String.join(", ", faults)));
        screen.say("  Nothing is left behind: the namespace ends with this process.");
        return isAnswering && faults.isEmpty() && !isEnded.getAsBoolean();
    }

    /** The host's side as anybody would set it up. */
    private void raiseTap() throws InterruptedException
    {
        DemoNamespace.run("iproute2", "ip", "address", "add", HOST + "/24", "dev", TAP);
        DemoNamespace.run("iproute2", "ip", "link", "set", TAP, "up");
        try (Interfaces interfaces = Interfaces.open())
        {
            hostMac = new MacAddress(MacAddress.read(new UnsafeBuffer(interfaces.mac(TAP)), 0));
            tapIndex = interfaces.index(TAP);
        }
    }

    private boolean ping() throws InterruptedException
    {
        screen.title("ping " + GUEST);
        final String output;
        try
        {
            output = DemoNamespace.run("iputils-ping", "ping", "-c", "5", "-i", "0.2", "-W", "2", GUEST);
        }
        catch (final DemoException failure)
        {
            screen.say("  " + failure.getMessage());
            return failure.getMessage().contains("not installed");
        }
        output.lines().filter((line) -> !line.isBlank()).forEach((line) -> screen.say("  " + line));
        return true;
    }

    private void fromGuest(final DemoGuest guest, final int frameLength) throws InterruptedException
    {
        if (isEnded.getAsBoolean())
        {
            return;
        }
        final String title = "guest -> host, " + frameLength + " B frames";
        screen.title(title);
        final int payload = frameLength - UDP_HEADERS;
        try (HostSink sink = new HostSink(PORT))
        {
            final Pktgen source = guest.generate(frames(false, frameLength, 1));
            rows.add(new Blast(title, frameLength, source::sentPackets, () -> sink.bytes() / payload)
                .watch(screen, seconds, isEnded).row());
            guest.rest();
        }
    }

    private void toGuest(final DemoGuest guest, final int frameLength, final int segments) throws InterruptedException
    {
        if (isEnded.getAsBoolean())
        {
            return;
        }
        final String title = "host -> guest, " + frameLength + " B frames";
        screen.title(title);
        final Sink sink = guest.count();
        try (HostSender sender = new HostSender(tapIndex))
        {
            final Pktgen source = new Pktgen(
                frames(true, frameLength, segments).conclude(true), sender, SystemNanoClock.INSTANCE, 0, 1);
            final Thread thread = new Thread(() -> generate(source, sender), "demo-host-source");
            thread.setDaemon(true);
            thread.start();
            rows.add(new Blast(title, frameLength, source::sentPackets, () -> sink.counters().get(SinkCounter.PACKETS))
                .watch(screen, seconds, isEnded).row());
            thread.interrupt();
            thread.join();
        }
        guest.answer();
    }

    private static void generate(final Pktgen source, final HostSender sender)
    {
        while (!Thread.currentThread().isInterrupted())
        {
            source.doWork();
            if (sender.isFull())
            {
                LockSupport.parkNanos(FULL_WAIT_NS);
                sender.resume();
            }
        }
    }

    private PktgenConfig frames(final boolean isFromHost, final int frameLength, final int segments)
    {
        final InetAddress host = address(HOST);
        final InetAddress guest = address(GUEST);
        final FrameSpec spec = new FrameSpec(
            isFromHost ? hostMac : GUEST_MAC, isFromHost ? GUEST_MAC : hostMac,
            isFromHost ? host : guest, isFromHost ? guest : host,
            false, PORT, PORT, ChecksumMode.PARTIAL);
        return new PktgenConfig().spec(spec).sizes(frameLength).flows(FLOWS).segments(segments).count(NO_END);
    }

    static GuestAddresses guestAddresses()
    {
        return new GuestAddresses(GUEST_MAC, address(GUEST), null);
    }

    private static InetAddress address(final String text)
    {
        try
        {
            return InetAddress.getByName(text);
        }
        catch (final UnknownHostException impossible)
        {
            throw new IllegalStateException(impossible);
        }
    }
}
