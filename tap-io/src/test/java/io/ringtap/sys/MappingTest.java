package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

/** Ranges mapped, seen through each other and unmapped, by /proc/self/maps. */
class MappingTest
{
    @Test
    void shouldShareAFileWithASecondMapping()
    {
        try (Fd fd = MemFd.create("memory", 3 * 4096); Mapping all = Mapping.shared(
            fd.number(), 0, 3 * 4096, "all"); Mapping part = Mapping.shared(fd.number(), 4096, 8192, "part"))
        {
            part.buffer().putLong(8184, 7);
            assertEquals(7, all.buffer().getLong(3 * 4096 - 8));
            assertEquals(8192, part.buffer().capacity());
            assertEquals("mapping of part, 8192 bytes", part.toString());
        }
    }

    @Test
    void shouldMapOffsetsBetweenPages()
    {
        try (Fd fd = MemFd.create("memory", 3 * 4096); Mapping all = Mapping.shared(
            fd.number(), 0, 3 * 4096, "all"); Mapping part = Mapping.shared(fd.number(), 4100, 100, "part"))
        {
            part.buffer().putInt(0, 11);
            assertEquals(11, all.buffer().getInt(4100));
            assertEquals(100, part.length());
        }
    }

    @Test
    void shouldOutliveTheDescriptor()
    {
        final Fd fd = MemFd.create("memory", 4096);
        try (Mapping mapping = Mapping.shared(fd.number(), 0, 4096, "memory"))
        {
            fd.close();
            mapping.buffer().putInt(0, 3);
            assertEquals(3, mapping.buffer().getInt(0));
        }
    }

    @Test
    void shouldNameWhatCouldNotBeMapped()
    {
        try (EventFd event = EventFd.create())
        {
            final SyscallException e = assertThrows(
                SyscallException.class, () -> Mapping.shared(event.number(), 0, 4096, "region 0"));
            assertEquals("mmap(region 0): ENODEV (No such device)", e.getMessage());
            assertThrows(IllegalArgumentException.class, () -> Mapping.shared(event.number(), 0, 0, "nothing"));
            assertThrows(IllegalArgumentException.class, () -> Mapping.shared(event.number(), -1, 1, "before"));
            assertThrows(IllegalArgumentException.class,
                () -> Mapping.shared(event.number(), 5, Long.MAX_VALUE, "too much"));
        }
    }

    @Test
    void shouldUnmapOnce() throws IOException
    {
        final Mapping mapping;
        try (Fd fd = MemFd.create("rt-unmap-once", 1 << 20))
        {
            mapping = Mapping.shared(fd.number(), 0, 1 << 20, "memory");
        }
        mapping.adviseDontDump();
        assertTrue(isMapped("rt-unmap-once"));
        mapping.close();
        assertFalse(isMapped("rt-unmap-once"));
        mapping.close();
        assertFalse(mapping.isOpen());
        assertThrows(IllegalStateException.class, mapping::buffer);
    }

    @Test
    void shouldGiveZeroedMemoryOfItsOwn()
    {
        try (Mapping mapping = Mapping.anonymous(64 << 20, "arena"))
        {
            assertEquals(0, mapping.buffer().getLong((64 << 20) - 8));
            mapping.buffer().putLong((64 << 20) - 8, -1);
            assertEquals(0, mapping.address() & 4095);
        }
    }

    @Test
    void shouldRefuseABufferOverTwoGiB()
    {
        try (Mapping mapping = Mapping.of(-1, 0, 3L << 30, Mman.PROT_READ,
            Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS | Mman.MAP_NORESERVE, "big"))
        {
            assertThrows(IllegalStateException.class, mapping::buffer);
            assertEquals(0, Memory.getByte(mapping.address() + (3L << 30) - 1));
        }
    }

    @Test
    void shouldFindHugePagesOrDoWithout()
    {
        final Mapping mapping = Mapping.huge(3 << 20, "arena");
        assertEquals(0, mapping.address() & (2 << 20) - 1);
        mapping.buffer().setMemory(0, 3 << 20, (byte)1);
        assertEquals(3 << 20, mapping.length());
        mapping.close();
        assertFalse(mapping.isOpen());
    }

    @Test
    void shouldReadZerosInsteadOfFaultingOnceRevoked()
    {
        try (Fd fd = MemFd.create("memory", 8192); Mapping mapping = Mapping.shared(fd.number(), 0, 8192, "memory"))
        {
            mapping.buffer().putInt(4096, 9);
            Syscalls.ftruncate(fd.number(), 0);
            mapping.revoke();
            assertEquals(0, mapping.buffer().getInt(4096));
        }
    }

    @Test
    void shouldFindOutWithoutASignalThatAFileWasCutShort()
    {
        try (Fd fd = MemFd.create("memory", 8192); Mapping mapping = Mapping.shared(fd.number(), 0, 8192, "memory"))
        {
            assertTrue(Memory.isReadable(mapping.address() + 8191));
            Syscalls.ftruncate(fd.number(), 4096);
            assertFalse(Memory.isReadable(mapping.address() + 8191));
            assertTrue(Memory.isReadable(mapping.address() + 4095));
        }
    }

    private static boolean isMapped(final String file) throws IOException
    {
        return Files.readString(Path.of("/proc/self/maps")).contains(file);
    }
}
