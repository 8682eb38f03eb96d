package io.ringtap.sys.uring;

import java.lang.ref.Reference;

import io.ringtap.sys.Errno;
import io.ringtap.sys.IoVectors;
import io.ringtap.sys.Kernel;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.SyscallNumber;
import org.agrona.concurrent.UnsafeBuffer;

/** What is told to a ring once: io_uring_register(2). */
final class Registration
{
    private static final int BUFFER_SHIFT = 30;
    private static final int MAX_BUFFERS = 1024;

    private final int ring;
    private boolean hasFiles;
    private boolean hasBuffers;

    Registration(final int ring)
    {
        this.ring = ring;
    }

    void enable()
    {
        check("enable", call(UringAbi.IORING_REGISTER_ENABLE_RINGS, 0, 0));
    }

    void files(final int... fds)
    {
        if (hasFiles)
        {
            check("unregister files", call(UringAbi.IORING_UNREGISTER_FILES, 0, 0));
            hasFiles = false;
        }
        final UnsafeBuffer numbers = Memory.scratch(fds.length * Integer.BYTES);
        for (int i = 0; i < fds.length; i++)
        {
            numbers.putInt(i * Integer.BYTES, fds[i]);
        }
        check("files", call(UringAbi.IORING_REGISTER_FILES, numbers, fds.length));
        hasFiles = true;
    }

    void file(final int index, final int fd)
    {
        // struct io_uring_files_update: offset, resv, address of an array of fds; the array follows here.
        final UnsafeBuffer update = Memory.scratch(20);
        update.putInt(0, index);
        update.putLong(8, Memory.addressOf(update) + 16);
        update.putInt(16, fd);
        check("file " + index, call(UringAbi.IORING_REGISTER_FILES_UPDATE, update, 1));
    }

    int buffers(final long hostAddress, final long length)
    {
        if (hasBuffers)
        {
            check("unregister buffers", call(UringAbi.IORING_UNREGISTER_BUFFERS, 0, 0));
            hasBuffers = false;
        }
        final long count = length + (1L << BUFFER_SHIFT) - 1 >>> BUFFER_SHIFT;
        if (length <= 0 || count > MAX_BUFFERS)
        {
            throw new IllegalArgumentException(length + " bytes to register, limit is " + MAX_BUFFERS + " GiB");
        }
        try (IoVectors vectors = new IoVectors((int)count))
        {
            for (int i = 0; i < count; i++)
            {
                final long start = (long)i << BUFFER_SHIFT;
                vectors.set(i, hostAddress + start, (int)Math.min(length - start, 1L << BUFFER_SHIFT));
            }
            final long result = call(UringAbi.IORING_REGISTER_BUFFERS, vectors.address(), (int)count);
            if (result == -Errno.ENOMEM || result == -Errno.EPERM)
            {
                return (int)result;
            }
            check("buffers", result);
            hasBuffers = true;
            return 0;
        }
    }

    private long call(final int operation, final UnsafeBuffer argument, final int count)
    {
        final long result = call(operation, Memory.addressOf(argument), count);
        Reference.reachabilityFence(argument);
        return result;
    }

    private long call(final int operation, final long argument, final int count)
    {
        return Kernel.call(SyscallNumber.IO_URING_REGISTER, ring, operation, argument, count, 0);
    }

    private static void check(final String what, final long result)
    {
        if (result < 0)
        {
            throw new SyscallException("io_uring_register", (int)-result, what);
        }
    }
}
