package io.ringtap.capture;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.xdp.trial.CaptureReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fuzz target: frames of any length and verdict, recorded, are read back as they were by a strict reader and by our
 * own. Found by name, run by {@code FuzzIT}.
 */
public final class RecordingFuzz
{
    private static final int PASS = 2;
    private static final int SLOT = 2048;
    private static final int FRAMES = 64;
    private static final int PADDING = 16;
    private static final UnsafeBuffer ARENA = new UnsafeBuffer(BufferUtil.allocateDirectAligned(FRAMES * SLOT, 64));
    private static final FrameBatch BATCH = new FrameBatch(ARENA, FRAMES, 4 * FRAMES);
    private static Path file;

    private RecordingFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data) throws IOException
    {
        if (data.length < 3)
        {
            return;
        }
        if (null == file)
        {
            file = Files.createTempDirectory("rt-recording").resolve("fuzz.pcapng");
            file.toFile().deleteOnExit();
            file.getParent().toFile().deleteOnExit();
        }
        final ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(data, data.length + PADDING));
        final int snapLength = 14 + (in.getShort() & 0x7ff);
        final CaptureOptions options = new CaptureOptions(file, snapLength, 0, 0, 3);
        final CaptureQueue queue = new CaptureQueue(in.get() & 63, options, PASS);
        final CaptureRecorder recorder = new CaptureRecorder("fuzz0", options, List.of(queue));
        final List<byte[]> sent = new ArrayList<>();
        while (in.position() < data.length && sent.size() < FRAMES)
        {
            record(in, queue, sent);
            recorder.doWork();
        }
        // As a worker does with each batch; what it did not commit is nobody's.
        queue.commit();
        recorder.onClose();
        final List<PcapngReader.Packet> packets = PcapngReader.read(file).packets;
        if (packets.size() != sent.size())
        {
            throw new IllegalStateException(packets.size() + " frames of " + sent.size());
        }
        try (CaptureReader reader = CaptureReader.open(file))
        {
            for (int i = 0; i < sent.size(); i++)
            {
                final byte[] expected = Arrays.copyOf(sent.get(i), Math.min(sent.get(i).length, snapLength));
                if (!Arrays.equals(expected, packets.get(i).bytes()) ||
                    !Arrays.equals(expected, reader.next().bytes()) || packets.get(i).length() != sent.get(i).length)
                {
                    throw new IllegalStateException("frame " + i + " is another");
                }
            }
        }
    }

    /** Inputs to begin with. */
    public static List<byte[]> seeds()
    {
        return List.of(new byte[] {7, -1, 0, 0, 46, 1, 1, 100, 2}, new byte[] {0, 10, 3, 5, -36, 0, 0, 0, 1});
    }

    /** A frame of its length, verdict and direction. */
    private static void record(final ByteBuffer in, final CaptureQueue queue, final List<byte[]> sent)
    {
        final byte[] frame = new byte[14 + (in.getShort() & 0xffff) % (SLOT - FrameLayout.HEADROOM - 14)];
        final int how = in.get();
        Arrays.fill(frame, (byte)how);
        BATCH.clear();
        ARENA.putBytes(FrameLayout.HEADROOM, frame);
        BATCH.add(0, SLOT, FrameLayout.HEADROOM, frame.length, 0);
        queue.add(BATCH, how & 1);
        if ((how & 2) != 0)
        {
            queue.verdict(0, how >> 2 & 3);
        }
        if ((how & 16) == 0)
        {
            queue.commit();
        }
        sent.add(frame);
    }
}
