package io.ringtap.sys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A counter that wakes whoever waits for it; the kicks and calls of vhost. Neither end ever throws or waits: a
 * descriptor that came from a front-end may be anything.
 * <p>
 * The front-end shares the open file and can take O_NONBLOCK away again after {@link #of(Fd)} set it; a write waits
 * then if it also filled the counter, and a read if it took the signals first. Call {@link #drain()} only when a poll
 * said there is something, and let another thread {@link #unblock()} one that waits all the same.
 */
public final class EventFd implements AutoCloseable
{
    private static final int EFD_NONBLOCK = Fcntl.O_NONBLOCK;
    private static final int EFD_CLOEXEC = Fcntl.O_CLOEXEC;
    private static final int LENGTH = 8;

    private static final String EVENT_FILE = "anon_inode:[eventfd]";

    /** Never written again, so every signal of every thread shares it. */
    private static final long ONE = one();

    private final Fd fd;
    private long value;

    private EventFd(final Fd fd)
    {
        this.fd = fd;
        value = Memory.allocate(LENGTH);
    }

    public static EventFd create()
    {
        final long fd = Kernel.control(SyscallNumber.EVENTFD2, 0, EFD_NONBLOCK | EFD_CLOEXEC, 0, 0);
        return new EventFd(Fd.of((int)Syscalls.check("eventfd2", fd, "eventfd"), "eventfd"));
    }

    /** Takes over a descriptor that somebody else made, and its ownership. */
    public static EventFd of(final Fd fd)
    {
        try
        {
            Syscalls.setNonBlocking(fd.number());
            return new EventFd(fd);
        }
        catch (final SyscallException e)
        {
            fd.close();
            throw e;
        }
    }

    /**
     * Whether a descriptor is an eventfd; nothing else is sure to take 8 bytes at once or none. True also where nobody
     * can tell.
     */
    public static boolean isEvent(final int descriptor)
    {
        try
        {
            return EVENT_FILE.equals(Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString());
        }
        catch (final IOException e)
        {
            return !Files.exists(Path.of("/proc/self/fd"));
        }
    }

    /** Adds one; when the counter is full the other side has enough reason to look already. */
    public void signal()
    {
        Syscalls.write(fd.number(), ONE, LENGTH);
    }

    /** Takes the whole count. @return signals since the last drain, 0 for none. */
    public long drain()
    {
        final int length = Syscalls.read(fd.number(), value, LENGTH);
        return length == LENGTH ? Memory.getLong(value) : 0;
    }

    public int number()
    {
        return fd.number();
    }

    public boolean isOpen()
    {
        return fd.isOpen();
    }

    /**
     * Any thread: lets one go on that waits in {@link #signal()} or {@link #drain()}. Whoever waits for the event finds
     * it signalled afterwards, which is a signal too many at worst.
     */
    public synchronized void unblock()
    {
        if (fd.isOpen())
        {
            Syscalls.setNonBlocking(fd.number());
            if ((Syscalls.poll(fd.number(), Poll.IN, 0) & Poll.IN) != 0)
            {
                Syscalls.read(fd.number(), Memory.scratch(LENGTH), 0, LENGTH);
            }
            Syscalls.write(fd.number(), ONE, LENGTH);
        }
    }

    /** As {@link #unblock()}, for all of them that there are. */
    public static void unblock(final EventFd... events)
    {
        for (final EventFd each : events)
        {
            if (each != null)
            {
                each.unblock();
            }
        }
    }

    /** The owner's thread alone closes: nobody may signal or drain at the same time. */
    @Override
    public synchronized void close()
    {
        if (value != 0)
        {
            Memory.free(value);
            value = 0;
        }
        fd.close();
    }

    @Override
    public String toString()
    {
        return "event " + fd;
    }

    private static long one()
    {
        final long hostAddress = Memory.allocate(LENGTH);
        Memory.putLong(hostAddress, 1);
        return hostAddress;
    }
}
