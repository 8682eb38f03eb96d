package io.ringtap.sys;

/** Waits for many descriptors; nothing is allocated per wait. Used by one thread. */
public final class Epoll implements AutoCloseable
{
    /** EPOLLET of linux/eventpoll.h: tell of changes only. */
    public static final int EDGE = 0x80000000;

    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLL_CTL_MOD = 3;

    /** struct epoll_event of linux/eventpoll.h: events, then data; packed on x86-64 only (EPOLL_PACKED). */
    private static final boolean PACKED = !"aarch64".equals(System.getProperty("os.arch"));
    private static final int DATA_OFFSET = PACKED ? 4 : 8;
    private static final int EVENT_LENGTH = DATA_OFFSET + 8;

    private final Fd fd;
    private final int capacity;
    private long events;
    private int ready;

    private Epoll(final Fd fd, final int capacity)
    {
        this.fd = fd;
        this.capacity = capacity;
        events = Memory.allocate((long)capacity * EVENT_LENGTH);
    }

    /** @param capacity most events reported by one {@link #await}. */
    public static Epoll create(final int capacity)
    {
        if (capacity <= 0)
        {
            throw new IllegalArgumentException("capacity " + capacity + " is not positive");
        }
        final long fd = Kernel.control(SyscallNumber.EPOLL_CREATE1, Fcntl.O_CLOEXEC, 0, 0, 0);
        return new Epoll(Fd.of((int)Syscalls.check("epoll_create1", fd, "epoll"), "epoll"), capacity);
    }

    /** For {@link #await} of another epoll or a poll. */
    public int number()
    {
        return fd.number();
    }

    /**
     * @param events {@link Poll} bits and {@link #EDGE}.
     * @param token  given back by {@link #token(int)}.
     * @throws SyscallException EPERM for a descriptor that cannot be waited for, such as a file.
     */
    public void add(final int descriptor, final int events, final long token)
    {
        control("epoll_ctl add", EPOLL_CTL_ADD, descriptor, events, token);
    }

    public void modify(final int descriptor, final int events, final long token)
    {
        control("epoll_ctl modify", EPOLL_CTL_MOD, descriptor, events, token);
    }

    public void remove(final int descriptor)
    {
        control("epoll_ctl remove", EPOLL_CTL_DEL, descriptor, 0, 0);
    }

    /**
     * @param timeoutMs -1 for ever, 0 not at all.
     * @return events to read by index; 0 after the time or a signal.
     */
    public int await(final int timeoutMs)
    {
        final long n = Kernel.callOnce(SyscallNumber.EPOLL_PWAIT, fd.number(), events, capacity, timeoutMs, 0);
        ready = n == -Errno.EINTR ? 0 : (int)Syscalls.check("epoll_pwait", n, fd);
        return ready;
    }

    public long token(final int i)
    {
        return Memory.getLong(event(i) + DATA_OFFSET);
    }

    /** What happened, {@link Poll} bits. */
    public int events(final int i)
    {
        return Memory.getInt(event(i));
    }

    @Override
    public void close()
    {
        if (events != 0)
        {
            Memory.free(events);
            events = 0;
            ready = 0;
        }
        fd.close();
    }

    private long event(final int i)
    {
        if (i < 0 || i >= ready)
        {
            throw new IndexOutOfBoundsException("event " + i + " of " + ready);
        }
        return events + (long)i * EVENT_LENGTH;
    }

    private void control(
        final String name, final int operation, final int descriptor, final int mask, final long token)
    {
        final long event = Memory.allocate(EVENT_LENGTH);
        try
        {
            Memory.putInt(event, mask);
            Memory.putLong(event + DATA_OFFSET, token);
            final long result = Kernel.call(
                SyscallNumber.EPOLL_CTL, fd.number(), operation, descriptor, event, 0);
            Syscalls.check(name, result, descriptor);
        }
        finally
        {
            Memory.free(event);
        }
    }
}
