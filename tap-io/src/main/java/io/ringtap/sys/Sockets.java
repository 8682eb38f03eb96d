package io.ringtap.sys;

import static io.ringtap.sys.Kernel.call;
import static io.ringtap.sys.Kernel.control;
import static io.ringtap.sys.Syscalls.check;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The socket calls, as {@link Syscalls}; numbers of asm-generic/socket.h and linux/socket.h. */
public final class Sockets
{
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_PACKET = 17;
    public static final int AF_XDP = 44;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_RAW = 3;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int SOL_SOCKET = 1;
    public static final int SO_ERROR = 4;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_PEERCRED = 17;
    public static final int SO_SNDBUFFORCE = 32;
    public static final int SO_RCVBUFFORCE = 33;
    public static final int SO_BUSY_POLL = 46;

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_CTRUNC = 0x08;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_CMSG_CLOEXEC = 0x40000000;

    /** sockaddr_un of linux/un.h: family, then the path. */
    private static final int UNIX_PATH_OFFSET = 2;
    private static final int UNIX_PATH_MAX = 108;

    private Sockets()
    {
    }

    /** @param type SOCK_* bits; SOCK_CLOEXEC is added. */
    public static Fd socket(final int domain, final int type, final int protocol)
    {
        final long fd = control(SyscallNumber.SOCKET, domain, type | SOCK_CLOEXEC, protocol, 0);
        return Fd.of((int)check("socket", fd, "domain " + domain), "socket");
    }

    /** @param ends receives two connected sockets of the UNIX domain. */
    public static void socketPair(final Fd[] ends, final int type)
    {
        final long pair = Memory.allocate(8);
        try
        {
            check("socketpair", control(SyscallNumber.SOCKETPAIR, AF_UNIX, type | SOCK_CLOEXEC, 0, pair), "unix");
            ends[0] = Fd.of(Memory.getInt(pair), "unix");
            ends[1] = Fd.of(Memory.getInt(pair + 4), "unix");
        }
        finally
        {
            Memory.free(pair);
        }
    }

    /** @param address a sockaddr in native memory. */
    public static void bind(final int fd, final DirectBuffer address, final int length, final Object what)
    {
        final long result = control(SyscallNumber.BIND, fd, Memory.addressOf(address), length, 0);
        Reference.reachabilityFence(address);
        check("bind", result, what);
    }

    /** Binds to a path of the file system; the file must not exist. */
    public static void bindUnix(final int fd, final String path)
    {
        final int length = UNIX_PATH_OFFSET + path.getBytes(StandardCharsets.UTF_8).length + 1;
        bind(fd, unixAddress(path), length, path);
    }

    /**
     * Binds to a name that is no file: it belongs to the network namespace and goes with the descriptor, so that it can
     * say who lives.
     *
     * @return false when somebody has it.
     */
    public static boolean bindAbstract(final int fd, final String name)
    {
        final DirectBuffer address = abstractAddress(name);
        final int length = UNIX_PATH_OFFSET + 1 + name.getBytes(StandardCharsets.UTF_8).length;
        final long result = control(SyscallNumber.BIND, fd, Memory.addressOf(address), length, 0);
        Reference.reachabilityFence(address);
        return result != -Errno.EADDRINUSE && 0 == check("bind", result, name);
    }

    /**
     * Connects to a path of the file system.
     *
     * @return 0, or what a caller who retries must see: -ECONNREFUSED, -ENOENT, -EAGAIN (the listener's queue is full).
     */
    public static int connectUnix(final int fd, final String path)
    {
        final DirectBuffer address = unixAddress(path);
        final int length = UNIX_PATH_OFFSET + path.getBytes(StandardCharsets.UTF_8).length + 1;
        final long result = control(SyscallNumber.CONNECT, fd, Memory.addressOf(address), length, 0);
        Reference.reachabilityFence(address);
        return result == -Errno.ECONNREFUSED || result == -Errno.ENOENT || result == -Errno.EAGAIN ?
            (int)result : (int)check("connect", result, path);
    }

    /** Connects to a name that is no file. @throws SyscallException when nobody has it. */
    public static void connectAbstract(final int fd, final String name)
    {
        final DirectBuffer address = abstractAddress(name);
        final int length = UNIX_PATH_OFFSET + 1 + name.getBytes(StandardCharsets.UTF_8).length;
        final long result = control(SyscallNumber.CONNECT, fd, Memory.addressOf(address), length, 0);
        Reference.reachabilityFence(address);
        check("connect", result, name);
    }

    /** The path that a socket is bound to; null when it is no socket, of another family, or has no path. */
    public static String boundPath(final int fd)
    {
        final MutableDirectBuffer address = Memory.scratch(UNIX_PATH_OFFSET + UNIX_PATH_MAX);
        final long size = Memory.allocate(4);
        try
        {
            Memory.putInt(size, UNIX_PATH_OFFSET + UNIX_PATH_MAX);
            final long result = control(SyscallNumber.GETSOCKNAME, fd, Memory.addressOf(address), size, 0);
            Reference.reachabilityFence(address);
            // The kernel tells the length that there was, which may be one more than fits.
            final int end = Math.min(Memory.getInt(size), UNIX_PATH_OFFSET + UNIX_PATH_MAX);
            if (result < 0 || AF_UNIX != address.getShort(0) || end <= UNIX_PATH_OFFSET)
            {
                return null;
            }
            int length = 0;
            while (UNIX_PATH_OFFSET + length < end && 0 != address.getByte(UNIX_PATH_OFFSET + length))
            {
                length++;
            }
            final byte[] path = new byte[length];
            address.getBytes(UNIX_PATH_OFFSET, path);
            return 0 == length ? null : new String(path, StandardCharsets.UTF_8);
        }
        finally
        {
            Memory.free(size);
        }
    }

