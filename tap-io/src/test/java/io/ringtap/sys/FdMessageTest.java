package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Descriptors over a socket: none is lost, whatever the sender does. */
class FdMessageTest
{
    private final Fd[] ends = new Fd[2];
    private final FdMessage message = new FdMessage();
    private final FdList fds = new FdList();
    private final UnsafeBuffer buffer = Memory.scratch(512);
    private int before;

    @BeforeEach
    void open()
    {
        before = OpenDescriptors.count();
        Sockets.socketPair(ends, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK);
    }

    @AfterEach
    void shouldHaveClosedEveryDescriptor()
    {
        fds.closeAll();
        ends[0].close();
        ends[1].close();
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void shouldCarryBytesWithoutDescriptors()
    {
        buffer.putLong(0, 0x1234);
        assertEquals(8, message.send(ends[0].number(), buffer, 0, 8, null, 0));
        assertEquals(8, message.receive(ends[1].number(), buffer, 100, 12, fds));
        assertEquals(0x1234, buffer.getLong(100));
        assertEquals(0, fds.size());
    }

    @Test
    void shouldCarryDescriptorsCloseOnExec()
    {
        try (EventFd event = EventFd.create(); Fd memory = MemFd.create("memory", 77))
        {
            message.send(ends[0].number(), buffer, 0, 12, new int[]{event.number(), memory.number(), 0}, 2);
            assertEquals(12, message.receive(ends[1].number(), buffer, 0, 512, fds));
            assertEquals(2, fds.size());
            try (EventFd received = EventFd.of(fds.take(0)); Fd second = fds.take(1))
            {
                event.signal();
                assertEquals(1, received.drain());
                assertEquals(77, Syscalls.fstat(second.number()).size());
                assertTrue(OpenDescriptors.isCloseOnExec(received.number()));
                assertTrue(OpenDescriptors.isCloseOnExec(second.number()));
            }
            assertThrows(IllegalStateException.class, () -> fds.take(0));
            assertThrows(IndexOutOfBoundsException.class, () -> fds.take(2));
        }
    }

    @Test
    void shouldCloseDescriptorsThatNobodyTook()
    {
        sendRaw(16, 4);
        assertEquals(4, message.receive(ends[1].number(), buffer, 0, 4, fds));
        assertEquals(16, fds.size());
        assertFalse(fds.isTruncated());
        assertEquals(before + 2 + 16, OpenDescriptors.count());
        fds.closeAll();
        assertEquals(before + 2, OpenDescriptors.count());
        assertEquals(0, fds.size());
    }

    @Test
    void shouldKeepNothingOfAFlood()
    {
        for (final int flood : new int[]{17, 32, 253})
        {
            sendRaw(flood, 4);
            assertEquals(4, message.receive(ends[1].number(), buffer, 0, 4, fds));
            assertTrue(fds.isTruncated());
            assertEquals(0, fds.size());
            assertEquals(before + 2, OpenDescriptors.count());
            fds.closeAll();
        }
    }

    @Test
    void shouldKeepNothingWhenOneMessageInPiecesBringsTooMany()
    {
        sendRaw(10, 4);
        sendRaw(10, 4);
        assertEquals(4, message.receive(ends[1].number(), buffer, 0, 8, fds));
        assertEquals(10, fds.size());
        assertEquals(4, message.receive(ends[1].number(), buffer, 4, 4, fds));
        assertTrue(fds.isTruncated());
        assertEquals(0, fds.size());
        assertEquals(before + 2, OpenDescriptors.count());
    }

    @Test
    void shouldGiveDescriptorsWithTheFirstByteOnly()
    {
        sendRaw(1, 8);
        assertEquals(4, message.receive(ends[1].number(), buffer, 0, 4, fds));
        assertEquals(1, fds.size());
        assertEquals(4, message.receive(ends[1].number(), buffer, 4, 4, fds));
        assertEquals(1, fds.size());
    }

    @Test
    void shouldTellEmptyFromEnded()
    {
        assertEquals(-Errno.EAGAIN, message.receive(ends[1].number(), buffer, 0, 4, fds));
        ends[0].close();
        assertEquals(0, message.receive(ends[1].number(), buffer, 0, 4, fds));
    }

    @Test
    void shouldReturnAFullOrClosedPeerAsAValue()
    {
        while (message.send(ends[0].number(), buffer, 0, 512, null, 0) == 512)
        {
            Thread.onSpinWait();
        }
        assertEquals(-Errno.EAGAIN, message.send(ends[0].number(), buffer, 0, 512, null, 0));
        ends[1].close();
        assertEquals(-Errno.EPIPE, message.send(ends[0].number(), buffer, 0, 512, null, 0));
        assertEquals(-Errno.ECONNRESET, message.receive(ends[0].number(), buffer, 0, 4, fds));
    }

    @Test
    void shouldRefuseMoreThanOneMessageMayBring()
    {
        assertThrows(IllegalArgumentException.class,
            () -> message.send(ends[0].number(), buffer, 0, 1, new int[17], 17));
        assertThrows(IndexOutOfBoundsException.class,
            () -> message.receive(ends[0].number(), buffer, 510, 4, fds));
    }

    /** A sender that does not keep to our limit. */
    private void sendRaw(final int fdCount, final int length)
    {
        final UnsafeBuffer raw = Memory.scratch(80 + 16 + 253 * 4);
        final long base = Memory.addressOf(raw);
        raw.putLong(16, base + 64);
        raw.putLong(24, 1);
        raw.putLong(32, base + 80);
        raw.putLong(40, 16 + 4L * fdCount);
        raw.putLong(64, Memory.addressOf(buffer));
        raw.putLong(72, length);
        raw.putLong(80, 16 + 4L * fdCount);
        raw.putInt(88, Sockets.SOL_SOCKET);
        raw.putInt(92, 1);
        for (int i = 0; i < fdCount; i++)
        {
            raw.putInt(96 + 4 * i, ends[0].number());
        }
        assertEquals(length, Kernel.call(SyscallNumber.SENDMSG, ends[0].number(), base, 0, 0, 0));
    }
}
