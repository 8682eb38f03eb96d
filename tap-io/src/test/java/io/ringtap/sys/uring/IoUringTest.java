package io.ringtap.sys.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.IntStream;

import io.ringtap.sys.Errno;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.IoVectors;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.OpenDescriptors;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations on pipes, files and event descriptors, through every kind of ring. */
@Timeout(30)
class IoUringTest
{
    private static final int[] KINDS = {
        0, IoUring.COOP_TASKRUN, IoUring.SINGLE_ISSUER, IoUring.SINGLE_ISSUER | IoUring.COOP_TASKRUN,
        IoUring.DEFER_TASKRUN};

    private final Fd[] pipe = new Fd[2];
    private final UnsafeBuffer buffer = Memory.scratch(4096);
    private final long address = Memory.addressOf(buffer);

    @BeforeAll
    static void needRing()
    {
        final String reason = IoUring.probe();
        assumeTrue(reason == null, reason);
    }

    @BeforeEach
    void open()
    {
        Syscalls.pipe(pipe, 0);
    }

    @AfterEach
    void close()
    {
        pipe[0].close();
        pipe[1].close();
    }

    @Test
    void shouldCarryBytesThroughAPipeWithEveryKindOfRing()
    {
        for (final int kind : KINDS)
        {
            try (IoUring uring = IoUring.open(8, kind))
            {
                buffer.putLong(0, 0x1122334455667788L);
                assertTrue(uring.read(pipe[0].number(), address + 64, 100, 1));
                assertEquals(1, uring.submit());
                assertEquals(0, uring.ready());
                assertTrue(uring.write(pipe[1].number(), address, 8, 2));
                assertEquals(1, uring.submitAndWait(2));
                assertEquals(2, uring.ready());
                assertEquals(3, uring.userData(0) + uring.userData(1));
                assertEquals(8, uring.result(0));
                assertEquals(8, uring.result(1));
                uring.advance(2);
                assertEquals(0, uring.ready());
                assertEquals(0, uring.inFlight());
                assertEquals(0x1122334455667788L, buffer.getLong(64));
            }
        }
    }

    @Test
    void shouldSubmitABatchWithOneEntryAndCompleteInOrder()
    {
        for (final int kind : KINDS)
        {
            try (IoUring uring = IoUring.open(64, kind))
            {
                for (int round = 0; round < 100; round++)
                {
                    for (int i = 0; i < 64; i++)
                    {
                        assertTrue(uring.nop(1000L * round + i));
                    }
                    assertEquals(64, uring.submit());
                    assertEquals(64, uring.ready());
                    for (int i = 0; i < 64; i++)
                    {
                        assertEquals(1000L * round + i, uring.userData(i));
                        assertEquals(0, uring.result(i));
                    }
                    uring.advance(64);
                }
                assertEquals(100, uring.enters());
                assertEquals(0, uring.overflow());
            }
        }
    }

    @Test
    void shouldRefuseWhatDoesNotFitSoThatNothingOverflows()
    {
        try (IoUring uring = IoUring.open(4, 8, 0))
        {
            assertEquals(4, uring.room());
            assertTrue(IntStream.range(0, 4).allMatch(uring::nop));
            assertFalse(uring.nop(4));
            assertEquals(4, uring.queued());
            assertEquals(4, uring.submit());
            assertTrue(IntStream.range(4, 8).allMatch(uring::nop));
            assertEquals(4, uring.submit());
            assertEquals(0, uring.room());
            assertFalse(uring.nop(8));
            assertEquals(8, uring.ready());
            uring.advance(3);
            assertEquals(3, uring.room());
            assertEquals(3, uring.userData(0));
            assertTrue(uring.nop(8));
            uring.submit();
            uring.advance(uring.ready());
            assertEquals(0, uring.inFlight());
            assertEquals(0, uring.overflow());
        }
    }

    @Test
    void shouldNotEnterTheKernelForNothing()
    {
        try (IoUring uring = IoUring.open(4, IoUring.DEFER_TASKRUN))
        {
            assertEquals(0, uring.submit());
            assertEquals(0, uring.ready());
            assertEquals(0, uring.enters());
        }
    }

