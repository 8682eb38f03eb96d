package io.ringtap.command;

import io.ringtap.counters.CounterSet;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.Sink;
import io.ringtap.frontend.SinkCounter;
import io.ringtap.frontend.StackCounter;
import io.ringtap.vhost.virtio.NetFeatures;

import java.io.PrintWriter;
import java.util.Locale;

/** What people see of a guest: a line of rates every second, and the sums at the end. */
final class GuestReport
{
    private static final long SECOND_NS = 1_000_000_000;
    private static final String CLEAR_LINE = "\r\u001B[K";

    private final Guest guest;
    private final PrintWriter out;
    private final boolean isLive;
    private final boolean isTerminal = GuestValues.isTerminal();
    private final long startNs = System.nanoTime();
    private long lastNs = startNs;
    private long lastSent;
    private long lastSentBytes;
    private long lastReceived;
    private long lastReceivedBytes;

    GuestReport(final Guest guest, final PrintWriter out, final boolean isLive)
    {
        this.guest = guest;
        this.out = out;
        this.isLive = isLive;
    }

    /** What was agreed on. */
    static String connected(final Guest guest)
    {
        final FrontendConfig config = guest.frontend().config();
        return String.format(
            "connected %d queue pairs of %d descriptors, features %s", config.queuePairs(), config.ringSize(),
            String.join(" ", NetFeatures.names(guest.frontend().features())));
    }

    /** Prints the line when its second has come. */
    void tick()
    {
        final long nowNs = System.nanoTime();
        if (!isLive || nowNs - lastNs < SECOND_NS)
        {
            return;
        }
        final double seconds = (nowNs - lastNs) / 1e9;
        final long sent = sent();
        final long sentBytes = guest.sum(GuestCounter.SENT_BYTES);
        final long received = received();
        final long receivedBytes = guest.sum(GuestCounter.RECEIVED_BYTES);
        final String line = "sent " + rate(sent - lastSent, sentBytes - lastSentBytes, seconds) +
            "   received " + rate(received - lastReceived, receivedBytes - lastReceivedBytes, seconds) + damage();
        out.print(isTerminal ? CLEAR_LINE + line : line + "\n");
        out.flush();
        lastNs = nowNs;
        lastSent = sent;
        lastSentBytes = sentBytes;
        lastReceived = received;
        lastReceivedBytes = receivedBytes;
    }

    /** Prints everything since the start. */
    void summary()
    {
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        if (isLive && isTerminal)
        {
            out.print(CLEAR_LINE);
        }
        line("sent", sent(), guest.sum(GuestCounter.SENT_FRAMES), guest.sum(GuestCounter.SENT_BYTES), seconds);
        line("received", received(), guest.sum(GuestCounter.RECEIVED_FRAMES),
            guest.sum(GuestCounter.RECEIVED_BYTES), seconds);
        final long faults = guest.sum(GuestCounter.RECEIVE_FAULTS);
        final long bad = guest.sum(StackCounter.BAD_CHECKSUM);
        out.println(String.format(
            "answered  %d arp, %d neighbour, %d echo, %d udp; %d bad checksums, %d faulty frames",
            guest.sum(StackCounter.ARP_REPLIES), guest.sum(StackCounter.NEIGHBOUR_REPLIES),
            guest.sum(StackCounter.ECHO_REPLIES), guest.sum(StackCounter.UDP_ECHOES), bad, faults));
        final Sink sink = guest.sink();
        if (null != sink)
        {
            final CounterSet<SinkCounter> counters = sink.counters();
            out.println(String.format(
                "checked   %d packets in %d frames: %d lost, %d late, %d twice, %d stale, %d changed, " +
                "%d bad checksums, %d unfinished checksums",
                counters.get(SinkCounter.PACKETS), counters.get(SinkCounter.FRAMES), sink.lost(),
                counters.get(SinkCounter.LATE), counters.get(SinkCounter.DUPLICATES),
                counters.get(SinkCounter.STALE), counters.get(SinkCounter.ALTERED),
                counters.get(SinkCounter.BAD_CHECKSUM), counters.get(SinkCounter.UNFINISHED)));
        }
        out.flush();
    }

    /** Packets: each segment of a generated super-frame. */
    private long sent()
    {
        final long generated = guest.sum(GuestCounter.GENERATED_PACKETS);
        return generated > 0 ? generated : guest.sum(GuestCounter.SENT_FRAMES);
    }

    private long received()
    {
        return null == guest.sink() ?
            guest.sum(GuestCounter.RECEIVED_FRAMES) : guest.sink().counters().get(SinkCounter.PACKETS);
    }

    private String damage()
    {
        final Sink sink = guest.sink();
        return null == sink ? "" : String.format(
            "   lost %d late %d twice %d changed %d", sink.lost(), sink.counters().get(SinkCounter.LATE),
            sink.counters().get(SinkCounter.DUPLICATES), sink.counters().get(SinkCounter.ALTERED));
    }

    private void line(
        final String what, final long packets, final long frames, final long bytes, final double seconds)
    {
        out.println(String.format(
            Locale.ROOT, "%-9s %d packets in %d frames, %d bytes in %.2f s: %s",
            what, packets, frames, bytes, seconds, rate(packets, bytes, seconds)));
    }

    private static String rate(final long packets, final long bytes, final double seconds)
    {
        return scaled(packets / seconds) + "pps " + scaled(bytes * 8 / seconds) + "bit/s";
    }

    private static String scaled(final double value)
    {
        if (value >= 1e9)
        {
            return String.format(Locale.ROOT, "%.2f G", value / 1e9);
        }
        if (value >= 1e6)
        {
            return String.format(Locale.ROOT, "%.2f M", value / 1e6);
        }
        return value >= 1e3 ?
            String.format(Locale.ROOT, "%.2f k", value / 1e3) : String.format(Locale.ROOT, "%.0f ", value);
    }
}
