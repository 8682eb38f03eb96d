package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameLayout;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * The broadcast that teaches switches where a guest lives after it moved (RFC 903; vhost-user message SEND_RARP).
 * <pre>
 *  0: ff ff ff ff ff ff | source MAC | 80 35 | htype 1 | ptype 0800 | 6 | 4 | op 3 | MAC | 0 | MAC | 0 | pad
 * </pre>
 */
final class RarpFrame
{
    /** Padded to the shortest Ethernet frame. */
    static final int LENGTH = 60;

    private static final int ETHER_TYPE = 0x8035;
    private static final int REQUEST_REVERSE = 3;
    private static final int MAC_LENGTH = 6;

    private RarpFrame()
    {
    }

    /** Writes the frame at {@code offset} and an empty net header before it; the MAC's first byte is the low one. */
    static void write(final UnsafeBuffer to, final int offset, final long mac)
    {
        to.setMemory(offset - FrameLayout.NET_HEADER, FrameLayout.NET_HEADER + LENGTH, (byte)0);
        to.setMemory(offset, MAC_LENGTH, (byte)0xff);
        putMac(to, offset + 6, mac);
        putShort(to, offset + 12, ETHER_TYPE);
        putShort(to, offset + 14, 1);
        putShort(to, offset + 16, 0x0800);
        to.putByte(offset + 18, (byte)MAC_LENGTH);
        to.putByte(offset + 19, (byte)4);
        putShort(to, offset + 20, REQUEST_REVERSE);
        putMac(to, offset + 22, mac);
        putMac(to, offset + 32, mac);
    }

    private static void putShort(final UnsafeBuffer to, final int index, final int value)
    {
        to.putShort(index, (short)value, ByteOrder.BIG_ENDIAN);
    }

    private static void putMac(final UnsafeBuffer to, final int index, final long mac)
    {
        for (int i = 0; i < MAC_LENGTH; i++)
        {
            to.putByte(index + i, (byte)(mac >> 8 * i));
        }
    }
}