    @Test
    void shouldScatterAndGather()
    {
        try (IoUring uring = IoUring.open(4, 0); IoVectors vectors = new IoVectors(3))
        {
            buffer.putInt(0, 0x01010101);
            buffer.putInt(8, 0x02020202);
            vectors.set(0, address, 4);
            vectors.set(1, address + 8, 4);
            vectors.set(2, address + 101, 100);
            uring.writev(pipe[1].number(), vectors.address(), 2, 0, 1);
            uring.readv(pipe[0].number(), vectors.addressOf(2), 1, 0, 2);
            uring.submitAndWait(2);
            assertEquals(8, uring.result(0));
            assertEquals(8, uring.result(1));
            assertEquals(0x0202020201010101L, buffer.getLong(101));
        }
    }

    @Test
    void shouldUseRegisteredFilesAndBuffers()
    {
        try (IoUring uring = IoUring.open(4, IoUring.SINGLE_ISSUER); Mapping memory = Mapping.anonymous(8192, "m"))
        {
            uring.registerFiles(pipe[0].number(), pipe[1].number());
            final int registered = uring.registerBuffers(memory.address(), memory.length());
            assumeTrue(registered == 0, "locked memory is limited");
            memory.buffer().putInt(0, 4711);
            uring.writeFixed(IoUring.registered(1), 0, memory.address(), 4, 0, 1);
            uring.readFixed(IoUring.registered(0), 0, memory.address() + 4096, 4096, 0, 2);
            uring.submitAndWait(2);
            assertEquals(4, uring.result(0));
            assertEquals(4, uring.result(1));
            assertEquals(4711, memory.buffer().getInt(4096));
            uring.advance(2);
            // The range must lie in the registered buffer.
            uring.writeFixed(IoUring.registered(1), 0, address, 4, 0, 3);
            uring.submitAndWait(1);
            assertEquals(-Errno.EFAULT, uring.result(0));
        }
    }

    @Test
    void shouldReplaceARegisteredFile()
    {
        try (IoUring uring = IoUring.open(4, 0); EventFd event = EventFd.create())
        {
            uring.registerFiles(pipe[0].number(), -1);
            buffer.putLong(0, 5);
            uring.write(IoUring.registered(1), address, 8, 1);
            uring.submitAndWait(1);
            assertEquals(-Errno.EBADF, uring.result(0));
            uring.advance(1);
            uring.registerFile(1, event.number());
            uring.write(IoUring.registered(1), address, 8, 2);
            uring.submitAndWait(1);
            assertEquals(8, uring.result(0));
            assertEquals(5, event.drain());
            uring.registerFiles(event.number());
            uring.advance(1);
            uring.write(IoUring.registered(0), address, 8, 3);
            uring.submitAndWait(1);
            assertEquals(8, uring.result(0));
        }
    }

    @Test
    void shouldReadAndWriteAFileAtItsOffsets()
    {
        try (IoUring uring = IoUring.open(4, 0); Fd file = MemFd.create("file", 100))
        {
            buffer.putLong(0, 99);
            uring.write(file.number(), address, 8, 40, 0, 1);
            uring.submitAndWait(1);
            uring.advance(1);
            uring.read(file.number(), address + 8, 64, 40, 0, 2);
            uring.submitAndWait(1);
            assertEquals(60, uring.result(0));
            assertEquals(99, buffer.getLong(8));
        }
    }

    @Test
    void shouldAnswerAtOnceInsteadOfWaitingWhenAskedTo()
    {
        try (IoUring uring = IoUring.open(4, 0))
        {
            uring.read(pipe[0].number(), address, 8, 0, IoUring.NOWAIT, 1);
            uring.submit();
            assertEquals(1, uring.ready());
            assertEquals(-Errno.EAGAIN, uring.result(0));
        }
    }

