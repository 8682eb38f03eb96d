package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * UDP over IPv4 frames for benchmarks: from 198.18.0.2 to 198.18.0.1 (RFC 2544), the flow in the source port, no UDP
 * checksum.
 *
 * @param length      bytes of a frame; 0 generates nothing.
 * @param flows       how many flows, in turn.
 * @param destination MAC address, first byte in the low bits.
 */
public record GeneratedFrames(int length, int flows, long destination)
{
    /** Generates nothing. */
    public static final GeneratedFrames NONE = new GeneratedFrames(0, 0, 0);

    /** Headers and no payload. */
    public static final int MIN_LENGTH = 42;

    private static final int ETHERNET = 14;
    private static final int IP = 20;
    private static final int FIRST_PORT = 1024;
    private static final long SOURCE_MAC = 0x4200_0000_0002L;
    private static final int SOURCE_ADDRESS = 0xc6120002;
    private static final int DESTINATION_ADDRESS = 0xc6120001;
    private static final short ETHERTYPE_IPV4 = 0x0800;
    private static final short DISCARD_PORT = 9;

    /** Checks the values. */
    public GeneratedFrames
    {
        if (0 != length && (length < MIN_LENGTH || flows < 1))
        {
            throw new IllegalArgumentException(flows + " flows of " + length + " bytes; least is 1 of " + MIN_LENGTH);
        }
    }

    /** Writes the n-th frame with an empty net header before it. */
    void write(final UnsafeBuffer arena, final int offset, final int n)
    {
        arena.setMemory(offset - FrameLayout.NET_HEADER, FrameLayout.NET_HEADER + length, (byte)0);
        putMac(arena, offset, destination);
        putMac(arena, offset + 6, SOURCE_MAC);
        arena.putShort(offset + 12, ETHERTYPE_IPV4, ByteOrder.BIG_ENDIAN);
        final int ip = offset + ETHERNET;
        arena.putByte(ip, (byte)0x45);
        arena.putShort(ip + 2, (short)(length - ETHERNET), ByteOrder.BIG_ENDIAN);
        arena.putByte(ip + 8, (byte)64);
        arena.putByte(ip + 9, (byte)17);
        arena.putInt(ip + 12, SOURCE_ADDRESS, ByteOrder.BIG_ENDIAN);
        arena.putInt(ip + 16, DESTINATION_ADDRESS, ByteOrder.BIG_ENDIAN);
        arena.putShort(ip + 10, ipChecksum(arena, ip), ByteOrder.BIG_ENDIAN);
        final int udp = ip + IP;
        arena.putShort(udp, (short)(FIRST_PORT + n % flows), ByteOrder.BIG_ENDIAN);
        arena.putShort(udp + 2, DISCARD_PORT, ByteOrder.BIG_ENDIAN);
        arena.putShort(udp + 4, (short)(length - ETHERNET - IP), ByteOrder.BIG_ENDIAN);
    }

    private static short ipChecksum(final UnsafeBuffer arena, final int ip)
    {
        int sum = 0;
        for (int i = 0; i < IP; i += Short.BYTES)
        {
            sum += arena.getShort(ip + i, ByteOrder.BIG_ENDIAN) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short)~(sum + (sum >>> 16));
    }

    private static void putMac(final UnsafeBuffer arena, final int offset, final long mac)
    {
        for (int i = 0; i < 6; i++)
        {
            arena.putByte(offset + i, (byte)(mac >> Byte.SIZE * i));
        }
    }
}
