package io.ringtap.port;

import io.ringtap.flow.Checksum;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Mapping;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Frames for tests of ports, and their way into and out of batches. */
final class TestFrames
{
    /** Local experimental EtherType: nobody on the host answers. */
    static final short ETHERTYPE = (short)0x88b5;
    static final int ETHERNET = 14;
    private static final int HEADERS = ETHERNET + 20 + 20;
    private static final long UNKNOWN_MAC = 0x0600_0000_0000L;

    private TestFrames()
    {
    }

    /** A frame of random bytes that tells its number. */
    static byte[] numbered(final int number, final int length)
    {
        final byte[] frame = new byte[length];
        new Random(number).nextBytes(frame);
        final ByteBuffer buffer = ByteBuffer.wrap(frame);
        addresses(buffer);
        buffer.putShort(ETHERTYPE);
        if (length >= ETHERNET + Integer.BYTES)
        {
            buffer.putInt(number);
        }
        return frame;
    }

    /** A TCP super-frame; {@link #superHeader} describes it. */
    static byte[] superFrame(final int payload)
    {
        final byte[] frame = new byte[HEADERS + payload];
        new Random(payload).nextBytes(frame);
        final ByteBuffer buffer = ByteBuffer.wrap(frame);
        addresses(buffer);
        buffer.putShort((short)0x0800);
        buffer.put((byte)0x45).put((byte)0).putShort((short)(frame.length - ETHERNET)).putShort((short)1);
        buffer.putShort((short)0x4000).put((byte)64).put((byte)6).putShort((short)0);
        buffer.putInt(0xc6120902).putInt(0xc6120901);
        buffer.putShort(24, ipChecksum(buffer));
        buffer.putShort((short)4096).putShort((short)9).putInt(1).putInt(1);
        buffer.put((byte)0x50).put((byte)0x10).putShort((short)1000).putShort((short)0).putShort((short)0);
        final UnsafeBuffer bytes = new UnsafeBuffer(frame);
        final int tcp = ETHERNET + 20;
        // Begun: whoever cuts the frame, or completes it, adds what is missing.
        bytes.putShort(tcp + 16, (short)Checksum.fold(Checksum.pseudoV4(bytes, ETHERNET, 6, frame.length - tcp)),
            ByteOrder.LITTLE_ENDIAN);
        return frame;
    }

    /** The net header of a TCP super-frame: NEEDS_CSUM, GSO_TCPV4. */
    static byte[] superHeader(final int length, final int segmentSize)
    {
        final ByteBuffer header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte)1).put((byte)1).putShort((short)HEADERS).putShort((short)segmentSize);
        header.putShort((short)(ETHERNET + 20)).putShort((short)16);
        return header.array();
    }

    /** Adds a frame that fits a fragment. @return its index. */
    static int add(final FrameBatch batch, final FragAllocator allocator, final byte[] frame)
    {
        final int slot = allocator.allocate(FrameLayout.SMALL_SLOT);
        final int data = slot + FrameLayout.HEADROOM;
        batch.arena().setMemory(data - FrameLayout.NET_HEADER, FrameLayout.NET_HEADER, (byte)0);
        batch.arena().putBytes(data, frame);
        return batch.add(slot, FrameLayout.SMALL_SLOT, data, frame.length, 0);
    }

    /** Adds a frame with its tail in segments of foreign memory. @return its index. */
    static int addSegmented(
        final FrameBatch batch,
        final FragAllocator allocator,
        final byte[] netHeader,
        final byte[] frame,
        final int linear,
        final Mapping tail,
        final int segmentLength)
    {
        final int slot = allocator.allocate(FrameLayout.SMALL_SLOT);
        final int data = slot + FrameLayout.HEADROOM;
        batch.arena().putBytes(data - FrameLayout.NET_HEADER, netHeader);
        batch.arena().putBytes(data, frame, 0, linear);
        final int i = batch.add(slot, FrameLayout.SMALL_SLOT, data, linear, 0);
        tail.buffer().putBytes(0, frame, linear, frame.length - linear);
        for (int at = 0; at < frame.length - linear; at += segmentLength)
        {
            final int length = Math.min(segmentLength, frame.length - linear - at);
            batch.vectors().set(batch.claimSegments(1, length), tail.address() + at, length);
        }
        return i;
    }

    /** The bytes of a frame, segments and all. */
    static byte[] bytes(final FrameBatch batch, final int i)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final byte[] linear = new byte[batch.linearLength(i)];
        batch.arena().getBytes(batch.offset(i), linear);
        out.writeBytes(linear);
        final int rest = batch.length(i) - linear.length;
        final byte[] segments = new byte[rest];
        final int copied = batch.vectors().copyTo(
            batch.run(i) + 1, batch.segments(i), 0, rest, new UnsafeBuffer(segments), 0);
        if (rest != copied)
        {
            throw new AssertionError("segments hold " + copied + " of " + rest + " bytes");
        }
        out.writeBytes(segments);
        return out.toByteArray();
    }

    static byte[] join(final byte[] first, final byte[] second)
    {
        final byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** The number of a frame of {@link #numbered}. */
    static int number(final FrameBatch batch, final int i)
    {
        return batch.arena().getInt(batch.offset(i) + ETHERNET, ByteOrder.BIG_ENDIAN);
    }

    /** Releases every slot of a sent batch, as its owner does. */
    static void finish(final FrameBatch batch, final FragAllocator allocator)
    {
        for (int i = 0; i < batch.frames(); i++)
        {
            allocator.release(batch.slot(i));
        }
        batch.clear();
    }

    private static void addresses(final ByteBuffer frame)
    {
        frame.putShort((short)(UNKNOWN_MAC >> 32)).putInt((int)UNKNOWN_MAC | 1);
        frame.putShort((short)(UNKNOWN_MAC >> 32)).putInt((int)UNKNOWN_MAC | 2);
    }

    private static short ipChecksum(final ByteBuffer frame)
    {
        int sum = 0;
        for (int i = 0; i < 20; i += Short.BYTES)
        {
            sum += frame.getShort(ETHERNET + i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short)~(sum + (sum >>> 16));
    }
}
