package io.ringtap.hostile;

import java.nio.ByteBuffer;

/** UDP frames whose destination address names the NIC that {@link AddressHook} sends them to. */
final class WireFrames
{
    /** The shortest that carries the headers and a number. */
    static final int LENGTH = 60;
    static final int IP = 14;
    static final int TRANSPORT = 34;
    private static final int UDP = 17;
    private static final int TCP = 6;

    private WireFrames()
    {
    }

    static byte[] udp(final int target, final int port, final int number, final int length)
    {
        return frame(target, port, number, length, UDP);
    }

    static byte[] tcp(final int length)
    {
        return frame(0, 1000, 1, length, TCP);
    }

    private static byte[] frame(
        final int target, final int port, final int number, final int length, final int protocol)
    {
        final ByteBuffer frame = ByteBuffer.allocate(length);
        frame.putInt(0x0200_0000).putShort((short)target).putInt(0x0200_0001).putShort((short)1).putShort((short)0x800);
        frame.put((byte)0x45).put((byte)0).putShort((short)(length - IP)).putInt(0x4000).put((byte)64)
            .put((byte)protocol).putShort((short)0).putInt(0xC612_0702).putInt(0xC612_0703);
        int sum = 0;
        for (int i = IP; i < TRANSPORT; i += 2)
        {
            sum += frame.getShort(i) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        frame.putShort(IP + 10, (short)~(sum + (sum >>> 16)));
        frame.putShort((short)port).putShort((short)9);
        if (UDP == protocol)
        {
            // without a checksum
            frame.putShort((short)(length - TRANSPORT)).putShort((short)0);
        }
        else
        {
            frame.putInt(number).putInt(0).putShort((short)0x5010).putShort((short)1000).putInt(0);
        }
        while (frame.remaining() >= Integer.BYTES)
        {
            frame.putInt(number * 31 + frame.position());
        }
        return frame.array();
    }
}
