package io.ringtap.sys;

/** Raw system calls for {@code sys} and its sub-packages; every other room uses {@link Syscalls}. */
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
        final int number, final long a, final long b, final long c, final long d, final long e, final long f)
    {
        while (true)
        {
            final long result = callOnce(number, a, b, c, d, e, f);
            if (result != -Errno.EINTR)
            {
                return result;
            }
        }
    }

    /** As {@link #call}, but an interrupted call returns -EINTR: for waits, which must not begin anew. */
    public static long callOnce(
        final int number, final long a, final long b, final long c, final long d, final long e, final long f)
    {
        final long result = LibC.syscall(number, a, b, c, d, e, f);
        return result == -1 ? -LibC.lastErrno() : result;
    }
}