    public static void listen(final int fd, final int backlog)
    {
        check("listen", control(SyscallNumber.LISTEN, fd, backlog, 0, 0), fd);
    }

    /** @return the number of a new descriptor that the caller owns, or -EAGAIN, -ECONNABORTED, -EMFILE, -ENFILE. */
    public static int accept(final int fd, final int flags)
    {
        final long result = control(SyscallNumber.ACCEPT4, fd, 0, 0, flags | SOCK_CLOEXEC);
        return result == -Errno.EAGAIN || result == -Errno.ECONNABORTED ||
            result == -Errno.EMFILE || result == -Errno.ENFILE ?
            (int)result : (int)check("accept4", result, fd);
    }

    public static void setOption(final int fd, final int level, final int name, final int value)
    {
        final long option = Memory.allocate(4);
        try
        {
            Memory.putInt(option, value);
            final long result = call(SyscallNumber.SETSOCKOPT, fd, level, name, option, 4);
            check("setsockopt", result, "level " + level + ", option " + name);
        }
        finally
        {
            Memory.free(option);
        }
    }

    /** Sets an option that is a structure in native memory. */
    public static void setOption(
        final int fd, final int level, final int name, final DirectBuffer value, final int length)
    {
        value.boundsCheck(0, length);
        final long result = call(SyscallNumber.SETSOCKOPT, fd, level, name, Memory.addressOf(value), length);
        Reference.reachabilityFence(value);
        check("setsockopt", result, "level " + level + ", option " + name);
    }

    public static int option(final int fd, final int level, final int name)
    {
        final MutableDirectBuffer value = Memory.scratch(4);
        option(fd, level, name, value, 4);
        return value.getInt(0);
    }

    /** Reads an option into native memory. @return its length. */
    public static int option(
        final int fd, final int level, final int name, final MutableDirectBuffer into, final int length)
    {
        into.boundsCheck(0, length);
        final long size = Memory.allocate(4);
        try
        {
            Memory.putInt(size, length);
            final long result = call(SyscallNumber.GETSOCKOPT, fd, level, name, Memory.addressOf(into), size);
            Reference.reachabilityFence(into);
            if (result < 0)
            {
                // Put into words only then: workers ask while they are idle, and allocate nothing.
                check("getsockopt", result, "level " + level + ", option " + name);
            }
            return Memory.getInt(size);
        }
        finally
        {
            Memory.free(size);
        }
    }

    /** @return 0, or -ENOTCONN when the peer is gone already. */
    public static int shutdown(final int fd, final int how)
    {
        final long result = control(SyscallNumber.SHUTDOWN, fd, how, 0, 0);
        return result == -Errno.ENOTCONN ? (int)result : (int)check("shutdown", result, fd);
    }

    /**
     * A send without data or address, as packet rings want it to start their transmission.
     *
     * @param flags MSG_* bits.
     * @return the result or a negative errno of any kind; never throws (data path).
     */
    public static int kick(final int fd, final int flags)
    {
        return (int)call(SyscallNumber.SENDTO, fd, 0, 0, flags, 0);
    }

    /**
     * A receive that wants no data: AF_XDP sockets have their driver look for more.
     *
     * @return the result or a negative errno of any kind; never throws (data path).
     */
    public static int kickReceive(final int fd)
    {
        return (int)call(SyscallNumber.RECVFROM, fd, 0, 0, MSG_DONTWAIT, 0);
    }

    private static DirectBuffer abstractAddress(final String name)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= UNIX_PATH_MAX)
        {
            throw new IllegalArgumentException(
                "socket name has " + bytes.length + " bytes, limit is " + (UNIX_PATH_MAX - 1) + ": " + name);
        }
        final MutableDirectBuffer address = Memory.scratch(UNIX_PATH_OFFSET + UNIX_PATH_MAX);
        address.putShort(0, (short)AF_UNIX);
        address.putBytes(UNIX_PATH_OFFSET + 1, bytes);
        return address;
    }

    private static DirectBuffer unixAddress(final String path)
    {
        final byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= UNIX_PATH_MAX)
        {
            throw new IllegalArgumentException(
                "socket path has " + bytes.length + " bytes, limit is " + (UNIX_PATH_MAX - 1) + ": " + path);
        }
        final MutableDirectBuffer address = Memory.scratch(UNIX_PATH_OFFSET + UNIX_PATH_MAX);
        address.putShort(0, (short)AF_UNIX);
        address.putBytes(UNIX_PATH_OFFSET, bytes);
        return address;
    }
}
