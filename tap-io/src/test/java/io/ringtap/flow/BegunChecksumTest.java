package io.ringtap.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.RandomSeed;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.Random;

/** Frames as a veth hands them over, and others that only look so. */
class BegunChecksumTest
{
    private static final int FRAME = 64;
    private static final int NET_HEADER = FRAME - FrameLayout.NET_HEADER;
    private static final int ETHERNET = 14;
    private static final int TCP = 6;
    private static final int UDP = 17;

    private final UnsafeBuffer arena = new UnsafeBuffer(new byte[2048]);

    @Test
    void shouldMarkBegunChecksumsOfTcpAndUdp()
    {
        for (final int protocol : new int[]{TCP, UDP})
        {
            for (final boolean isV6 : new boolean[]{false, true})
            {
                final int transport = write(protocol, isV6, 100);
                final int field = transport + (TCP == protocol ? 16 : 6);
                arena.putShort(FRAME + field, (short)Checksum.fold(pseudo(protocol, isV6, 100)),
                    ByteOrder.LITTLE_ENDIAN);
                mark(transport + 100);
                assertEquals(VnetHeader.NEEDS_CSUM, VnetHeader.flags(arena, NET_HEADER));
                assertEquals(transport, VnetHeader.checksumStart(arena, NET_HEADER));
                assertEquals(field - transport, VnetHeader.checksumOffset(arena, NET_HEADER));
            }
        }
    }

    @Test
    void shouldLeaveCompleteAndMissingChecksumsAlone()
    {
        final int transport = write(TCP, false, 100);
        final int field = FRAME + transport + 16;
        arena.putShort(field, (short)Checksum.fold(pseudo(TCP, false, 100)), ByteOrder.LITTLE_ENDIAN);
        Checksum.complete(arena, FRAME + transport, 100, field);
        mark(transport + 100);
        assertEquals(0, VnetHeader.flags(arena, NET_HEADER));
        write(UDP, false, 100);
        mark(transport + 100);
        assertEquals(0, VnetHeader.flags(arena, NET_HEADER));
    }

    @Test
    void shouldLookAtNothingBehindTheFrame()
    {
        final Random random = RandomSeed.random(BegunChecksumTest.class);
        int marked = 0;
        for (int round = 0; round < 20_000; round++)
        {
            final boolean isV6 = random.nextBoolean();
            final int protocol = random.nextBoolean() ? TCP : UDP;
            final int transport = write(protocol, isV6, 40);
            arena.putShort(FRAME + transport + (TCP == protocol ? 16 : 6),
                (short)Checksum.fold(pseudo(protocol, isV6, 40)), ByteOrder.LITTLE_ENDIAN);
            // One byte of the headers is anything, and the frame ends anywhere.
            arena.putByte(FRAME + 12 + random.nextInt(40), (byte)random.nextInt());
            final int length = ETHERNET + random.nextInt(transport + 40 - ETHERNET + 1);
            final UnsafeBuffer exact = new UnsafeBuffer(new byte[FRAME + length]);
            exact.putBytes(0, arena, 0, FRAME + length);
            exact.setMemory(NET_HEADER, FrameLayout.NET_HEADER, (byte)0);
            BegunChecksum.mark(exact, FRAME, length, length);
            if (VnetHeader.needsChecksum(exact, NET_HEADER))
            {
                marked++;
                assertTrue(VnetHeader.checksumStart(exact, NET_HEADER) +
                    VnetHeader.checksumOffset(exact, NET_HEADER) + 2 <= length);
            }
        }
        assertFalse(0 == marked);
    }

    private void mark(final int length)
    {
        arena.setMemory(NET_HEADER, FrameLayout.NET_HEADER, (byte)0);
        BegunChecksum.mark(arena, FRAME, length, length);
    }

    private long pseudo(final int protocol, final boolean isV6, final int length)
    {
        return isV6 ? Checksum.pseudoV6(arena, FRAME + ETHERNET, protocol, length) :
            Checksum.pseudoV4(arena, FRAME + ETHERNET, protocol, length);
    }

    /** @return where the transport header begins in the frame. */
    private int write(final int protocol, final boolean isV6, final int transport)
    {
        final int ip = FRAME + ETHERNET;
        arena.setMemory(0, arena.capacity(), (byte)0);
        for (int i = 0; i < transport; i++)
        {
            arena.putByte(ip + (isV6 ? 40 : 20) + i, (byte)(i * 7));
        }
        arena.putShort(FRAME + 12, (short)(isV6 ? 0x86dd : 0x0800), ByteOrder.BIG_ENDIAN);
        final int field = ip + (isV6 ? 40 : 20) + (TCP == protocol ? 16 : 6);
        arena.putShort(field, (short)0);
        if (isV6)
        {
            arena.putByte(ip, (byte)0x60);
            arena.putShort(ip + 4, (short)transport, ByteOrder.BIG_ENDIAN);
            arena.putByte(ip + 6, (byte)protocol);
            arena.putLong(ip + 8, 0x1122334455667788L);
            return ETHERNET + 40;
        }
        arena.putByte(ip, (byte)0x45);
        arena.putShort(ip + 2, (short)(20 + transport), ByteOrder.BIG_ENDIAN);
        arena.putByte(ip + 9, (byte)protocol);
        arena.putInt(ip + 12, 0x010912c6);
        arena.putInt(ip + 16, 0x020912c6);
        return ETHERNET + 20;
    }
}
