package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Sizes and seals, as a guest memory file needs them. */
class MemFdTest
{
    @Test
    void shouldSealAgainstShrinking()
    {
        try (Fd fd = MemFd.create("memory", 8192))
        {
            assertFalse(MemFd.isSealedAgainstShrink(fd.number()));
            MemFd.seal(fd.number(), MemFd.F_SEAL_SHRINK | MemFd.F_SEAL_SEAL);
            assertTrue(MemFd.isSealedAgainstShrink(fd.number()));
            assertEquals(MemFd.F_SEAL_SHRINK | MemFd.F_SEAL_SEAL, MemFd.seals(fd.number()));
            final SyscallException e = assertThrows(
                SyscallException.class, () -> Syscalls.ftruncate(fd.number(), 4096));
            assertEquals("ftruncate(fd " + fd.number() + "): EPERM (Operation not permitted)", e.getMessage());
            Syscalls.ftruncate(fd.number(), 16384);
            assertThrows(SyscallException.class, () -> MemFd.seal(fd.number(), MemFd.F_SEAL_GROW));
        }
    }

    @Test
    void shouldSealWhatItsMakerLeftOpen()
    {
        try (Fd open = MemFd.create("memory", 4096); Fd closed = MemFd.create("memory", 4096))
        {
            assertTrue(MemFd.sealAgainstShrink(open.number()));
            assertTrue(MemFd.sealAgainstShrink(open.number()));
            MemFd.seal(closed.number(), MemFd.F_SEAL_SEAL);
            assertFalse(MemFd.sealAgainstShrink(closed.number()));
        }
    }

    @Test
    void shouldSayNoForDescriptorsThatCannotBeSealed()
    {
        try (EventFd event = EventFd.create())
        {
            assertFalse(MemFd.isSealedAgainstShrink(event.number()));
        }
    }

    @Test
    void shouldCloseWhatItCannotMakeBigEnough()
    {
        final int before = OpenDescriptors.count();
        assertThrows(SyscallException.class, () -> MemFd.create("memory", -1));
        assertEquals(before, OpenDescriptors.count());
    }
}
