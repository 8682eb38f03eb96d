package io.ringtap.xdp.trial;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Capture files of every form, and damaged ones. */
class CaptureReaderTest
{
    private static final int MUTATIONS = 5000;
    private static final long SEED = 20_261_201;

    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    @ParameterizedTest
    @CsvSource({"true,false", "true,true", "false,false", "false,true"})
    void shouldReadClassicForm(final boolean isLittle, final boolean hasNanoseconds)
    {
        order = isLittle ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        final byte[] file = classic(hasNanoseconds ? PcapReader.MAGIC_NANOSECONDS : PcapReader.MAGIC, 1);

        final List<CapturedFrame> frames = read(file);

        assertEquals(2, frames.size());
        assertEquals(3_000_000_000_000_000_000L + (hasNanoseconds ? 7 : 7000), frames.get(0).timeNs());
        assertArrayEquals(new byte[]{1, 2, 3, 4, 5}, frames.get(0).bytes());
        assertTrue(frames.get(0).isWhole());
        assertEquals(0, frames.get(1).bytes().length);
        assertEquals(60, frames.get(1).originalLength());
        assertFalse(frames.get(1).isWhole());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldReadPcapng(final boolean isLittle)
    {
        order = isLittle ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        final byte[] file = pcapng();

        final List<CapturedFrame> frames = read(file);

        assertEquals(3, frames.size());
        assertArrayEquals(new byte[]{1, 2, 3, 4, 5}, frames.get(0).bytes());
        assertEquals(1_700_000_000_000_001_000L, frames.get(0).timeNs());
        assertEquals(9, frames.get(0).originalLength());
        assertArrayEquals(new byte[]{6, 7}, frames.get(1).bytes());
        assertEquals(1_700_000_000_000_000_123L, frames.get(1).timeNs());
        assertArrayEquals(new byte[]{8}, frames.get(2).bytes());
    }

    @Test
    void shouldReadSectionsOfOtherByteOrder()
    {
        final byte[] little = pcapng();
        order = ByteOrder.BIG_ENDIAN;
        final byte[] big = pcapng();

        assertEquals(6, read(join(little, big)).size());
    }

    @Test
    void shouldSayWhatIsWrong()
    {
        assertRefused("no capture file", new byte[0]);
        assertRefused("no capture file", "GIF89a".getBytes());
        assertRefused("ends in the middle of 20 bytes", Arrays.copyOf(classic(PcapReader.MAGIC, 1), 10));
        assertRefused("ends in the middle of 5 bytes", Arrays.copyOf(classic(PcapReader.MAGIC, 1), 43));
        assertRefused("frames of link type 113, must be Ethernet (1)", classic(PcapReader.MAGIC, 113));
        final byte[] long1 = classic(PcapReader.MAGIC, 1);
        ByteBuffer.wrap(long1).order(order).putInt(32, -1);
        assertRefused("a frame of 4294967295 bytes, must be 262144 at most", long1);
        final byte[] block = pcapng();
        ByteBuffer.wrap(block).order(order).putInt(32, 7);
        assertRefused("a block of 7 bytes", block);
        final byte[] end = pcapng();
        ByteBuffer.wrap(end).order(order).putInt(24, 7);
        assertRefused("ends as one of 7", end);
    }

    @Test
    void shouldWriteWhatItReads(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("out.pcap");
        try (CaptureWriter writer = new CaptureWriter(file))
        {
            read(pcapng()).forEach(writer::write);
        }
        try (CaptureReader reader = CaptureReader.open(file))
        {
            final CapturedFrame first = reader.next();
            assertArrayEquals(new byte[]{1, 2, 3, 4, 5}, first.bytes());
            assertEquals(1_700_000_000_000_001_000L, first.timeNs());
            assertEquals(9, first.originalLength());
        }
        Files.writeString(file, "x");
        assertThrows(CaptureException.class, () -> CaptureReader.open(file));
        assertThrows(CaptureException.class, () -> CaptureReader.open(directory.resolve("none")));
    }

    @Test
    void shouldSurviveDamagedFiles()
    {
        final List<byte[]> files = List.of(classic(PcapReader.MAGIC, 1), pcapng());
        for (int i = 0; i < MUTATIONS; i++)
        {
            final Random random = new Random(SEED + i);
            final byte[] file = files.get(i % files.size()).clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--)
            {
                file[random.nextInt(file.length)] ^= (byte)(1 << random.nextInt(8));
            }
            try
            {
                read(Arrays.copyOf(file, file.length - (random.nextBoolean() ? 0 : random.nextInt(file.length))));
            }
            catch (final CaptureException refused)
            {
                assertEquals(1, refused.getMessage().lines().count());
            }
            catch (final RuntimeException failure)
            {
                throw new AssertionError("mutation " + i + " of seed " + SEED, failure);
            }
        }
    }

    private static List<CapturedFrame> read(final byte[] file)
    {
        final List<CapturedFrame> frames = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file), "test"))
        {
            for (CapturedFrame frame = reader.next(); null != frame; frame = reader.next())
            {
                frames.add(frame);
            }
        }
        return frames;
    }

    private static void assertRefused(final String part, final byte[] file)
    {
        final String message = assertThrows(CaptureException.class, () -> read(file)).getMessage();
        assertTrue(message.contains(part), message);
    }

    private ByteBuffer buffer(final int length)
    {
        return ByteBuffer.allocate(length).order(order);
    }

    private byte[] classic(final int magic, final int linkType)
    {
        return buffer(24 + 16 + 5 + 16).putInt(magic).putShort((short)2).putShort((short)4).putLong(0).putInt(65535)
            .putInt(linkType)
            .putInt((int)3_000_000_000L).putInt(7).putInt(5).putInt(5).put(new byte[]{1, 2, 3, 4, 5})
            .putInt(0).putInt(0).putInt(0).putInt(60).array();
    }

    /** A section with two interfaces, a block that nobody knows, two enhanced frames and a simple one. */
    private byte[] pcapng()
    {
        final long first = 1_700_000_000_000_001L;
        final long second = 1_700_000_000_000_000_123L;
        return join(
            block(0x0a0d_0d0a, buffer(16).putInt(0x1a2b_3c4d).putShort((short)1).putShort((short)0).putLong(-1)),
            block(1, buffer(8).putShort((short)1).putShort((short)0).putInt(1)),
            block(1, buffer(20).putShort((short)1).putShort((short)0).putInt(0)
                .putShort((short)9).putShort((short)1).put((byte)9).put(new byte[3]).putInt(0)),
            block(0x0bad, buffer(4)),
            block(6, buffer(28).putInt(0).putInt((int)(first >>> 32)).putInt((int)first).putInt(5).putInt(9)
                .put(new byte[]{1, 2, 3, 4, 5, 0, 0, 0})),
            block(6, buffer(24).putInt(1).putInt((int)(second >>> 32)).putInt((int)second).putInt(2).putInt(2)
                .put(new byte[]{6, 7, 0, 0})),
            block(3, buffer(8).putInt(4).put(new byte[]{8, 0, 0, 0})));
    }

    private byte[] block(final int type, final ByteBuffer body)
    {
        final int length = 12 + body.capacity();
        return buffer(length).putInt(type).putInt(length).put(body.array()).putInt(length).array();
    }

    private static byte[] join(final byte[]... parts)
    {
        final ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt((each) -> each.length).sum());
        Arrays.stream(parts).forEach(all::put);
        return all.array();
    }
}
