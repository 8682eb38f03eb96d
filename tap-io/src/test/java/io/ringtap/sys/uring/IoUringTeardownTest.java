package io.ringtap.sys.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;

import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A closed ring never touches memory again, whoever closes it and whatever was posted. */
@Timeout(30)
class IoUringTeardownTest
{
    private static final int[] KINDS = {0, IoUring.SINGLE_ISSUER, IoUring.DEFER_TASKRUN};

    private final Fd[] pipe = new Fd[2];
    private final UnsafeBuffer buffer = Memory.scratch(64);
    private final long address = Memory.addressOf(buffer);

    @BeforeEach
    void open()
    {
        final String reason = IoUring.probe();
        assumeTrue(reason == null, reason);
        Syscalls.pipe(pipe, Fcntl.O_NONBLOCK);
    }

    @AfterEach
    void close()
    {
        pipe[0].close();
        pipe[1].close();
    }

    @Test
    void shouldEndPostedReadsBeforeCloseReturns()
    {
        for (final int kind : KINDS)
        {
            final IoUring uring = IoUring.open(8, kind);
            post(uring);
            uring.close();
            assertMemoryIsLeftAlone();
        }
    }

    @Test
    void shouldEndPostedReadsAndPollsOfAThreadThatEnded() throws InterruptedException
    {
        for (final int kind : KINDS)
        {
            final IoUring uring = IoUring.open(8, kind);
            final Thread owner = new Thread(() -> post(uring));
            owner.start();
            owner.join();
            uring.close();
            assertMemoryIsLeftAlone();
        }
    }

    @Test
    void shouldLetTheUsingThreadOwnARingThatAnotherOpened() throws InterruptedException
    {
        final IoUring uring = IoUring.open(8, IoUring.DEFER_TASKRUN);
        uring.registerFiles(pipe[0].number());
        final int[] ready = new int[1];
        final Thread user = new Thread(() ->
        {
            uring.nop(1);
            uring.submitAndWait(1);
            ready[0] = uring.ready();
            uring.advance(1);
            uring.close();
        });
        user.start();
        user.join();
        assertEquals(1, ready[0]);
    }

    @Test
    void shouldRefuseASecondIssuerAndItsClose() throws InterruptedException
    {
        final IoUring uring = IoUring.open(8, IoUring.SINGLE_ISSUER);
        assumeTrue((uring.flags() & IoUring.SINGLE_ISSUER) != 0);
        final CountDownLatch used = new CountDownLatch(1);
        final CountDownLatch done = new CountDownLatch(1);
        final Thread owner = new Thread(() ->
        {
            post(uring);
            used.countDown();
            awaitQuietly(done);
            uring.close();
        });
        owner.start();
        used.await();
        uring.nop(9);
        assertEquals("io_uring_enter", assertThrows(SyscallException.class, uring::submit).call());
        assertThrows(IllegalStateException.class, uring::close);
        done.countDown();
        owner.join();
        assertMemoryIsLeftAlone();
    }

    private void post(final IoUring uring)
    {
        uring.read(pipe[0].number(), address, 8, 1);
        uring.read(pipe[0].number(), address + 8, 8, 2);
        uring.pollMultishot(pipe[0].number(), Poll.IN, 3);
        uring.submit();
        uring.read(pipe[0].number(), address + 16, 8, 4);
    }

    private void assertMemoryIsLeftAlone()
    {
        buffer.putLong(56, -1);
        assertEquals(8, Syscalls.write(pipe[1].number(), buffer, 56, 8));
        assertEquals(0, buffer.getLong(0));
        assertEquals(0, buffer.getLong(8));
        assertEquals(0, buffer.getLong(16));
        assertEquals(8, Syscalls.read(pipe[0].number(), buffer, 48, 8));
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
