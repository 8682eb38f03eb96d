package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameBatch;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Random;

/** Frames for tests, and frames of a batch as bytes. */
final class Frames
{
    private Frames()
    {
    }

    /** Random bytes behind an Ethernet header of an experimental type, so that nothing is ever merged. */
    static byte[] random(final Random random, final int length)
    {
        final byte[] frame = new byte[length];
        random.nextBytes(frame);
        if (14 <= length)
        {
            frame[12] = (byte)0x88;
            frame[13] = (byte)0xb5;
        }
        return frame;
    }

    /** Linear part and segments in one. */
    static byte[] bytes(final FrameBatch batch, final int i)
    {
        final byte[] bytes = new byte[batch.length(i)];
        final int linear = batch.linearLength(i);
        batch.arena().getBytes(batch.offset(i), bytes, 0, linear);
        if (linear < bytes.length)
        {
            batch.vectors().copyTo(
                batch.run(i) + 1, batch.segments(i), 0, bytes.length - linear, new UnsafeBuffer(bytes), linear);
        }
        return bytes;
    }
}
