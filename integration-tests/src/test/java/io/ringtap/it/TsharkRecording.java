package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Tshark;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What tshark makes of a recording of one guest's traffic with one queue. */
final class TsharkRecording
{
    private static final int NANOSECONDS = 9;

    /** A frame, as the fields of {@link #read} say it. */
    private record Frame(
        long timeNs, String port, boolean isFromGuest, String queue, String verdict, String source, String icmpType,
        String udpPort, long tcpLength)
    {
        static Frame of(final String[] fields)
        {
            assertTrue(fields[2].matches("0x0000000[12]"), "direction " + fields[2]);
            return new Frame(new BigDecimal(fields[0]).movePointRight(NANOSECONDS).longValueExact(), fields[1],
                fields[2].endsWith("1"), fields[3], fields[4], fields[5], fields[6], fields[7],
                fields[8].isEmpty() ? 0 : Long.parseLong(fields[8]));
        }
    }

    private final List<Frame> frames;
    private long dropped;

    private TsharkRecording(final List<Frame> frames)
    {
        this.frames = frames;
    }

    static TsharkRecording read(final Path file)
    {
        final List<Frame> frames = new ArrayList<>();
        Tshark.fields(file, "frame.time_epoch", "frame.interface_name", "frame.packet_flags_direction",
            "frame.interface_queue", "frame.verdict.ebpf_xdp", "eth.src", "icmp.type", "udp.dstport", "tcp.len")
            .forEach((fields) -> frames.add(Frame.of(fields)));
        return new TsharkRecording(frames);
    }

    int frames()
    {
        return frames.size();
    }

    /** Every frame came within these bounds, and none before one that stands in front of it. */
    void assertTimes(final long firstNs, final long lastNs)
    {
        long beforeNs = firstNs;
        for (int i = 0; i < frames.size(); i++)
        {
            final long timeNs = frames.get(i).timeNs();
            assertTrue(beforeNs <= timeNs && timeNs <= lastNs,
                "frame " + i + " at " + timeNs + ", after " + beforeNs + " and before " + lastNs);
            beforeNs = timeNs;
        }
        // Not all with the time of the beginning or of the end.
        assertTrue(frames.stream().mapToLong(Frame::timeNs).distinct().count() > 100, "too few moments");
    }

    /** Each has its port, its queue, and its direction; those to a port were dropped, and no others. */
    void assertFrames(final String port, final String guest, final int shut)
    {
        for (final Frame frame : frames)
        {
            assertEquals(port, frame.port());
            assertEquals("0", frame.queue());
            assertEquals(frame.source().equals(guest), frame.isFromGuest(), () -> "direction of " + frame);
            final boolean isShut = frame.udpPort().equals(Integer.toString(shut));
            assertEquals(isShut ? "1" : "2", frame.verdict(), () -> "XDP_DROP or XDP_PASS of " + frame);
            dropped += isShut ? 1 : 0;
        }
    }

    /** Known after {@link #assertFrames}. */
    long dropped()
    {
        return dropped;
    }

    /** Requests of the guest and of the host, answers of the guest and of the host. */
    List<Long> echoes()
    {
        return Stream.of("8", "0").flatMap((type) -> Stream.of(true, false).map((isFromGuest) ->
            frames.stream().filter((frame) -> frame.icmpType().equals(type) && frame.isFromGuest() == isFromGuest)
                .count())).toList();
    }

    /** Bytes of TCP one way. */
    long streamed(final boolean isFromGuest)
    {
        return frames.stream().filter((frame) -> frame.isFromGuest() == isFromGuest).mapToLong(Frame::tcpLength).sum();
    }

    @Override
    public String toString()
    {
        return frames.size() + " frames, " + dropped + " of them dropped by the program, " +
            (streamed(true) >> 20) + " and " + (streamed(false) >> 20) + " MiB of TCP from and to the guest";
    }
}
