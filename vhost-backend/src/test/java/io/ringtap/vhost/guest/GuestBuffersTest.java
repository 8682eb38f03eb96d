package io.ringtap.vhost.guest;

import io.ringtap.sys.IoVectors;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Memory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Lists of buffers: what may be added, and that bytes come and go in order. */
class GuestBuffersTest
{
    private static final long PAGE = 4096;
    private static final long LOW = 0x10000;

    /** Two regions that touch, a hole, a third one. */
    private final GuestMemory memory = GuestMemory.map(List.of(
        region(LOW, 32 * PAGE, 0),
        region(LOW + 32 * PAGE, 2 * PAGE, 64 * PAGE),
        region(LOW + 64 * PAGE, PAGE, 128 * PAGE)));
    private final GuestCursor cursor = new GuestCursor(memory);
    private final GuestBuffers buffers = new GuestBuffers(8);

    @AfterEach
    void unmap()
    {
        memory.close();
    }

    @Test
    void shouldSplitABufferThatStraddlesRegions()
    {
        assertTrue(buffers.add(cursor, LOW + 32 * PAGE - 10, 30));
        assertEquals(2, buffers.count());
        assertEquals(30, buffers.length());
        final UnsafeBuffer out = filled(30);
        assertEquals(30, buffers.copyOut(0, out, 0, 30));
        assertEquals(out.getByte(9), Memory.getByte(memory.translate(LOW + 32 * PAGE - 1, 1)));
        assertEquals(out.getByte(10), Memory.getByte(memory.translate(LOW + 32 * PAGE, 1)));
        final UnsafeBuffer in = new UnsafeBuffer(new byte[30]);
        assertEquals(30, buffers.copyIn(0, in, 0, 30));
        assertEquals(0, in.compareTo(out));
    }

    @Test
    void shouldAddNothingThatIsNotWhollyTheGuests()
    {
        assertTrue(buffers.add(cursor, LOW, 1));
        assertFalse(buffers.add(cursor, LOW + 34 * PAGE - 10, 11));
        assertFalse(buffers.add(cursor, LOW - 1, 2));
        assertFalse(buffers.add(cursor, LOW + 64 * PAGE, (int)PAGE + 1));
        assertFalse(buffers.add(cursor, -1, 2));
        assertFalse(buffers.add(cursor, LOW, -1));
        assertFalse(buffers.add(cursor, Long.MAX_VALUE, Integer.MAX_VALUE));
        assertFalse(buffers.add(cursor, LOW + Long.MIN_VALUE, 1));
        assertEquals(1, buffers.count());
        assertEquals(1, buffers.length());
        assertTrue(buffers.add(cursor, LOW + 64 * PAGE, (int)PAGE));
        assertTrue(buffers.add(cursor, LOW + 34 * PAGE - 10, 10));
    }

    @Test
    void shouldTakeNoMoreBytesOrBuffersThanItsLimits()
    {
        assertFalse(buffers.add(cursor, LOW, GuestBuffers.MAX_BYTES + 1));
        assertTrue(buffers.add(cursor, LOW, GuestBuffers.MAX_BYTES - 6));
        for (int i = 0; i < 6; i++)
        {
            assertTrue(buffers.add(cursor, LOW, 1));
        }
        assertFalse(buffers.add(cursor, LOW, 1));
        assertTrue(buffers.add(cursor, 0, 0));
        assertEquals(7, buffers.count());
        buffers.clear();
        for (int i = 0; i < 7; i++)
        {
            assertTrue(buffers.add(cursor, LOW, 1));
        }
        // one place is left, two would be needed
        assertFalse(buffers.add(cursor, LOW + 32 * PAGE - 1, 2));
        assertEquals(7, buffers.count());
        assertTrue(buffers.add(cursor, LOW, 1));
        assertTrue(buffers.isFull());
        assertFalse(buffers.add(cursor, LOW, 1));
    }

    @Test
    void shouldForgetTheLastRegionWhenTheMapChanges()
    {
        assertTrue(buffers.add(cursor, LOW, 8));
        try (GuestMemory other = memory.minus(new RegionRequest(LOW, 32 * PAGE, 0, 0, null)))
        {
            cursor.memory(other);
            assertFalse(buffers.add(cursor, LOW, 8));
            assertTrue(buffers.add(cursor, LOW + 64 * PAGE, 8));
            assertFalse(buffers.add(cursor, LOW, 8));
        }
    }

