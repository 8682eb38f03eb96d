package io.ringtap.sys;

import static io.ringtap.sys.Kernel.call;
import static io.ringtap.sys.Kernel.callOnce;
import static io.ringtap.sys.Kernel.control;

import java.lang.ref.Reference;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * System calls, one method each. A result is never negative, but where the method says so: then it is a negative
 * {@link Errno} that the caller has to treat as a value. Every other refusal throws {@link SyscallException}.
 * Interrupted calls are made again. Whatever is opened here is close-on-exec.
 */
public final class Syscalls
{
    private static final int AT_FDCWD = -100;

    private Syscalls()
    {
    }

    /** @return bytes, 0 at the end, or a negative errno of any kind; never throws (data path). */
    public static int read(final int fd, final long hostAddress, final int length)
    {
        return (int)call(SyscallNumber.READ, fd, hostAddress, length, 0, 0);
    }

    /** As {@link #read(int, long, int)} into a native buffer. */
    public static int read(final int fd, final MutableDirectBuffer into, final int offset, final int length)
    {
        into.boundsCheck(offset, length);
        final int result = read(fd, Memory.addressOf(into) + offset, length);
        Reference.reachabilityFence(into);
        return result;
    }

    /** @return bytes, or a negative errno of any kind; never throws (data path). */
    public static int write(final int fd, final long hostAddress, final int length)
    {
        return (int)call(SyscallNumber.WRITE, fd, hostAddress, length, 0, 0);
    }

    /** As {@link #write(int, long, int)} from a native buffer. */
    public static int write(final int fd, final DirectBuffer from, final int offset, final int length)
    {
        from.boundsCheck(offset, length);
        final int result = write(fd, Memory.addressOf(from) + offset, length);
        Reference.reachabilityFence(from);
        return result;
    }

    /** @return bytes, 0 at the end, or a negative errno of any kind; never throws (data path). */
    public static int readv(final int fd, final long vectorsAddress, final int count)
    {
        return (int)call(SyscallNumber.READV, fd, vectorsAddress, count, 0, 0);
    }

    /** As {@link #readv(int, long, int)} with entries of an array. */
    public static int readv(final int fd, final IoVectors vectors, final int first, final int count)
    {
        return readv(fd, vectors.addressOf(first, count), count);
    }

    /** @return bytes, or a negative errno of any kind; never throws (data path). */
    public static int writev(final int fd, final long vectorsAddress, final int count)
    {
        return (int)call(SyscallNumber.WRITEV, fd, vectorsAddress, count, 0, 0);
    }

    /** As {@link #writev(int, long, int)} with entries of an array. */
    public static int writev(final int fd, final IoVectors vectors, final int first, final int count)
    {
        return writev(fd, vectors.addressOf(first, count), count);
    }

    /** @param flags {@link Fcntl} O_* bits; O_CLOEXEC is added. */
    public static Fd open(final String path, final int flags)
    {
        return open(path, flags, 0600);
    }

    public static Fd open(final String path, final int flags, final int mode)
    {
        try (NativeString name = new NativeString(path))
        {
            final long fd = control(SyscallNumber.OPENAT, AT_FDCWD, name.address(), flags | Fcntl.O_CLOEXEC, mode);
            return Fd.of((int)check("open", fd, path), path);
        }
    }

    /** close(2) frees the number whatever it answers, so it is called once and only EBADF is worth a word. */
    static void close(final int fd)
    {
        final long result = callOnce(SyscallNumber.CLOSE, fd, 0, 0, 0, 0);
        if (result == -Errno.EBADF)
        {
            throw new SyscallException("close", Errno.EBADF, "fd " + fd);
        }
    }

    /** A second descriptor for the same open file. */
    public static Fd dup(final int fd)
    {
        return Fd.of((int)fcntl(fd, Fcntl.F_DUPFD_CLOEXEC, 0));
    }

    /** Makes an open descriptor stand for another open file: what it stood for is closed, its number stays. */
    public static void replace(final int fd, final Fd by)
    {
        check("dup3", control(SyscallNumber.DUP3, by.number(), fd, Fcntl.O_CLOEXEC, 0), fd);
    }

