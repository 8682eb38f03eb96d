package io.ringtap.bench.xdp;

import java.nio.ByteBuffer;

/** Frames that the programs meet, of 64 bytes unless somebody wants more. */
public final class Frames
{
    private static final int LENGTH = 64;
    private static final int SOURCE = 0xc612_0001;
    private static final int TARGET = 0xc612_0002;

    private Frames()
    {
    }

    /** UDP over IPv4 between 198.18.0.1 and 198.18.0.2. */
    public static byte[] udp(final int sourcePort, final int port)
    {
        return udp(sourcePort, port, LENGTH);
    }

    /** The same of some length. */
    public static byte[] udp(final int sourcePort, final int port, final int length)
    {
        final ByteBuffer frame = ByteBuffer.allocate(length);
        frame.put(new byte[]{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}).putShort((short)0x0800);
        frame.put((byte)0x45).put((byte)0).putShort((short)(length - 14)).putShort((short)1).putShort((short)0x4000);
        frame.put((byte)64).put((byte)17).putShort((short)0).putInt(SOURCE).putInt(TARGET);
        frame.putShort((short)sourcePort).putShort((short)port).putShort((short)(length - 34)).putShort((short)0x1234);
        return frame.array();
    }
}
