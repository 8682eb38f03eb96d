package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is a value and what is an exception, against the real kernel. */
class SyscallsTest
{
    private final Fd[] pipe = new Fd[2];
    private final UnsafeBuffer buffer = Memory.scratch(64);

    @BeforeEach
    void open()
    {
        Syscalls.pipe(pipe, Fcntl.O_NONBLOCK);
    }

    @AfterEach
    void close()
    {
        pipe[0].close();
        pipe[1].close();
    }

    @Test
    void shouldCarryBytesThroughAPipe()
    {
        buffer.putLong(0, 0x1122334455667788L);
        assertEquals(8, Syscalls.write(pipe[1].number(), buffer, 0, 8));
        assertEquals(8, Syscalls.read(pipe[0].number(), buffer, 16, 48));
        assertEquals(0x1122334455667788L, buffer.getLong(16));
    }

    @Test
    void shouldScatterAndGather()
    {
        final long address = Memory.addressOf(buffer);
        buffer.putInt(0, 0x01010101);
        buffer.putInt(8, 0x02020202);
        try (IoVectors vectors = new IoVectors(4))
        {
            vectors.set(1, address, 4);
            vectors.set(2, address + 8, 4);
            assertEquals(8, Syscalls.writev(pipe[1].number(), vectors, 1, 2));
            vectors.set(0, address + 33, 3);
            vectors.set(1, address + 48, 5);
            assertEquals(8, Syscalls.readv(pipe[0].number(), vectors, 0, 2));
        }
        assertEquals(0x010101, buffer.getInt(33) & 0xffffff);
        assertEquals(0x02020201, buffer.getInt(48));
    }

    @Test
    void shouldReturnEagainAsAValue()
    {
        assertEquals(-Errno.EAGAIN, Syscalls.read(pipe[0].number(), buffer, 0, 1));
        while (Syscalls.write(pipe[1].number(), buffer, 0, 64) == 64)
        {
            Thread.onSpinWait();
        }
        assertEquals(-Errno.EAGAIN, Syscalls.write(pipe[1].number(), buffer, 0, 64));
    }

    @Test
    void shouldReturnEveryFailureOfTheDataPathAsAValue()
    {
        assertEquals(-Errno.EBADF, Syscalls.read(pipe[1].number(), buffer, 0, 1));
        assertEquals(-Errno.EFAULT, Syscalls.write(pipe[1].number(), 4096, 16));
        pipe[0].close();
        assertEquals(-Errno.EPIPE, Syscalls.write(pipe[1].number(), buffer, 0, 1));
        assertEquals(-Errno.EBADF, Syscalls.readv(999_999, Memory.addressOf(buffer), 1));
    }

    @Test
    void shouldRefuseRangesOutsideTheBuffer()
    {
        assertThrows(IndexOutOfBoundsException.class, () -> Syscalls.read(pipe[0].number(), buffer, 60, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> Syscalls.write(pipe[1].number(), buffer, -1, 8));
    }

    @Test
    void shouldNameCallErrnoAndObjectWhenTheHostRefuses()
    {
        final SyscallException e = assertThrows(
            SyscallException.class, () -> Syscalls.open("/nowhere/at/all", Fcntl.O_RDWR));
        assertEquals("open(/nowhere/at/all): ENOENT (No such file or directory)", e.getMessage());
        assertEquals("open", e.call());
        assertEquals(Errno.ENOENT, e.errno());
        assertEquals("ENOENT", e.errnoName());
    }

    @Test
    void shouldNameRequestOfARefusedIoctl()
    {
        final SyscallException e = assertThrows(
            SyscallException.class, () -> Syscalls.ioctl(pipe[0].number(), Tun.TUNGETIFF, buffer));
        assertEquals("ioctl(fd " + pipe[0].number() + ", request 0x800454d2): " +
            "ENOTTY (Inappropriate ioctl for device)", e.getMessage());
        assertEquals(-Errno.ENOTTY, Syscalls.ioctlResult(pipe[0].number(), Tun.TUNGETIFF, buffer));
        assertEquals("ioctl TUNGETIFF", assertThrows(SyscallException.class,
            () -> Syscalls.check("ioctl TUNGETIFF", -Errno.ENOTTY, "tap0")).call());
    }

    @Test
    void shouldGiveUnknownErrorsAName()
    {
        assertEquals("read(x): errno 4711 (unknown error)", new SyscallException("read", 4711, "x").getMessage());
    }

    @Test
    void shouldOpenEverythingCloseOnExec(@TempDir final Path folder)
    {
        final String path = folder.resolve("file").toString();
        try (Fd file = Syscalls.open(path, Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_EXCL); Fd copy = Syscalls.dup(
            file.number()); EventFd event = EventFd.create(); Epoll epoll = Epoll.create(1); Fd memory = MemFd.create(
            "memory", 1); Fd socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0))
        {
            for (final int fd : new int[]{file.number(), copy.number(), event.number(), epoll.number(),
                memory.number(), socket.number(), pipe[0].number(), pipe[1].number()})
            {
                assertTrue(OpenDescriptors.isCloseOnExec(fd));
            }
            assertEquals("fd " + file.number() + " (" + path + ")", file.toString());
        }
        assertTrue(Files.exists(Path.of(path)));
    }

    @Test
    void shouldTellSizeAndPlaceOfAFile()
    {
        try (Fd memory = MemFd.create("memory", 12345); Fd copy = Syscalls.dup(memory.number()))
        {
            final FileStatus status = Syscalls.fstat(memory.number());
            assertEquals(12345, status.size());
            assertEquals(4096, status.blockSize());
            assertEquals(status, Syscalls.fstat(copy.number()));
            final FileSystemStatus place = Syscalls.fstatfs(memory.number());
            assertEquals(FileSystemStatus.TMPFS, place.type());
            assertEquals(4096, place.blockSize());
            assertFalse(place.isHuge());
        }
    }

    @Test
    void shouldPollOneDescriptor()
    {
        assertEquals(0, Syscalls.poll(pipe[0].number(), Poll.IN, 0));
        assertEquals(0, Syscalls.poll(pipe[0].number(), Poll.IN, 5));
        Syscalls.write(pipe[1].number(), buffer, 0, 1);
        assertEquals(Poll.IN, Syscalls.poll(pipe[0].number(), Poll.IN, -1));
        pipe[1].close();
        assertEquals(Poll.IN | Poll.HUP, Syscalls.poll(pipe[0].number(), Poll.IN, -1));
    }

    @Test
    void shouldSetNonBlocking()
    {
        final Fd[] blocking = new Fd[2];
        Syscalls.pipe(blocking, 0);
        Syscalls.setNonBlocking(blocking[0].number());
        assertEquals(-Errno.EAGAIN, Syscalls.read(blocking[0].number(), buffer, 0, 1));
        blocking[0].close();
        blocking[1].close();
    }

    @Test
    void shouldKnowItself()
    {
        assertEquals(ProcessHandle.current().pid(), Syscalls.getpid());
        assertTrue(Files.exists(Path.of("/proc/self/task/" + Syscalls.gettid())));
    }
}
