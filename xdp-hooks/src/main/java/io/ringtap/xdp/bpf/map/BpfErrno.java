package io.ringtap.xdp.bpf.map;

/** What maps and helpers return when they fail: negative errnos of Linux, the same on all architectures we run on. */
public final class BpfErrno
{
    /** Operation not permitted. */
    public static final int EPERM = -1;
    /** No such key, or nothing there. */
    public static final int ENOENT = -2;
    /** Too many entries, or an index beyond the last. */
    public static final int E2BIG = -7;
    /** Nothing to be had now. */
    public static final int EAGAIN = -11;
    /** No memory for a record. */
    public static final int ENOMEM = -12;
    /** Not an alignment or length that is allowed. */
    public static final int EACCES = -13;
    /** Not within reach. */
    public static final int EFAULT = -14;
    /** Somebody else has it now. */
    public static final int EBUSY = -16;
    /** There is such a key already. */
    public static final int EEXIST = -17;
    /** No such port. */
    public static final int ENODEV = -19;
    /** An argument makes no sense. */
    public static final int EINVAL = -22;
    /** No room left. */
    public static final int ENOSPC = -28;
    /** A number out of range. */
    public static final int ERANGE = -34;
    /** Not for this kind. */
    public static final int EOPNOTSUPP = -95;
    /** No such address family. */
    public static final int EAFNOSUPPORT = -97;

    private BpfErrno()
    {
    }

    /** The errno's name, for people. */
    public static String name(final int errno)
    {
        return switch (errno)
        {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case E2BIG -> "E2BIG";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EFAULT -> "EFAULT";
            case EBUSY -> "EBUSY";
            case EEXIST -> "EEXIST";
            case ENODEV -> "ENODEV";
            case EINVAL -> "EINVAL";
            case ENOSPC -> "ENOSPC";
            case ERANGE -> "ERANGE";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case EAFNOSUPPORT -> "EAFNOSUPPORT";
            default -> String.valueOf(errno);
        };
    }
}
