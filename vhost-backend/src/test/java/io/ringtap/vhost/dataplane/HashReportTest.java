package io.ringtap.vhost.dataplane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

import io.ringtap.flow.ToeplitzHash;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a guest learns of its frames in a net header of 20 bytes. */
@Tag("virtio.HASH_REPORT")
class HashReportTest
{
    private static final int HEADER = 20;
    private static final int NUM_BUFFERS = 10;
    private static final int HASH = 12;
    private static final int REPORT = 16;
    private static final int PADDING = 18;
    private static final long PACKED = 1L << NetFeatures.RING_PACKED;
    private static final long REPORTING = 1L << NetFeatures.HASH_REPORT;

    /** TCP from 66.9.149.187:2794 to 161.142.100.80:1766: a vector of Microsoft's. */
    private static final byte[] KNOWN = HexFormat.of().parseHex("020000000001020000000002" + "0800" +
        "45000028000000004006000042" + "0995bba18e6450" + "0aea06e6" + "00000000000000005010000000000000");

    @ParameterizedTest
    @ValueSource(longs = { REPORTING, REPORTING | PACKED })
    void shouldReportTheHashOfTheVector(final long features)
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | features))
        {
            final int at = w.lend(HEADER + KNOWN.length);
            w.port.arrive(KNOWN);
            w.work();
            w.receive.poll();
            assertEquals(HEADER + KNOWN.length, w.receive.usedLength());
            assertEquals(1, w.guest.getShort(at + NUM_BUFFERS));
            assertEquals(0x51ccc178, w.guest.getInt(at + HASH));
            assertEquals(ToeplitzHash.REPORT_TCPV4, w.guest.getShort(at + REPORT));
            assertEquals(0, w.guest.getShort(at + PADDING));
            assertArrayEquals(KNOWN, w.read(at + HEADER, KNOWN.length));
        }
    }

    @Test
    void shouldReportNothingForWhatIsNotIp()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | REPORTING))
        {
            final byte[] frame = Frames.random(new Random(3), 60);
            frame[12] = 8;
            frame[13] = 6;
            final int at = w.lend(HEADER + frame.length);
            w.port.arrive(frame);
            w.work();
            assertEquals(0, w.guest.getInt(at + HASH));
            assertEquals(0, w.guest.getShort(at + REPORT));
        }
    }

    @Test
    void shouldTakeFramesBehindTheLongHeader()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | REPORTING))
        {
            for (final int length : new int[] { 14, 60, 1514, 9000 })
            {
                final byte[] frame = Frames.random(new Random(length), length);
                w.send(new byte[HEADER], frame);
                w.work();
                assertArrayEquals(frame, w.port.sent.get(w.port.sent.size() - 1));
            }
        }
    }

    @Test
    void shouldSpreadAFrameOverBuffersBehindOneHeader()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | REPORTING))
        {
            final byte[] frame = Arrays.copyOf(KNOWN, 3000);
            final int first = w.lend(1526);
            final int second = w.lend(1526);
            w.port.arrive(frame);
            w.work();
            assertEquals(2, w.guest.getShort(first + NUM_BUFFERS));
            assertEquals(0x51ccc178, w.guest.getInt(first + HASH));
            assertArrayEquals(Arrays.copyOf(frame, 1526 - HEADER), w.read(first + HEADER, 1526 - HEADER));
            assertArrayEquals(Arrays.copyOfRange(frame, 1526 - HEADER, frame.length),
                w.read(second, frame.length - 1526 + HEADER));
        }
    }
}
