package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Byte order, acquire and release, and the bounds of buffers. */
class MemoryTest
{
    @Test
    void shouldReadLittleEndianWhateverTheWidth()
    {
        final UnsafeBuffer buffer = Memory.scratch(16);
        final long address = Memory.addressOf(buffer);
        Memory.putLong(address, 0x0807060504030201L);
        assertEquals(0x01, Memory.getByte(address));
        assertEquals(0x0201, Memory.getShort(address));
        assertEquals(0x04030201, Memory.getInt(address));
        Memory.putShort(address + 8, (short)0x1211);
        Memory.putInt(address + 12, 0x16151413);
        Memory.copy(address + 8, address, 8);
        assertEquals(0x1615141300001211L, Memory.getLong(address));
        Memory.zero(address, 3);
        assertEquals(0x1615141300000000L, Memory.getLong(address));
    }

    @Test
    void shouldReleaseAndAcquireIndexesInHeapAndNativeBuffers()
    {
        for (final UnsafeBuffer buffer : new UnsafeBuffer[]{new UnsafeBuffer(new byte[8]), Memory.scratch(8)})
        {
            Memory.shortRelease(buffer, 2, (short)0xfffe);
            assertEquals((short)0xfffe, Memory.shortAcquire(buffer, 2));
            assertEquals((short)0xfffe, buffer.getShort(2));
        }
    }

    @Test
    void shouldRefuseAnIndexThatDoesNotLieInTheBuffer()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        assertThrows(IndexOutOfBoundsException.class, () -> Memory.shortAcquire(buffer, 7));
        assertThrows(IndexOutOfBoundsException.class, () -> Memory.shortRelease(buffer, -1, (short)0));
    }

    @Test
    void shouldRefuseTheAddressOfAHeapBuffer()
    {
        assertThrows(IllegalArgumentException.class, () -> Memory.addressOf(new UnsafeBuffer(new byte[8])));
    }

    @Test
    void shouldAlignScratchMemory()
    {
        for (int length = 1; length < 40; length++)
        {
            assertEquals(0, Memory.addressOf(Memory.scratch(length)) & 15);
        }
    }
}
