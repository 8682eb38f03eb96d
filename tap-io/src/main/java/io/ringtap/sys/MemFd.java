package io.ringtap.sys;

/** Anonymous shared memory behind a descriptor, and its seals (linux/memfd.h, linux/fcntl.h). */
public final class MemFd
{
    /** Nobody may add or remove a seal any more. */
    public static final int F_SEAL_SEAL = 0x01;
    /** The file cannot become shorter, so an access inside it cannot fault. */
    public static final int F_SEAL_SHRINK = 0x02;
    /** The file cannot become longer. */
    public static final int F_SEAL_GROW = 0x04;
    public static final int F_SEAL_WRITE = 0x08;

    static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;

    private MemFd()
    {
    }

    /** Zeroed memory of this size; no seals yet, but they may be added. */
    public static Fd create(final String name, final long size)
    {
        final Fd fd = Syscalls.memfdCreate(name, MFD_ALLOW_SEALING);
        try
        {
            Syscalls.ftruncate(fd.number(), size);
            return fd;
        }
        catch (final SyscallException e)
        {
            fd.close();
            throw e;
        }
    }

    public static void seal(final int fd, final int seals)
    {
        Syscalls.fcntl(fd, Fcntl.F_ADD_SEALS, seals);
    }

    /** F_SEAL_* bits; 0 also for files that have none because they cannot be sealed. */
    public static int seals(final int fd)
    {
        final long seals = Syscalls.fcntlResult(fd, Fcntl.F_GET_SEALS, 0);
        return seals < 0 ? 0 : (int)seals;
    }

    public static boolean isSealedAgainstShrink(final int fd)
    {
        return (seals(fd) & F_SEAL_SHRINK) != 0;
    }

    /**
     * Sees to it that nobody can cut a file short, where it can be sealed: memory files that their maker did not close
     * to further seals.
     *
     * @return whether it cannot be cut short any more.
     */
    public static boolean sealAgainstShrink(final int fd)
    {
        return isSealedAgainstShrink(fd) || 0 <= Syscalls.fcntlResult(fd, Fcntl.F_ADD_SEALS, F_SEAL_SHRINK);
    }
}
