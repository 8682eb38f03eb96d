package io.ringtap.sys;

/** Flags and commands of asm-generic/fcntl.h and linux/fcntl.h. */
public final class Fcntl
{
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_TRUNC = 0x200;
    public static final int O_APPEND = 0x400;
    public static final int O_NONBLOCK = 0x800;
    /** Not through a symbolic link as the last part of the path; arm64 has a number of its own. */
    public static final int O_NOFOLLOW = SyscallNumber.isX86() ? 0x20000 : 0x8000;
    public static final int O_CLOEXEC = 0x80000;

    /** linux/stat.h. */
    public static final int S_IFCHR = 0020000;

    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int F_DUPFD_CLOEXEC = 1030;
    public static final int F_SETPIPE_SZ = 1031;
    public static final int F_ADD_SEALS = 1033;
    public static final int F_GET_SEALS = 1034;
    public static final int FD_CLOEXEC = 1;

    private Fcntl()
    {
    }
}
