package io.ringtap.flow;

import io.ringtap.RandomSeed;
import io.ringtap.sys.Memory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The fast sums against the definition. */
class ChecksumTest
{
    private final UnsafeBuffer arena = Memory.scratch(64 * 1024);

    /** The definition of RFC 1071, big endian, two bytes at a time. */
    private static int plainSum(final UnsafeBuffer buffer, final int offset, final int length)
    {
        long sum = 0;
        for (int i = 0; i < length; i++)
        {
            sum += (long)(buffer.getByte(offset + i) & 0xFF) << ((i & 1) == 0 ? 8 : 0);
        }
        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int)sum;
    }

    @Test
    void shouldSumLikeTheDefinitionAtEveryLengthAndAlignment()
    {
        final Random random = RandomSeed.random(ChecksumTest.class);
        fill(random);
        for (int length = 0; length < 200; length++)
        {
            for (int offset = 0; offset < 9; offset++)
            {
                assertEquals(plainSum(arena, offset, length),
                    Checksum.swap(Checksum.fold(Checksum.sum(arena, offset, length))), length + " at " + offset);
            }
        }
        for (int n = 0; n < 500; n++)
        {
            final int offset = random.nextInt(60_000);
            final int length = random.nextInt(64 * 1024 - offset);
            assertEquals(plainSum(arena, offset, length),
                Checksum.swap(Checksum.fold(Checksum.sum(arena, offset, length))));
        }
    }

    @Test
    void shouldNotLoseACarryWhenEveryBitIsSet()
    {
        arena.setMemory(0, arena.capacity(), (byte)0xFF);
        assertEquals(0xFFFF, Checksum.fold(Checksum.sum(arena, 0, 64 * 1024)));
    }

    @Test
    void shouldSumVectorsAsIfTheyWereOnePiece()
    {
        final Random random = RandomSeed.random(ChecksumTest.class);
        fill(random);
        final FrameBatch batch = new FrameBatch(arena, 1, 64);
        for (int n = 0; n < 1000; n++)
        {
            int at = 1000;
            for (int i = 0; i < 8; i++)
            {
                final int length = random.nextInt(20);
                batch.vectors().set(i, arena.addressOffset() + at, length);
                at += length;
            }
            assertEquals(plainSum(arena, 1000, at - 1000),
                Checksum.swap(Checksum.fold(Checksum.sum(batch.vectors(), 0, 8, false))));
            assertEquals(plainSum(arena, 1000, at - 1000),
                Checksum.fold(Checksum.sum(batch.vectors(), 0, 8, true)));
        }
        batch.close();
    }

    @Test
    void shouldCheckAKnownHeader()
    {
        final int[] header = { 0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xB8, 0x61,
            0xC0, 0xA8, 0x00, 0x01, 0xC0, 0xA8, 0x00, 0xC7 };
        for (int i = 0; i < header.length; i++)
        {
            arena.putByte(i, (byte)header[i]);
        }
        assertEquals(Checksum.SOUND, Checksum.fold(Checksum.sum(arena, 0, 20)));
        arena.putShort(10, (short)0);
        Checksum.header(arena, 0, 20);
        assertEquals(0xB861, Checksum.swap(arena.getShort(10)));
        final int pseudo = plainSum(arena, 12, 8) + 17 + 95;
        assertEquals(pseudo % 0xFFFF, Checksum.swap(Checksum.fold(Checksum.pseudoV4(arena, 0, 17, 95))) % 0xFFFF);
    }

    @Test
    void shouldCompletePartialFrames()
    {
        final Random random = RandomSeed.random(ChecksumTest.class);
        final FrameBatch batch = new FrameBatch(arena, 4, 16);
        for (int n = 0; n < 2000; n++)
        {
            final TestFrame frame = TestFrame.random(random);
            final byte[] complete = frame.bytes();
            final byte[] partial = frame.partialBytes();
            if (complete[frame.checksumField()] == 0 && complete[frame.checksumField() + 1] == 0)
            {
                continue; // TCP with a sum of zero: both ways to write it are right, see the test below.
            }
            batch.clear();
            final int offset = 256 + random.nextInt(8);
            final int linear = random.nextBoolean() ? partial.length :
                frame.checksumField() + 2 + random.nextInt(partial.length - frame.checksumField() - 1);
            arena.putBytes(offset, partial, 0, linear);
            arena.putBytes(8192, partial, linear, partial.length - linear);
            VnetHeader.partial(arena, offset - 12, frame.transport(), frame.checksumField() - frame.transport());
            batch.add(0, 4096, offset, linear, 0);
            final int rest = partial.length - linear;
            if (rest > 0)
            {
                final int half = random.nextInt(rest + 1);
                final int first = batch.claimSegments(2, rest);
                batch.vectors().set(first, arena.addressOffset() + 8192, half);
                batch.vectors().set(first + 1, arena.addressOffset() + 8192 + half, rest - half);
            }
            assertTrue(Checksum.complete(batch, 0));
            assertFalse(VnetHeader.needsChecksum(arena, offset - 12));
            final byte[] result = new byte[partial.length];
            arena.getBytes(offset, result, 0, linear);
            arena.getBytes(8192, result, linear, rest);
            TestFrame.assertSame(complete, result);
        }
        batch.close();
    }

    @Test
    void shouldWriteAllOnesForASumOfZero()
    {
        arena.setMemory(0, 64, (byte)0);
        arena.putShort(40, (short)0xFFFF);
        Checksum.complete(arena, 34, 20, 40);
        assertEquals((short)0xFFFF, arena.getShort(40));
    }

    @Test
    void shouldRefuseToCompleteWhatIsNotThere()
    {
        final FrameBatch batch = new FrameBatch(arena, 4, 16);
        batch.add(0, 2048, 256, 40, 0);
        VnetHeader.partial(arena, 244, 34, 6);
        assertFalse(Checksum.complete(batch, 0));
        VnetHeader.superFrame(arena, 244, VnetHeader.GSO_UDP_L4, 10, 42, 24, 6);
        assertFalse(Checksum.complete(batch, 0), "a super-frame is segmented, not completed");
        VnetHeader.clear(arena, 244);
        assertTrue(Checksum.complete(batch, 0));
        batch.close();
    }

    private void fill(final Random random)
    {
        final byte[] bytes = new byte[arena.capacity()];
        random.nextBytes(bytes);
        arena.putBytes(0, bytes);
    }
}
