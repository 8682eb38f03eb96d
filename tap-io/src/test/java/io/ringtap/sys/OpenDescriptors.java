package io.ringtap.sys;

import java.io.File;

/** Counts the descriptors of this process, so that a test can show that none was lost. */
public final class OpenDescriptors
{
    private OpenDescriptors()
    {
    }

    public static int count()
    {
        // Loading the binding opens jars that stay open: before the first count, not after it.
        Syscalls.getpid();
        return new File("/proc/self/fd").list().length;
    }

    public static boolean isCloseOnExec(final int fd)
    {
        return (Syscalls.fcntl(fd, Fcntl.F_GETFD, 0) & Fcntl.FD_CLOEXEC) != 0;
    }
}
