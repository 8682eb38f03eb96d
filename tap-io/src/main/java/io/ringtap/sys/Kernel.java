package io.ringtap.sys;

/**
 * Raw system calls of up to five arguments, for {@code sys} and its sub-packages; every other room uses
 * {@link Syscalls}. What a call does not look at may hold anything: a sixth argument is not passed.
 */
public final class Kernel
{
    private Kernel()
    {
    }

    /**
     * Calls the kernel, again when a signal interrupted it.
     *
     * @return the call's result, or a negative {@link Errno}.
     */
    public static long call(
        final int number, final long a, final long b, final long c, final long d, final long e)
    {
        while (true)
        {
            final long result = callOnce(number, a, b, c, d, e);
            if (result != -Errno.EINTR)
            {
                return result;
            }
        }
    }

    /**
     * A call of the control plane, through jnr-ffi: it may cost a little more and is made when something is opened, set
     * or closed.
     *
     * @return the call's result, or a negative {@link Errno}.
     */
    static long control(final int number, final long a, final long b, final long c, final long d)
    {
        while (true)
        {
            final long result = LibC.Loaded.syscall(number, a, b, c, d);
            final int errno = result == -1 ? LibC.Loaded.lastErrno() : 0;
            if (errno != Errno.EINTR)
            {
                return result == -1 ? -errno : result;
            }
        }
    }

    /** As {@link #call}, but an interrupted call returns -EINTR: for waits, which must not begin anew. */
    public static long callOnce(
        final int number, final long a, final long b, final long c, final long d, final long e)
    {
        final long result = DirectCalls.syscall(number, a, b, c, d, e);
        return result == -1 ? -DirectCalls.lastErrno() : result;
    }

    /** mmap(2), the one call of six arguments outside waits. @return an address or a negative {@link Errno}. */
    static long mmap(
        final long hint, final long length, final int protection, final int flags, final int fd, final long offset)
    {
        final long result = DirectCalls.mmap(hint, length, protection, flags, fd, offset);
        return result == -1 ? -DirectCalls.lastErrno() : result;
    }
}
