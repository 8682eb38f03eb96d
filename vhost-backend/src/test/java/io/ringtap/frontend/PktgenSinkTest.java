package io.ringtap.frontend;

import io.ringtap.frontend.FrameSpec.ChecksumMode;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link Pktgen} and {@link Sink} against each other, with every kind of damage in between. */
class PktgenSinkTest
{
    private static final int HEADER = NetHeader.LENGTH;
    private final FrameTray tray = new FrameTray();
    private final Sink sink = new Sink("test", 64, true);

    @ParameterizedTest
    @CsvSource({
        "false,false,NONE,60", "false,false,FULL,60", "false,false,PARTIAL,64", "false,true,FULL,72",
        "false,true,PARTIAL,1514", "true,false,FULL,80", "true,false,PARTIAL,1514", "true,true,FULL,101",
        "false,false,FULL,61", "false,false,FULL,62", "false,false,FULL,67", "false,false,NONE,9014",
        "true,false,NONE,333", "false,true,NONE,333",
    })
    void shouldSendFramesThatTheSinkFindsWhole(
        final boolean isIpv6, final boolean isTcp, final ChecksumMode mode, final int size)
    {
        final Pktgen pktgen = pktgen(config(spec(isIpv6, isTcp, mode)).sizes(size).flows(5).count(100));
        while (!pktgen.isDone())
        {
            pktgen.doWork();
        }
        giveAll(tray.frames());

        assertEquals(100, pktgen.sentPackets());
        assertEquals(100, count(SinkCounter.PACKETS));
        assertEquals(100L * size, count(SinkCounter.BYTES));
        assertEquals(ChecksumMode.PARTIAL == mode ? 100 : 0, count(SinkCounter.UNFINISHED));
        assertEquals(0, count(SinkCounter.FOREIGN));
        assertTrue(sink.isClean());
        assertEquals(20, pktgen.sentOfFlow(3));
    }

    @ParameterizedTest
    @CsvSource({"false,false,5", "true,false,5", "false,true,1", "true,true,4"})
    void shouldNumberEachSegmentOfASuperFrame(final boolean isIpv6, final boolean isTcp, final int gsoType)
    {
        final Pktgen pktgen = pktgen(config(spec(isIpv6, isTcp, ChecksumMode.FULL)).sizes(100).segments(64).count(640));
        while (!pktgen.isDone())
        {
            pktgen.doWork();
        }
        final List<byte[]> frames = tray.frames();
        giveAll(frames);

        assertEquals(10, frames.size());
        assertEquals(gsoType, frames.get(0)[NetHeader.GSO_TYPE_OFFSET]);
        assertEquals(640, count(SinkCounter.PACKETS));
        assertEquals(10, count(SinkCounter.UNFINISHED));
        assertTrue(sink.isClean());
    }

    @Test
    void shouldSendSuperFramesWithoutEnd() throws Exception
    {
        final Pktgen pktgen = pktgen(config(spec(false, true, ChecksumMode.FULL)).sizes(100).segments(64));
        assertTrue(pktgen.doWork() > 0);
        assertFalse(pktgen.isDone());
    }

    @Test
    void shouldSeeLossReorderingAndDuplicates()
    {
        final List<byte[]> frames = generate(100, 64);
        giveAll(frames.subList(0, 10));
        giveAll(frames.subList(15, 50));
        FrameTray.give(sink, frames.get(12));
        FrameTray.give(sink, frames.get(3));
        giveAll(frames.subList(50, 100));

        assertEquals(5, count(SinkCounter.SKIPPED));
        assertEquals(1, count(SinkCounter.LATE));
        assertEquals(4, sink.lost());
        assertEquals(1, count(SinkCounter.DUPLICATES));
        assertEquals(0, count(SinkCounter.ALTERED));
        assertFalse(sink.isClean());
    }

    @Test
    void shouldSeeEveryChangedBitOfAddressesPortsAndPayload()
    {
        final byte[] frame = generate(1, 64).get(0);
        final int ip = HEADER + Wire.ETHER_LENGTH;
        for (int bit = 8 * (ip + Wire.IPV4_SOURCE); bit < 8 * frame.length; bit++)
        {
            final int offset = bit / 8 - ip;
            final Sink fresh = new Sink("test", 64, false);
            final byte[] changed = frame.clone();
            changed[bit / 8] ^= (byte)(1 << bit % 8);
            FrameTray.give(fresh, changed);
            final boolean isUdpLengthOrChecksum = offset >= 24 && offset < 28;
            final boolean isMagic = offset >= 28 && offset < 32;
            assertEquals(isUdpLengthOrChecksum || isMagic ? 0 : 1, fresh.counters().get(SinkCounter.ALTERED),
                "bit " + bit);
            assertEquals(isMagic ? 1 : 0, fresh.counters().get(SinkCounter.FOREIGN));
        }
    }

    @Test
    void shouldSeeSwappedWordsAndCutTails()
    {
        final List<byte[]> frames = generate(2, 1514);
        final byte[] swapped = frames.get(0).clone();
        System.arraycopy(frames.get(0), 200, swapped, 208, 8);
        System.arraycopy(frames.get(0), 208, swapped, 200, 8);
        FrameTray.give(sink, swapped);
        assertEquals(1, count(SinkCounter.ALTERED));

        FrameTray.give(sink, Arrays.copyOf(frames.get(1), 1000));
        assertEquals(1, count(SinkCounter.FOREIGN));
    }