    /** Makes the file of a character device, for this user alone. */
    public static void makeCharacterDevice(final String path, final int major, final int minor)
    {
        try (NativeString name = new NativeString(path))
        {
            // makedev(3): 12 bits of the major number over the low 8 of the minor one, the other 12 of it above both.
            final long device = (long)(major & 0xfff) << 8 | minor & 0xff | (long)(minor & 0xfff00) << 12;
            final int mode = Fcntl.S_IFCHR | 0600;
            check("mknod", control(SyscallNumber.MKNODAT, AT_FDCWD, name.address(), mode, device), path);
        }
    }

    /** @param argument a value, or an address for requests that want one. */
    public static int ioctl(final int fd, final long request, final long argument, final Object what)
    {
        return (int)check("ioctl", ioctlResult(fd, request, argument), what);
    }

    /** As {@link #ioctl(int, long, long, Object)} with a structure in native memory. */
    public static int ioctl(final int fd, final long request, final DirectBuffer argument, final Object what)
    {
        final int result = ioctlResult(fd, request, argument);
        return (int)check("ioctl", result, what);
    }

    public static int ioctl(final int fd, final long request, final long argument)
    {
        final long result = ioctlResult(fd, request, argument);
        return result >= 0 ? (int)result : (int)check("ioctl", result, request(fd, request));
    }

    public static int ioctl(final int fd, final long request, final DirectBuffer argument)
    {
        final long result = ioctlResult(fd, request, argument);
        return result >= 0 ? (int)result : (int)check("ioctl", result, request(fd, request));
    }

    /** For probing: @return the result or a negative errno of any kind. */
    public static int ioctlResult(final int fd, final long request, final long argument)
    {
        return (int)control(SyscallNumber.IOCTL, fd, request, argument, 0);
    }

    /** For probing: @return the result or a negative errno of any kind. */
    public static int ioctlResult(final int fd, final long request, final DirectBuffer argument)
    {
        final int result = ioctlResult(fd, request, Memory.addressOf(argument));
        Reference.reachabilityFence(argument);
        return result;
    }

    /** @return the address. */
    static long mmap(
        final long hint, final long length, final int protection, final int flags, final int fd, final long offset,
        final Object what)
    {
        // Addresses of user space are positive, so a negative result is an errno.
        return check("mmap", Kernel.mmap(hint, length, protection, flags, fd, offset), what);
    }

    static void munmap(final long hostAddress, final long length, final Object what)
    {
        check("munmap", control(SyscallNumber.MUNMAP, hostAddress, length, 0, 0), what);
    }

    /** @return 0 or a negative errno: advice may be refused. */
    static int madvise(final long hostAddress, final long length, final int advice)
    {
        return (int)control(SyscallNumber.MADVISE, hostAddress, length, advice, 0);
    }

    /**
     * Has pages of a shared mapping there and writable at once, which costs a fraction of a fault for each. A wish:
     * kernels before 5.14 do not know it, and pages come one by one then.
     */
    public static void populate(final long hostAddress, final long length)
    {
        madvise(hostAddress, length, Mman.MADV_POPULATE_WRITE);
    }

    /** @param flags {@link MemFd} MFD_* bits; MFD_CLOEXEC is added. */
    static Fd memfdCreate(final String name, final int flags)
    {
        try (NativeString text = new NativeString(name))
        {
            final long fd = control(SyscallNumber.MEMFD_CREATE, text.address(), flags | MemFd.MFD_CLOEXEC, 0, 0);
            return Fd.of((int)check("memfd_create", fd, name), name);
        }
    }

    public static void ftruncate(final int fd, final long length)
    {
        check("ftruncate", control(SyscallNumber.FTRUNCATE, fd, length, 0, 0), fd);
    }

    /**
     * Gives a part of a file its place on the disk, filled with zeroes where there was nothing.
     *
     * @return 0 or a negative errno of any kind: ENOSPC is for the caller to tell, EOPNOTSUPP to work around.
     */
    public static int fallocate(final int fd, final long offset, final long length)
    {
        return (int)control(SyscallNumber.FALLOCATE, fd, 0, offset, length);
    }

