package io.ringtap.sys;

/** The host refused a system call: which one, why, and on what object. Never used for EAGAIN. */
public final class SyscallException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /**
     * @param call   name of the system call.
     * @param errno  positive error number.
     * @param object what it was called on: a path, a descriptor, an interface.
     */
    public SyscallException(final String call, final int errno, final Object object)
    {
        super(call + "(" + object + "): " + Errno.nameOf(errno) + " (" + Errno.textOf(errno) + ")");
        this.call = call;
        this.errno = errno;
    }

    public String call()
    {
        return call;
    }

    /** One of {@link Errno}. */
    public int errno()
    {
        return errno;
    }

    public String errnoName()
    {
        return Errno.nameOf(errno);
    }
}
