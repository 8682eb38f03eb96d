package io.ringtap.sys;

/** Error numbers of asm-generic/errno-base.h and asm-generic/errno.h, the same on every machine we run on. */
public final class Errno
{
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int E2BIG = 7;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int ESPIPE = 29;
    public static final int EROFS = 30;
    public static final int EPIPE = 32;
    public static final int ERANGE = 34;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ELOOP = 40;
    public static final int ETIME = 62;
    public static final int ENOLINK = 67;
    public static final int EOVERFLOW = 75;
    public static final int EBADFD = 77;
    public static final int ENOTSOCK = 88;
    public static final int EMSGSIZE = 90;
    public static final int EPROTONOSUPPORT = 93;
    public static final int ENOPROTOOPT = 92;
    public static final int EOPNOTSUPP = 95;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTDOWN = 112;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int ECANCELED = 125;
    public static final int EUSERS = 87;

    private Errno()
    {
    }

    /** Name as in the headers, {@code errno 4711} when unknown. */
    public static String nameOf(final int errno)
    {
        return Texts.find(errno, 0, "errno " + errno);
    }

    /** What the C library says of it. */
    public static String textOf(final int errno)
    {
        return Texts.find(errno, 1, "unknown error");
    }

    /** Loaded with the first failure only. */
    private static final class Texts
    {
        private static final String TABLE = """
            1;EPERM;Operation not permitted
            2;ENOENT;No such file or directory
            3;ESRCH;No such process
            4;EINTR;Interrupted system call
            5;EIO;Input/output error
            6;ENXIO;No such device or address
            7;E2BIG;Argument list too long
            9;EBADF;Bad file descriptor
            11;EAGAIN;Resource temporarily unavailable
            12;ENOMEM;Cannot allocate memory
            13;EACCES;Permission denied
            14;EFAULT;Bad address
            16;EBUSY;Device or resource busy
            17;EEXIST;File exists
            19;ENODEV;No such device
            20;ENOTDIR;Not a directory
            21;EISDIR;Is a directory
            22;EINVAL;Invalid argument
            23;ENFILE;Too many open files in system
            24;EMFILE;Too many open files
            25;ENOTTY;Inappropriate ioctl for device
            27;EFBIG;File too large
            28;ENOSPC;No space left on device
            29;ESPIPE;Illegal seek
            30;EROFS;Read-only file system
            32;EPIPE;Broken pipe
            34;ERANGE;Numerical result out of range
            36;ENAMETOOLONG;File name too long
            38;ENOSYS;Function not implemented
            40;ELOOP;Too many levels of symbolic links
            62;ETIME;Timer expired
            67;ENOLINK;Link has been severed
            75;EOVERFLOW;Value too large for defined data type
            77;EBADFD;File descriptor in bad state
            88;ENOTSOCK;Socket operation on non-socket
            90;EMSGSIZE;Message too long
            93;EPROTONOSUPPORT;Protocol not supported
            92;ENOPROTOOPT;Protocol not available
            95;EOPNOTSUPP;Operation not supported
            97;EAFNOSUPPORT;Address family not supported by protocol
            98;EADDRINUSE;Address already in use
            99;EADDRNOTAVAIL;Cannot assign requested address
            100;ENETDOWN;Network is down
            103;ECONNABORTED;Software caused connection abort
            104;ECONNRESET;Connection reset by peer
            105;ENOBUFS;No buffer space available
            107;ENOTCONN;Transport endpoint is not connected
            110;ETIMEDOUT;Connection timed out
            111;ECONNREFUSED;Connection refused
            112;EHOSTDOWN;Host is down
            114;EALREADY;Operation already in progress
            115;EINPROGRESS;Operation now in progress
            125;ECANCELED;Operation canceled
            87;EUSERS;Too many users
            """;

        static String find(final int errno, final int column, final String otherwise)
        {
            for (final String line : TABLE.split("\n"))
            {
                final String[] columns = line.split(";");
                if (Integer.parseInt(columns[0]) == errno)
                {
                    return columns[column + 1];
                }
            }
            return otherwise;
        }
    }
}