    @Test
    void shouldSeeWrongChecksums()
    {
        final byte[] frame = generate(1, 64).get(0);
        final int udp = HEADER + Wire.ETHER_LENGTH + Wire.IPV4_LENGTH;
        frame[udp + Wire.UDP_CHECKSUM] ^= 1;
        FrameTray.give(sink, frame);
        frame[udp + Wire.UDP_CHECKSUM] ^= 1;
        frame[HEADER + Wire.ETHER_LENGTH + Wire.IPV4_TTL]--;
        FrameTray.give(sink, frame);

        assertEquals(2, count(SinkCounter.BAD_CHECKSUM));
        assertEquals(0, count(SinkCounter.ALTERED));
    }

    @Test
    void shouldIgnorePaddingBehindThePacket()
    {
        final byte[] frame = generate(1, 60).get(0);
        FrameTray.give(sink, Arrays.copyOf(frame, frame.length + 4));

        assertEquals(1, count(SinkCounter.PACKETS));
        assertTrue(sink.isClean());
    }

    @Test
    void shouldSurviveAnything()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] frame = generate(1, 60 + random.nextInt(60)).get(0);
            final byte[] changed = Arrays.copyOf(frame, HEADER + random.nextInt(frame.length));
            for (int changes = random.nextInt(5); changes > 0; changes--)
            {
                changed[random.nextInt(changed.length)] = (byte)random.nextInt();
            }
            try
            {
                FrameTray.give(sink, changed);
            }
            catch (final IndexOutOfBoundsException outside)
            {
                throw new AssertionError("seed " + seed + " step " + i, outside);
            }
        }
    }

    @Test
    void shouldStopAtAFullRingAndGoOnLater()
    {
        final Pktgen pktgen = pktgen(config(spec(false, false, ChecksumMode.FULL)).count(20));
        tray.room(7);
        assertEquals(7, pktgen.doWork());
        assertEquals(0, pktgen.doWork());
        tray.room(100);
        assertEquals(13, pktgen.doWork());
        giveAll(tray.frames());
        assertTrue(pktgen.isDone() && sink.isClean());
    }

    @Test
    void shouldKeepToItsRate()
    {
        final long[] nowNs = {1_000_000};
        final PktgenConfig config = config(spec(false, false, ChecksumMode.FULL)).rate(1000).burst(1000);
        final Pktgen pktgen = new Pktgen(config.conclude(true), tray, () -> nowNs[0], 0, 1);
        assertEquals(0, pktgen.doWork());
        for (int i = 0; i < 1000; i++)
        {
            nowNs[0] += 2_500_000;
            pktgen.doWork();
        }
        assertEquals(2500, pktgen.sentPackets(), 2);

        nowNs[0] += 10_000_000_000L;
        assertTrue(pktgen.doWork() <= 11);
    }

    @Test
    void shouldShareFlowsAndCountBetweenQueues()
    {
        final PktgenConfig config = config(spec(false, false, ChecksumMode.FULL)).flows(3).count(100);
        final Pktgen first = new Pktgen(config.conclude(true), tray, SystemNanoClock.INSTANCE, 0, 2);
        final Pktgen second = new Pktgen(config.conclude(true), tray, SystemNanoClock.INSTANCE, 1, 2);
        while (!first.isDone() || !second.isDone())
        {
            first.doWork();
            second.doWork();
        }
        giveAll(tray.frames());

        assertEquals(100, count(SinkCounter.PACKETS));
        assertEquals(2, first.flowCount());
        assertEquals(1, second.flowCount());
        assertTrue(sink.isClean());
    }

    @Test
    void shouldRefuseWhatCannotBeSent()
    {
        final FrameSpec spec = spec(false, false, ChecksumMode.FULL);
        refused("less than 60", config(spec).sizes(59));
        refused("do not fit one IP packet", config(spec).sizes(1500).segments(64));
        refused("segments 129", config(spec).segments(129));
        refused("flows 0", config(spec).flows(0));
        refused("beyond port 65535", config(spec).flows(32768));
        assertThrows(IllegalArgumentException.class, () -> config(spec).segments(2).conclude(false));
    }

    private static void refused(final String part, final PktgenConfig config)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> config.conclude(true)).getMessage();
        assertTrue(message.contains(part), message);
    }

    private List<byte[]> generate(final int frames, final int size)
    {
        final FrameTray fresh = new FrameTray();
        final PktgenConfig config = config(spec(false, false, ChecksumMode.FULL)).sizes(size).count(frames).burst(1000);
        new Pktgen(config.conclude(true), fresh, SystemNanoClock.INSTANCE, 0, 1).doWork();
        return fresh.frames();
    }

    private Pktgen pktgen(final PktgenConfig config)
    {
        return new Pktgen(config.conclude(true), tray, SystemNanoClock.INSTANCE, 0, 1);
    }

    private void giveAll(final List<byte[]> frames)
    {
        frames.forEach(frame -> FrameTray.give(sink, frame));
    }

    private long count(final SinkCounter counter)
    {
        return sink.counters().get(counter);
    }

    private static PktgenConfig config(final FrameSpec spec)
    {
        return new PktgenConfig().spec(spec);
    }

    static FrameSpec spec(final boolean isIpv6, final boolean isTcp, final ChecksumMode mode)
    {
        try
        {
            return new FrameSpec(
                MacAddress.parse("52:54:00:00:00:01"),
                MacAddress.parse("52:54:00:00:00:02"),
                InetAddress.getByName(isIpv6 ? "fd00::1" : "10.0.0.1"),
                InetAddress.getByName(isIpv6 ? "fd00::2" : "10.0.0.2"),
                isTcp,
                40_000,
                9_000,
                mode);
        }
        catch (final UnknownHostException impossible)
        {
            throw new IllegalStateException(impossible);
        }
    }
}
