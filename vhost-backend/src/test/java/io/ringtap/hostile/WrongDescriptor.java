package io.ringtap.hostile;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A descriptor that is not what it should be.
 *
 * @param name    what it is.
 * @param isEvent whether it may stand for an event.
 * @param isRoom  whether a memory region fits it.
 * @param make    opens it; who closes is told.
 */
record WrongDescriptor(String name, boolean isEvent, boolean isRoom, ToIntFunction<List<AutoCloseable>> make)
{
    private static final int O_PATH = 0x20_0000;
    private static final int O_DIRECTORY = 0x1_0000;
    private static final int F_SEAL_FUTURE_WRITE = 0x10;
    private static final long HUGE = 1L << 40;

    static final List<WrongDescriptor> ALL = List.of(
        file("a directory", "/tmp", Fcntl.O_RDONLY | O_DIRECTORY),
        file("/dev/null", "/dev/null", Fcntl.O_RDWR),
        file("/dev/zero", "/dev/zero", Fcntl.O_RDWR),
        file("/dev/full", "/dev/full", Fcntl.O_RDWR),
        file("a file of proc", "/proc/self/maps", Fcntl.O_RDONLY),
        file("our own memory", "/proc/self/mem", Fcntl.O_RDWR),
        file("a path without a file", "/tmp", O_PATH),
        file("a file that may be read only", "/etc/passwd", Fcntl.O_RDONLY),
        new WrongDescriptor("the end of a pipe to read", false, false, (all) -> pipe(all, 0)),
        new WrongDescriptor("the end of a pipe to write", false, false, (all) -> pipe(all, 1)),
        new WrongDescriptor("a socket", false, false, WrongDescriptor::socket),
        new WrongDescriptor("an event", true, false, (all) -> kept(all, EventFd.create())),
        new WrongDescriptor("an epoll set", false, false, (all) ->
        {
            final Epoll epoll = Epoll.create(1);
            all.add(epoll);
            return epoll.number();
        }),
        memory("an empty memfd", false, 0, 0),
        memory("a memfd of one byte", false, 1, 0),
        memory("a memfd of a tebibyte", true, HUGE, 0),
        memory("a memfd sealed against writing", false, RawFrontend.SIZE, MemFd.F_SEAL_WRITE),
        memory("a memfd sealed against writing in future", false, RawFrontend.SIZE, F_SEAL_FUTURE_WRITE),
        memory("a memfd sealed against all else", true, RawFrontend.SIZE,
            MemFd.F_SEAL_SEAL | MemFd.F_SEAL_SHRINK | MemFd.F_SEAL_GROW));

    private static WrongDescriptor file(final String name, final String path, final int flags)
    {
        return new WrongDescriptor(name, false, false, (all) -> kept(all, Syscalls.open(path, flags)));
    }

    private static WrongDescriptor memory(
        final String name, final boolean isRoom, final long size, final int seals)
    {
        return new WrongDescriptor(name, false, isRoom, (all) ->
        {
            final Fd fd = MemFd.create("wrong", size);
            if (0 != seals)
            {
                MemFd.seal(fd.number(), seals);
            }
            return kept(all, fd);
        });
    }

    private static int pipe(final List<AutoCloseable> all, final int end)
    {
        final Fd[] ends = new Fd[2];
        Syscalls.pipe(ends, 0);
        all.add(ends[1 - end]);
        return kept(all, ends[end]);
    }

    private static int socket(final List<AutoCloseable> all)
    {
        final Fd[] ends = new Fd[2];
        Sockets.socketPair(ends, Sockets.SOCK_STREAM);
        all.add(ends[1]);
        return kept(all, ends[0]);
    }

    private static int kept(final List<AutoCloseable> all, final Fd fd)
    {
        all.add(fd);
        return fd.number();
    }

    private static int kept(final List<AutoCloseable> all, final EventFd event)
    {
        all.add(event);
        return event.number();
    }
}
