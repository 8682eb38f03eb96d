package io.ringtap.capture;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Files are read back by a strict reader of their own. */
class CaptureTest
{
    private static final int PASS = 2;
    private static final int DROP = 1;
    private static final int SLOT = 2048;
    private static final int FRAMES = 64;

    private final UnsafeBuffer arena = new UnsafeBuffer(BufferUtil.allocateDirectAligned(FRAMES * SLOT, 64));
    private final FrameBatch batch = new FrameBatch(arena, FRAMES, 4 * FRAMES);
    private final SplittableRandom random = new SplittableRandom(7);

    @TempDir
    private Path directory;

    @AfterEach
    void close()
    {
        batch.close();
    }

    @Test
    void shouldRecordBytesDirectionQueueAndVerdict() throws IOException
    {
        final Path file = directory.resolve("a.pcapng");
        final CaptureQueue queue = new CaptureQueue(3, CaptureOptions.everything(file), PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap7", CaptureOptions.everything(file), List.of(queue));
        final byte[][] frames = fill(14, 60, 61, 1514);
        queue.add(batch, 0);
        queue.verdict(1, DROP);
        queue.commit();
        queue.add(batch, 1);
        queue.commit();
        recorder.onClose();

        final PcapngReader read = PcapngReader.read(file);
        assertEquals("tap7", read.interfaceName);
        assertEquals(0, read.fillers);
        assertEquals(8, read.packets.size());
        for (int i = 0; i < 8; i++)
        {
            final PcapngReader.Packet packet = read.packets.get(i);
            assertArrayEquals(frames[i % 4], packet.bytes());
            assertEquals(frames[i % 4].length, packet.length());
            assertEquals(i < 4 ? 1 : 2, packet.direction());
            assertEquals(3, packet.queue());
            assertEquals(i == 1 ? DROP : PASS, packet.verdict());
            assertTrue(Math.abs(packet.timeNs() / 1_000_000 - System.currentTimeMillis()) < 60_000);
        }
        assertEquals(8, number(read.statistics.get(4)));
        assertEquals(0, number(read.statistics.get(5)));
        assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
    }

    @Test
    void shouldBeReadableWhileItGrowsOverManyChunks() throws IOException
    {
        final Path file = directory.resolve("grows.pcapng");
        final CaptureQueue queue = new CaptureQueue(0, CaptureOptions.everything(file), PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap0", CaptureOptions.everything(file), List.of(queue));
        final byte[][] frames = new byte[10_000][];
        int count = 0;
        while (count < frames.length)
        {
            final byte[][] some = fill(random.ints(FRAMES, 14, SLOT - FrameLayout.HEADROOM).toArray());
            queue.add(batch, 0);
            queue.commit();
            for (int i = 0; i < some.length && count < frames.length; i++)
            {
                frames[count++] = some[i];
            }
            recorder.doWork();
            if (count % 1024 == 0)
            {
                assertEquals(count, PcapngReader.read(file).packets.size());
            }
        }
        assertTrue(Files.size(file) > 2 * CaptureFile.CHUNK);
        recorder.onClose();

        final PcapngReader read = PcapngReader.read(file);
        for (int i = 0; i < frames.length; i++)
        {
            assertArrayEquals(frames[i], read.packets.get(i).bytes(), "frame " + i);
        }
        assertEquals(0, read.fillers);
    }

    @Test
    void shouldCutAtTheSnapLengthAndKeepWhatLiesInVectors() throws IOException
    {
        final Path file = directory.resolve("snap.pcapng");
        final CaptureOptions options = new CaptureOptions(file, 100, 0, 0, CaptureOptions.FROM_GUEST);
        final CaptureQueue queue = new CaptureQueue(0, options, PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap0", options, List.of(queue));
        final byte[][] frames = fill(64);
        final UnsafeBuffer rest = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, 64));
        rest.setMemory(0, 64, (byte)0x5a);
        final int first = batch.claimSegments(1, 64);
        batch.vectors().set(first, rest.addressOffset(), 64);
        queue.add(batch, 0);
        queue.commit();
        queue.add(batch, 1);
        queue.commit();
        recorder.onClose();

        final PcapngReader read = PcapngReader.read(file);
        assertEquals(1, read.packets.size(), "the other direction is not asked for");
        final byte[] expected = Arrays.copyOf(frames[0], 100);
        Arrays.fill(expected, 64, 100, (byte)0x5a);
        assertArrayEquals(expected, read.packets.get(0).bytes());
        assertEquals(128, read.packets.get(0).length());
        assertEquals(100, read.snapLength);
    }

    @Test
    void shouldCountWhatTheRecorderMisses() throws IOException
    {
        final Path file = directory.resolve("missed.pcapng");
        final CaptureQueue queue = new CaptureQueue(0, CaptureOptions.everything(file), PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap0", CaptureOptions.everything(file), List.of(queue));
        fill(random.ints(FRAMES, 1400, 1500).toArray());
        final int rounds = 2 * CaptureQueue.CAPACITY / (FRAMES * 1400);
        for (int i = 0; i < rounds; i++)
        {
            queue.add(batch, 0);
            queue.commit();
        }
        final long captured = queue.counters().get(CaptureCounter.CAPTURED);
        final long missed = queue.counters().get(CaptureCounter.MISSED);
        assertTrue(missed > 0);
        assertEquals((long)rounds * FRAMES, captured + missed);
        recorder.onClose();

        final PcapngReader read = PcapngReader.read(file);
        assertEquals(captured, read.packets.size());
        assertEquals(captured + missed, number(read.statistics.get(4)));
        assertEquals(missed, number(read.statistics.get(5)));
    }

    @Test
    void shouldNotStallOnFramesWhoseVerdictNeverCame() throws IOException
    {
        final Path file = directory.resolve("stall.pcapng");
        final CaptureQueue queue = new CaptureQueue(0, CaptureOptions.everything(file), PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap0", CaptureOptions.everything(file), List.of(queue));
        fill(60, 60);
        queue.add(batch, 0);
        queue.add(batch, 0);
        queue.commit();
        recorder.onClose();
        assertEquals(4, PcapngReader.read(file).packets.size());
    }

    @Test
    void shouldRecordWhatTheFilterWantsAndNoMoreOfItThanTheSnapLength() throws IOException
    {
        final Path file = directory.resolve("filtered.pcapng");
        final List<int[]> asked = new ArrayList<>();
        final FrameFilter evens = (buffer, offset, captured, length, direction, queue) ->
        {
            asked.add(new int[]{captured, length, direction, queue, buffer.getByte(offset)});
            return 0 == (length & 1);
        };
        final CaptureOptions options = new CaptureOptions(file, 70, 0, 0, 3, evens);
        final CaptureQueue queue = new CaptureQueue(5, options, PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap0", options, List.of(queue));
        final int[] lengths = {60, 61, 70, 71, 72, 256, 257, 1500, 61, 66};
        final byte[][] frames = fill(lengths);
        queue.add(batch, 1);
        queue.verdict(4, DROP);
        queue.commit();
        recorder.doWork();
        assertEquals(6, recorder.frames());
        assertEquals(4, recorder.filtered());
        recorder.onClose();

        for (int i = 0; i < lengths.length; i++)
        {
            assertArrayEquals(
                new int[]{Math.min(256, lengths[i]), lengths[i], 1, 5, frames[i][0]}, asked.get(i), "frame " + i);
        }
        final PcapngReader read = PcapngReader.read(file);
        final int[] wanted = IntStream.range(0, lengths.length).filter((i) -> 0 == lengths[i] % 2).toArray();
        assertEquals(wanted.length, read.packets.size());
        for (int k = 0; k < wanted.length; k++)
        {
            final PcapngReader.Packet packet = read.packets.get(k);
            final byte[] frame = frames[wanted[k]];
            assertArrayEquals(Arrays.copyOf(frame, Math.min(70, frame.length)), packet.bytes());
            assertEquals(frame.length, packet.length());
            assertEquals(2, packet.direction());
            assertEquals(5, packet.queue());
            assertEquals(4 == wanted[k] ? DROP : PASS, packet.verdict());
        }
    }

    @Test
    void shouldKeepARingOfFiles() throws IOException
    {
        final Path file = directory.resolve("ring.pcapng");
        final CaptureOptions options = new CaptureOptions(file, 65_550, 1 << 20, 3, 3);
        final CaptureQueue queue = new CaptureQueue(0, options, PASS);
        final CaptureRecorder recorder = new CaptureRecorder("tap0", options, List.of(queue));
        fill(random.ints(FRAMES, 1400, 1500).toArray());
        for (int i = 0; i < 60; i++)
        {
            queue.add(batch, 0);
            queue.commit();
            recorder.doWork();
        }
        recorder.onClose();

        assertFalse(Files.exists(file), "the oldest made room");
        final List<Path> left;
        try (var paths = Files.list(directory))
        {
            left = paths.sorted().toList();
        }
        assertEquals(3, left.size());
        for (final Path each : left)
        {
            assertFalse(PcapngReader.read(each).packets.isEmpty(), each.toString());
        }
        assertEquals("ring.000005.pcapng", left.get(2).getFileName().toString());
    }

    @Test
    void shouldOverwriteRecordingsOnly() throws IOException
    {
        final Path precious = directory.resolve("precious.txt");
        Files.writeString(precious, "do not lose me");
        final CaptureException refused = assertThrows(CaptureException.class, () -> new CaptureFile(precious));
        assertEquals(precious + ": exists and is no pcapng file, so it is not overwritten; " +
            "name another file or delete this one", refused.getMessage());
        assertEquals("do not lose me", Files.readString(precious));

        final Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("target"));
        assertTrue(assertThrows(CaptureException.class, () -> new CaptureFile(link)).getMessage().contains("ELOOP"));
        final Path nowhere = directory.resolve("no/such/dir.pcapng");
        assertTrue(assertThrows(CaptureException.class, () -> new CaptureFile(nowhere)).getMessage().contains(
            "cannot be written: ENOENT"));

        final Path twice = directory.resolve("twice.pcapng");
        for (int i = 0; i < 2; i++)
        {
            final CaptureFile file = new CaptureFile(twice);
            new PcapngWriter(file).section("test", "comment");
            file.close();
        }
        assertTrue(Files.size(twice) < 100);
    }

    private byte[][] fill(final int... lengths)
    {
        batch.clear();
        final byte[][] frames = new byte[lengths.length][];
        for (int i = 0; i < lengths.length; i++)
        {
            frames[i] = new byte[lengths[i]];
            for (int j = 0; j < lengths[i]; j++)
            {
                frames[i][j] = (byte)random.nextInt();
            }
            final int offset = i * SLOT + FrameLayout.HEADROOM;
            arena.putBytes(offset, frames[i]);
            batch.add(i * SLOT, SLOT, offset, lengths[i], 0);
        }
        return frames;
    }

    private static long number(final byte[] option)
    {
        return ByteBuffer.wrap(option).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
}
