package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameBatch;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
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

    /** A UDP datagram over IPv4 with a right checksum. */
    static byte[] udp(final int sourcePort, final int ipId, final byte[] payload)
    {
        final ByteBuffer frame = ByteBuffer.allocate(42 + payload.length);
        frame.put(new byte[] { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0 });
        frame.put((byte)0x45).put((byte)0).putShort((short)(28 + payload.length)).putShort((short)ipId)
            .putShort((short)0x4000).put((byte)64).put((byte)17).putShort((short)0)
            .putInt(0xc6120702).putInt(0xc6120701);
        frame.putShort((short)sourcePort).putShort((short)9).putShort((short)(8 + payload.length)).putShort((short)0);
        frame.put(payload);
        frame.putShort(24, (short)~fold(sum(frame, 14, 34)));
        frame.putShort(40, (short)~fold(sum(frame, 26, frame.capacity()) + 17 + 8 + payload.length));
        return frame.array();
    }

    private static long sum(final ByteBuffer frame, final int from, final int to)
    {
        long sum = 0;
        for (int i = from; i < to; i++)
        {
            sum += (frame.get(i) & 0xffL) << ((i - from) % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    private static int fold(final long sum)
    {
        long folded = sum;
        while (folded >> 16 != 0)
        {
            folded = (folded & 0xffff) + (folded >> 16);
        }
        return (int)folded;
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
