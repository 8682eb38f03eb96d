package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The kernel layout of vectors and copies across them. */
class IoVectorsTest
{
    private final UnsafeBuffer source = Memory.scratch(256);
    private final long address = Memory.addressOf(source);
    private final IoVectors vectors = new IoVectors(4);

    @BeforeEach
    void fill()
    {
        for (int i = 0; i < 256; i++)
        {
            source.putByte(i, (byte)i);
        }
        vectors.set(1, address + 10, 3);
        vectors.set(2, address + 20, 0);
        vectors.set(3, address + 30, 4);
    }

    @AfterEach
    void close()
    {
        vectors.close();
        vectors.close();
    }

    @Test
    void shouldLayEntriesOutAsTheKernelReadsThem()
    {
        assertEquals(4, vectors.capacity());
        assertEquals(vectors.address() + 16, vectors.addressOf(1));
        assertEquals(address + 10, Memory.getLong(vectors.address() + 16));
        assertEquals(3, Memory.getLong(vectors.address() + 24));
        assertEquals(address + 30, vectors.base(3));
        assertEquals(4, vectors.length(3));
    }

    @Test
    void shouldCopyAcrossEntries()
    {
        final UnsafeBuffer to = new UnsafeBuffer(new byte[16]);
        assertEquals(7, vectors.copyTo(1, 3, 0, 16, to, 0));
        assertBytes(to, 0, 10, 11, 12, 30, 31, 32, 33, 0);
        assertEquals(4, vectors.copyTo(1, 3, 2, 4, to, 8));
        assertBytes(to, 8, 12, 30, 31, 32, 0);
        assertEquals(2, vectors.copyTo(1, 3, 5, 16, to, 0));
        assertBytes(to, 0, 32, 33, 12);
        assertEquals(0, vectors.copyTo(1, 3, 7, 16, to, 0));
        assertEquals(1, vectors.copyTo(1, 1, 2, 9, Memory.scratch(9), 0));
    }

    @Test
    void shouldRefuseWhatDoesNotFit()
    {
        final UnsafeBuffer to = new UnsafeBuffer(new byte[8]);
        assertThrows(IndexOutOfBoundsException.class, () -> vectors.copyTo(1, 3, 0, 7, to, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> vectors.copyTo(2, 3, 0, 1, to, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> vectors.set(4, address, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> vectors.addressOf(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> vectors.addressOf(Integer.MAX_VALUE, 2));
    }

    private static void assertBytes(final UnsafeBuffer buffer, final int offset, final int... expected)
    {
        for (int i = 0; i < expected.length; i++)
        {
            assertEquals(expected[i], buffer.getByte(offset + i), "byte " + (offset + i));
        }
    }
}