    @Test
    void shouldPollOnceOrForGood()
    {
        for (final int kind : KINDS)
        {
            try (IoUring uring = IoUring.open(4, kind); EventFd event = EventFd.create())
            {
                uring.pollAdd(event.number(), Poll.IN, 1);
                uring.pollMultishot(event.number(), Poll.IN, 2);
                uring.submit();
                event.signal();
                uring.submitAndWait(2);
                assertEquals(2, uring.ready());
                for (int i = 0; i < 2; i++)
                {
                    assertEquals(Poll.IN, uring.result(i));
                    assertEquals(uring.userData(i) == 2, uring.hasMore(i));
                }
                uring.advance(2);
                assertEquals(1, uring.inFlight());
                event.drain();
                event.signal();
                uring.submitAndWait(1);
                assertEquals(1, uring.ready());
                assertEquals(2, uring.userData(0));
                uring.advance(1);
                uring.pollRemove(2, 3);
                uring.submitAndWait(2);
                assertEquals(0, uring.userData(0) == 3 ? uring.result(0) : uring.result(1));
                assertEquals(-Errno.ECANCELED, uring.userData(0) == 2 ? uring.result(0) : uring.result(1));
                uring.advance(2);
                assertEquals(0, uring.inFlight());
            }
        }
    }

    @Test
    void shouldCancelAPostedRead()
    {
        try (IoUring uring = IoUring.open(4, IoUring.DEFER_TASKRUN))
        {
            uring.read(pipe[0].number(), address, 8, 77);
            uring.submit();
            uring.cancel(77, 78);
            uring.submitAndWait(2);
            assertEquals(2, uring.ready());
            assertEquals(-Errno.ECANCELED, uring.result(uring.userData(0) == 77 ? 0 : 1));
            uring.advance(2);
            uring.cancel(77, 78);
            uring.submitAndWait(1);
            assertEquals(-Errno.ENOENT, uring.result(0));
        }
    }

    @Test
    void shouldWaitForTheTimeGiven()
    {
        for (final int kind : KINDS)
        {
            try (IoUring uring = IoUring.open(4, kind))
            {
                uring.read(pipe[0].number(), address, 8, 1);
                final long start = System.nanoTime();
                assertEquals(1, uring.submitAndWait(1, 20_000_000L));
                assertTrue(System.nanoTime() - start >= 19_000_000L);
                assertEquals(0, uring.ready());
                Syscalls.write(pipe[1].number(), buffer, 0, 8);
                assertEquals(0, uring.submitAndWait(1, 5_000_000_000L));
                assertEquals(1, uring.ready());
                Syscalls.write(pipe[1].number(), buffer, 0, 8);
                Syscalls.read(pipe[0].number(), buffer, 0, 8);
            }
        }
    }

    @Test
    void shouldShowDeferredWorkWithoutBeingToldToWait()
    {
        for (final int kind : KINDS)
        {
            try (IoUring uring = IoUring.open(4, kind))
            {
                uring.read(pipe[0].number(), address, 8, 1);
                uring.submit();
                Syscalls.write(pipe[1].number(), buffer, 0, 8);
                assertTrue((Syscalls.poll(uring.number(), Poll.IN, 1000) & Poll.IN) != 0);
                assertEquals(1, uring.ready());
                assertEquals(8, uring.result(0));
            }
        }
    }

    @Test
    void shouldReportABadOperationAsACompletion()
    {
        try (IoUring uring = IoUring.open(4, 0))
        {
            uring.write(999_999, address, 8, 1);
            uring.write(pipe[1].number(), 4096, 8, 2);
            uring.nop(3);
            assertEquals(3, uring.submitAndWait(3));
            assertEquals(3, uring.ready());
            final int[] expected = {-Errno.EBADF, -Errno.EFAULT, 0};
            for (int i = 0; i < 3; i++)
            {
                assertEquals(expected[(int)uring.userData(i) - 1], uring.result(i));
            }
        }
    }

    @Test
    void shouldRefuseSizesTheKernelCannotHave()
    {
        assertThrows(IllegalArgumentException.class, () -> IoUring.open(0, 0));
        assertThrows(IllegalArgumentException.class, () -> IoUring.open(8, 4, 0));
        assertThrows(IllegalArgumentException.class, () -> IoUring.open(32769, 0));
    }

    @Test
    void shouldLeaveNoDescriptor()
    {
        final int before = OpenDescriptors.count();
        final IoUring uring = IoUring.open(4, IoUring.DEFER_TASKRUN);
        uring.registerFiles(pipe[0].number());
        uring.nop(1);
        uring.submit();
        uring.close();
        uring.close();
        assertEquals(before, OpenDescriptors.count());
        assertEquals(0, Syscalls.fcntl(pipe[0].number(), Fcntl.F_GETFL, 0) & Fcntl.O_NONBLOCK);
    }
}
