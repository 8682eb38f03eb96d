package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, edges, times. */
class EpollTest
{
    private final EventFd first = EventFd.create();
    private final EventFd second = EventFd.create();
    private final Epoll epoll = Epoll.create(4);

    @AfterEach
    void close()
    {
        first.close();
        second.close();
        epoll.close();
    }

    @Test
    void shouldTellWhichDescriptorIsReady()
    {
        epoll.add(first.number(), Poll.IN, 1);
        epoll.add(second.number(), Poll.IN, 0x1234_5678_9abc_def0L);
        assertEquals(0, epoll.await(0));
        second.signal();
        assertEquals(1, epoll.await(-1));
        assertEquals(0x1234_5678_9abc_def0L, epoll.token(0));
        assertEquals(Poll.IN, epoll.events(0));
        first.signal();
        assertEquals(2, epoll.await(-1));
        assertEquals(0x1234_5678_9abc_def1L, epoll.token(0) + epoll.token(1));
    }

    @Test
    void shouldWaitForTheTimeGiven()
    {
        final long start = System.nanoTime();
        assertEquals(0, epoll.await(20));
        assertTrue(System.nanoTime() - start >= 19_000_000L);
    }

    @Test
    void shouldModifyAndRemove()
    {
        epoll.add(first.number(), 0, 1);
        first.signal();
        assertEquals(0, epoll.await(0));
        epoll.modify(first.number(), Poll.IN | Poll.OUT, 2);
        assertEquals(1, epoll.await(0));
        assertEquals(2, epoll.token(0));
        assertEquals(Poll.IN | Poll.OUT, epoll.events(0));
        epoll.remove(first.number());
        assertEquals(0, epoll.await(0));
        assertThrows(IndexOutOfBoundsException.class, () -> epoll.token(0));
    }

    @Test
    void shouldTellOfAnEdgeOnce()
    {
        epoll.add(first.number(), Poll.IN | Epoll.EDGE, 1);
        first.signal();
        assertEquals(1, epoll.await(0));
        assertEquals(0, epoll.await(0));
        first.signal();
        assertEquals(1, epoll.await(0));
    }

    @Test
    void shouldRefuseAFileByName(@TempDir final Path folder) throws IOException
    {
        final Path file = Files.createFile(folder.resolve("file"));
        try (Fd fd = Syscalls.open(file.toString(), Fcntl.O_RDWR))
        {
            final SyscallException e = assertThrows(
                SyscallException.class, () -> epoll.add(fd.number(), Poll.IN, 1));
            assertEquals("epoll_ctl add(fd " + fd.number() + "): EPERM (Operation not permitted)", e.getMessage());
        }
    }
}
