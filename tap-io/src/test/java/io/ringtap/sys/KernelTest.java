package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What the bindings carry and what they cost. */
class KernelTest
{
    private static final int PREADV = "aarch64".equals(System.getProperty("os.arch")) ? 286 : 327;
    private static final int CALLS = 10_000;

    private final WideCall wide = new WideCall();

    @Test
    void shouldGiveTheErrnoOfAFailedCall()
    {
        assertEquals(-Errno.EBADF, Kernel.call(SyscallNumber.CLOSE, 999_999, 0, 0, 0, 0));
        assertEquals(-Errno.ENOSYS, Kernel.callOnce(9999, 0, 0, 0, 0, 0));
        assertEquals(-1, wide.callOnce(SyscallNumber.CLOSE, 999_999, 0, 0, 0, 0, 0));
        assertEquals(Syscalls.getpid(), wide.callOnce(SyscallNumber.GETPID, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void shouldCarryTheSixthArgumentOfAWideCall()
    {
        try (Fd file = MemFd.create("file", 4096); IoVectors vectors = new IoVectors(1))
        {
            final UnsafeBuffer buffer = Memory.scratch(8);
            vectors.set(0, Memory.addressOf(buffer), 8);
            // preadv2: descriptor, vectors, count, low and high half of the offset, flags; 1 << 30 is no flag.
            assertEquals(8, wide.callOnce(PREADV, file.number(), vectors.address(), 1, 4088, 0, 0));
            assertEquals(0, wide.callOnce(PREADV, file.number(), vectors.address(), 1, 4096, 0, 0));
            assertEquals(-1, wide.callOnce(PREADV, file.number(), vectors.address(), 1, 0, 0, 1 << 30));
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        // The first rounds run interpreted and load classes.
        for (int round = 0; round < 10; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++)
            {
                Kernel.call(SyscallNumber.CLOSE, 999_999, 0, 0, 0, 0);
                wide.callOnce(SyscallNumber.CLOSE, 999_999, 0, 0, 0, 0, 0);
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(allocated < CALLS, allocated + " bytes in " + CALLS + " calls");
    }
}