    public static FileStatus fstat(final int fd)
    {
        final long status = Memory.allocate(FileStatus.LENGTH);
        try
        {
            check("fstat", control(SyscallNumber.FSTAT, fd, status, 0, 0), fd);
            return FileStatus.at(status);
        }
        finally
        {
            Memory.free(status);
        }
    }

    public static FileSystemStatus fstatfs(final int fd)
    {
        final long status = Memory.allocate(FileSystemStatus.LENGTH);
        try
        {
            check("fstatfs", control(SyscallNumber.FSTATFS, fd, status, 0, 0), fd);
            return FileSystemStatus.at(status);
        }
        finally
        {
            Memory.free(status);
        }
    }

    public static long fcntl(final int fd, final int command, final long argument)
    {
        final long result = fcntlResult(fd, command, argument);
        return result >= 0 ? result : check("fcntl", result, "fd " + fd + ", command " + command);
    }

    /** For probing: @return the result or a negative errno of any kind. */
    public static long fcntlResult(final int fd, final int command, final long argument)
    {
        return control(SyscallNumber.FCNTL, fd, command, argument, 0);
    }

    /** Calls on the descriptor give EAGAIN instead of waiting. The flag belongs to the open file: a peer shares it. */
    public static void setNonBlocking(final int fd)
    {
        final long flags = fcntl(fd, Fcntl.F_GETFL, 0);
        if ((flags & Fcntl.O_NONBLOCK) == 0)
        {
            fcntl(fd, Fcntl.F_SETFL, flags | Fcntl.O_NONBLOCK);
        }
    }

    /** @param ends receives the reading and the writing end. */
    public static void pipe(final Fd[] ends, final int flags)
    {
        final long pair = Memory.allocate(8);
        try
        {
            check("pipe2", control(SyscallNumber.PIPE2, pair, flags | Fcntl.O_CLOEXEC, 0, 0), "pipe");
            ends[0] = Fd.of(Memory.getInt(pair), "pipe");
            ends[1] = Fd.of(Memory.getInt(pair + 4), "pipe");
        }
        finally
        {
            Memory.free(pair);
        }
    }

    /**
     * Waits for one descriptor.
     *
     * @param events    {@link Poll} bits.
     * @param timeoutMs -1 for ever, 0 not at all.
     * @return events that came, 0 after the time or a signal.
     */
    public static int poll(final int fd, final int events, final int timeoutMs)
    {
        return Poll.await(fd, events, timeoutMs);
    }

    public static int getpid()
    {
        return (int)control(SyscallNumber.GETPID, 0, 0, 0, 0);
    }

    /** Lets others go before the calling thread: 0 for as all, to 19 for when nobody else wants the processor. */
    public static void nice(final int value)
    {
        check("setpriority", control(SyscallNumber.SETPRIORITY, 0, 0, value, 0), "calling thread");
    }

    /** Number of the calling thread, as in /proc/self/task. */
    public static int gettid()
    {
        return (int)control(SyscallNumber.GETTID, 0, 0, 0, 0);
    }

    /** Moves the calling thread alone into a namespace. @param type {@link Sched} CLONE_* bit, 0 for any. */
    public static void setns(final int fd, final int type)
    {
        check("setns", control(SyscallNumber.SETNS, fd, type, 0, 0), fd);
    }

    /** Gives the calling thread alone namespaces of its own. @param flags {@link Sched} CLONE_* bits. */
    public static void unshare(final int flags)
    {
        check("unshare", control(SyscallNumber.UNSHARE, flags, 0, 0, 0), flags);
    }

    public static int prctl(final int option, final long b, final long c, final long d, final long e)
    {
        return (int)check("prctl", call(SyscallNumber.PRCTL, option, b, c, d, e), option);
    }

    static long check(final String call, final long result, final Object what)
    {
        if (result < 0)
        {
            final Object object = what instanceof Integer ? "fd " + what : what;
            throw new SyscallException(call, (int)-result, object);
        }
        return result;
    }

    private static String request(final int fd, final long request)
    {
        return "fd " + fd + ", request 0x" + Long.toHexString(request);
    }
}