    @Test
    void shouldCopyEveryLengthFromEveryPlace()
    {
        final int[] lengths = {
            0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 76, 127, 128, 129, 300};
        buffers.add(cursor, LOW + 3, 400);
        final UnsafeBuffer out = filled(400);
        buffers.copyOut(0, out, 0, 400);
        for (final int length : lengths)
        {
            for (int from = 0; from < 20; from++)
            {
                final UnsafeBuffer in = Memory.scratch(420);
                in.setMemory(0, 420, (byte)0x5a);
                assertEquals(length, buffers.copyIn(from, in, 8, length));
                for (int i = 0; i < length; i++)
                {
                    assertEquals(out.getByte(from + i), in.getByte(8 + i), "length " + length + " from " + from);
                }
                assertEquals(0x5a, in.getByte(7));
                assertEquals(0x5a, in.getByte(8 + length));
            }
        }
    }

    @Test
    void shouldCopyNoMoreThanThereIs()
    {
        buffers.add(cursor, LOW, 10);
        final UnsafeBuffer in = Memory.scratch(64);
        assertEquals(7, buffers.copyIn(3, in, 0, 64));
        assertEquals(0, buffers.copyIn(10, in, 0, 1));
        assertEquals(0, buffers.copyIn(11, in, 0, 1));
        buffers.add(cursor, LOW + 100, 10);
        assertEquals(17, buffers.copyIn(3, in, 0, 64));
        assertEquals(5, buffers.copyOut(15, in, 0, 64));
        assertEquals(0, buffers.copyOut(25, in, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffers.copyIn(0, in, 60, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> buffers.copyIn(-1, in, 0, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> buffers.copyOut(-1, in, 0, 5));
    }

    @Test
    void shouldPutAShortAcrossABorder()
    {
        buffers.add(cursor, LOW, 11);
        buffers.add(cursor, LOW + 100, 11);
        buffers.putShort(10, (short)0x1234);
        assertEquals(0x34, Memory.getByte(memory.translate(LOW + 10, 1)));
        assertEquals(0x12, Memory.getByte(memory.translate(LOW + 100, 1)));
        assertThrows(IndexOutOfBoundsException.class, () -> buffers.putShort(21, (short)1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffers.putShort(-1, (short)1));
    }

    @Test
    void shouldDescribeAPartByVectors()
    {
        buffers.add(cursor, LOW, 10);
        buffers.add(cursor, LOW + 100, 10);
        buffers.add(cursor, LOW + 200, 10);
        try (IoVectors vectors = new IoVectors(4))
        {
            assertEquals(3, buffers.fill(vectors, 1, 5, 20));
            assertEquals(memory.translate(LOW + 5, 1), vectors.base(1));
            assertEquals(5, vectors.length(1));
            assertEquals(memory.translate(LOW + 100, 1), vectors.base(2));
            assertEquals(10, vectors.length(2));
            assertEquals(5, vectors.length(3));
            assertEquals(1, buffers.fill(vectors, 0, 10, 10));
            assertEquals(0, buffers.fill(vectors, 0, 10, 0));
            assertEquals(-1, buffers.fill(vectors, 2, 0, 30));
            assertEquals(-1, buffers.fill(vectors, 0, 5, 26));
            assertEquals(-1, buffers.fill(vectors, 0, -1, 2));
            assertEquals(-1, buffers.fill(vectors, 0, 40, 0));
        }
    }

    @Test
    void shouldCopyOutOfVectors()
    {
        buffers.add(cursor, LOW, 10);
        buffers.add(cursor, LOW + 100, 10);
        final UnsafeBuffer out = filled(30);
        try (IoVectors vectors = new IoVectors(3))
        {
            for (int i = 0; i < 3; i++)
            {
                vectors.set(i, Memory.addressOf(out) + 10 * i, 10);
            }
            assertEquals(18, buffers.copyOut(2, vectors, 0, 3));
            final UnsafeBuffer in = Memory.scratch(18);
            assertEquals(18, buffers.copyIn(2, in, 0, 18));
            for (int i = 0; i < 18; i++)
            {
                assertEquals(out.getByte(i), in.getByte(i));
            }
        }
    }

    private static UnsafeBuffer filled(final int length)
    {
        final UnsafeBuffer buffer = Memory.scratch(length);
        final Random random = new Random(length);
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(i, (byte)random.nextInt());
        }
        return buffer;
    }

    private static RegionRequest region(final long guestAddress, final long size, final long frontendAddress)
    {
        return new RegionRequest(guestAddress, size, frontendAddress, 0, MemFd.create("guest-buffers-test", size));
    }
}
