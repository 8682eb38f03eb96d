package io.ringtap.sys;

/**
 * Who the process is. The changes go through the C library's functions, which make every thread change (with a signal
 * of its own): the bare system calls would change the calling thread alone.
 */
public final class Credentials
{
    /** Offsets in struct passwd and struct group of pwd.h and grp.h, the same in glibc and musl. */
    private static final int PASSWD_UID = 16;
    private static final int PASSWD_GID = 20;
    private static final int GROUP_GID = 16;

    private Credentials()
    {
    }

    /**
     * A user of this host.
     *
     * @param gid the group that the user belongs to first.
     */
    public record User(int uid, int gid)
    {
    }

    /** @return null when the host knows no user of that name. */
    public static User user(final String name)
    {
        try (NativeString text = new NativeString(name))
        {
            final long entry = DirectCalls.function("getpwnam", text.address(), 0, 0);
            return 0 == entry ? null : new User(Memory.getInt(entry + PASSWD_UID), Memory.getInt(entry + PASSWD_GID));
        }
    }

    /** @return null when the host knows no user of that number. */
    public static User user(final int uid)
    {
        final long entry = DirectCalls.function("getpwuid", uid, 0, 0);
        return 0 == entry ? null : new User(uid, Memory.getInt(entry + PASSWD_GID));
    }

    /** @return its number, -1 when the host knows no group of that name. */
    public static int group(final String name)
    {
        try (NativeString text = new NativeString(name))
        {
            final long entry = DirectCalls.function("getgrnam", text.address(), 0, 0);
            return 0 == entry ? -1 : Memory.getInt(entry + GROUP_GID);
        }
    }

    /** The effective user of the calling thread, so of all. */
    public static int effectiveUser()
    {
        return (int)Kernel.control(SyscallNumber.GETEUID, 0, 0, 0, 0);
    }

    /**
     * Makes every thread run as another user in one group alone, without any capability and for good.
     *
     * @throws SyscallException when it may not; what was given up until then is given up.
     */
    public static void become(final int uid, final int gid)
    {
        final long list = Memory.allocate(Integer.BYTES);
        try
        {
            Memory.putInt(list, gid);
            change("setgroups", 1, list, 0, "group " + gid);
        }
        finally
        {
            Memory.free(list);
        }
        change("setresgid", gid, gid, gid, "group " + gid);
        // By way of root: only leaving it takes capabilities away from one that was given them as somebody else.
        change("setresuid", 0, 0, 0, "user 0");
        change("setresuid", uid, uid, uid, "user " + uid);
        if (0 == (int)DirectCalls.function("setresuid", 0, 0, 0))
        {
            throw new SyscallException("setresuid", Errno.EPERM, "user " + uid + ", which may become root again");
        }
    }

    private static void change(final String function, final long a, final long b, final long c, final String what)
    {
        if (0 != (int)DirectCalls.function(function, a, b, c))
        {
            throw new SyscallException(function, DirectCalls.lastErrno(), what);
        }
    }
}
