package io.ringtap.xdp;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/** Frames for the tests of this module, written byte by byte. */
final class Frames
{
    static final int HEADROOM = 256;

    private Frames()
    {
    }

    /** Parts of hex (spaces are allowed) joined to bytes. */
    static byte[] hex(final String... parts)
    {
        final String all = String.join("", parts).replaceAll("\\s", "");
        final byte[] bytes = new byte[all.length() / 2];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)Integer.parseInt(all.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    static String ether(final String source, final String type)
    {
        return "525400ffffff" + source + type;
    }

    /** IPv4 header; {@code fragment} are flags and offset. */
    static String ipv4(final int headerWords, final int fragment, final int protocol)
    {
        return String.format("4%x00 0040 0001 %04x 40%02x 0000 0a000001 0a000002", headerWords, fragment, protocol) +
            "01010101".repeat(Math.max(0, headerWords - 5));
    }

    static String ipv6(final int next)
    {
        return String.format("60000000 0020 %02x 40", next) + "fd000000000000000000000000000001".repeat(2);
    }

    static String udp(final int from, final int to)
    {
        return String.format("%04x %04x 0008 0000", from, to);
    }

    /** A view over a private arena whose slot ends where the frame ends, so that a read too far is an exception. */
    static FrameView view(final byte[] frame, final int direction)
    {
        final UnsafeBuffer arena = new UnsafeBuffer(ByteBuffer.allocateDirect(HEADROOM + frame.length));
        arena.putBytes(HEADROOM, frame);
        final FrameView view = new FrameView();
        view.wrap(arena, direction, 0);
        view.frame(0, HEADROOM + frame.length, HEADROOM, frame.length, frame.length);
        return view;
    }
}
