package io.ringtap.bench.guest;

import io.ringtap.frontend.FrameWriter;
import io.ringtap.frontend.Pktgen;
import io.ringtap.frontend.PktgenConfig;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * Sends the same frames over and over from where they lie, as DPDK's generator sends the same buffers: a frame is
 * written in the first lap of the transmit memory only, so that a generator never holds up what is measured.
 */
final class Replay
{
    private static final int LINE = 64;
    private static final int FIRST = 64;

    private final FrameWriter out;
    private final UnsafeBuffer[] frames;
    private final int segments;
    private final int burst;
    private final BitSet written = new BitSet();
    private int next;
    private long sent;

    Replay(final PktgenConfig config, final FrameWriter out)
    {
        this.out = out;
        segments = config.segments();
        burst = config.burst();
        frames = new UnsafeBuffer[config.flows()];
        final Recorder recorder = new Recorder(out.headerLength(), out.maxFrame());
        final Pktgen source = new Pktgen(config.burst(1), recorder, SystemNanoClock.INSTANCE, 0, 1);
        for (int i = 0; i < frames.length; i++)
        {
            source.doWork();
            frames[i] = recorder.take();
        }
    }

    /** Up to one burst. @return frames. */
    int doWork()
    {
        int count = 0;
        while (count < burst && sendOne())
        {
            count++;
        }
        if (count > 0)
        {
            out.flush();
            sent += (long)count * segments;
        }
        return count;
    }

    /** Packets so far, segments of super-frames counted. */
    long sentPackets()
    {
        return sent;
    }

    private boolean sendOne()
    {
        final UnsafeBuffer frame = frames[next];
        final int header = out.headerLength();
        final int at = out.claim(frame.capacity() - header);
        if (FrameWriter.FULL == at)
        {
            return false;
        }
        // A place is taken with the same length in every lap, and claiming clears the header only.
        final boolean isThere = written.get(at / LINE);
        out.buffer().putBytes(at - header, frame, 0, isThere ? header : frame.capacity());
        if (!isThere)
        {
            written.set(at / LINE);
        }
        out.commit();
        next = next + 1 == frames.length ? 0 : next + 1;
        return true;
    }

    /** Keeps one frame with its net header. */
    private static final class Recorder implements FrameWriter
    {
        private final UnsafeBuffer buffer;
        private final int headerLength;
        private final int maxFrame;
        private int length;

        Recorder(final int headerLength, final int maxFrame)
        {
            this.headerLength = headerLength;
            this.maxFrame = maxFrame;
            buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(FIRST + maxFrame));
        }

        UnsafeBuffer take()
        {
            final UnsafeBuffer copy = new UnsafeBuffer(ByteBuffer.allocateDirect(headerLength + length));
            copy.putBytes(0, buffer, FIRST - headerLength, headerLength + length);
            return copy;
        }

        @Override
        public UnsafeBuffer buffer()
        {
            return buffer;
        }

        @Override
        public int headerLength()
        {
            return headerLength;
        }

        @Override
        public int maxFrame()
        {
            return maxFrame;
        }

        @Override
        public int claim(final int frameLength)
        {
            length = frameLength;
            buffer.setMemory(0, FIRST, (byte)0);
            return FIRST;
        }

        @Override
        public void commit()
        {
            // The frame stays where it is until it is taken.
        }

        @Override
        public void flush()
        {
            // Nobody waits for it.
        }
    }
}
