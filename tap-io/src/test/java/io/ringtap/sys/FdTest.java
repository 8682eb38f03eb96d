package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Ownership of a descriptor: closed once, by one. */
class FdTest
{
    @Test
    void shouldCloseOnce()
    {
        final int before = OpenDescriptors.count();
        final Fd fd = MemFd.create("memory", 1);
        assertEquals(before + 1, OpenDescriptors.count());
        fd.close();
        fd.close();
        assertEquals(before, OpenDescriptors.count());
        assertFalse(fd.isOpen());
        assertEquals("fd closed (memory)", fd.toString());
        assertThrows(IllegalStateException.class, fd::number);
        assertThrows(IllegalStateException.class, fd::release);
    }

    @Test
    void shouldGiveUpOwnership()
    {
        final Fd first = MemFd.create("memory", 1);
        final int number = first.release();
        first.close();
        try (Fd second = Fd.of(number))
        {
            assertEquals(1, Syscalls.fstat(second.number()).size());
            assertEquals("fd " + number, second.toString());
        }
    }

    @Test
    void shouldTellOfADescriptorThatSomebodyElseClosed()
    {
        final Fd fd = MemFd.create("memory", 1);
        Syscalls.close(fd.number());
        assertEquals(Errno.EBADF, assertThrows(SyscallException.class, fd::close).errno());
    }

    @Test
    void shouldRefuseANegativeNumber()
    {
        assertThrows(IllegalArgumentException.class, () -> Fd.of(-1));
    }
}
