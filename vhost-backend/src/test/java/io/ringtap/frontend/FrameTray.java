package io.ringtap.frontend;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A transmit queue that keeps what was written, net header included, for the tests. */
final class FrameTray implements FrameWriter
{
    private static final int FRAME = 64;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME + 70_000));
    private final List<byte[]> staged = new ArrayList<>();
    private final List<byte[]> frames = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private int claimed;

    @Override
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int headerLength()
    {
        return NetHeader.LENGTH;
    }

    @Override
    public int maxFrame()
    {
        return 65_550;
    }

    @Override
    public int claim(final int length)
    {
        if (staged.size() + frames.size() >= room)
        {
            return FULL;
        }
        claimed = length;
        buffer.setMemory(0, FRAME + length, (byte)0);
        return FRAME;
    }

    @Override
    public void commit()
    {
        final byte[] bytes = new byte[NetHeader.LENGTH + claimed];
        buffer.getBytes(FRAME - NetHeader.LENGTH, bytes);
        staged.add(bytes);
    }

    @Override
    public void flush()
    {
        frames.addAll(staged);
        staged.clear();
    }

    /** How many frames fit in all. */
    void room(final int limit)
    {
        room = limit;
    }

    /** Frames so far, each with its net header in front. */
    List<byte[]> frames()
    {
        flush();
        return frames;
    }

    /** The only frame, which is then forgotten. */
    byte[] single()
    {
        flush();
        if (1 != frames.size())
        {
            throw new AssertionError(frames.size() + " frames instead of one");
        }
        return frames.remove(0);
    }

    /** Hands a frame with net header to a consumer, in a buffer that ends where the frame ends. */
    static void give(final FrameConsumer consumer, final byte[] frame)
    {
        final UnsafeBuffer exact = new UnsafeBuffer(ByteBuffer.allocateDirect(frame.length));
        exact.putBytes(0, frame);
        consumer.onFrame(exact, 0, NetHeader.LENGTH, frame.length - NetHeader.LENGTH);
    }
}
