package io.ringtap.sys;

/** Events of asm-generic/poll.h, which are those of {@link Epoll} too. */
public final class Poll
{
    public static final int IN = 0x001;
    public static final int OUT = 0x004;
    public static final int ERR = 0x008;
    public static final int HUP = 0x010;
    public static final int NVAL = 0x020;
    public static final int RDHUP = 0x2000;

    /** struct pollfd: fd, events, revents; then a struct timespec at 8. */
    private static final int EVENTS_OFFSET = 4;
    private static final int REVENTS_OFFSET = 6;
    private static final int TIME_OFFSET = 8;
    private static final int LENGTH = 24;

    private Poll()
    {
    }

    static int await(final int fd, final int events, final int timeoutMs)
    {
        final long entry = Memory.allocate(LENGTH);
        try
        {
            Memory.putInt(entry, fd);
            Memory.putShort(entry + EVENTS_OFFSET, (short)events);
            Memory.putLong(entry + TIME_OFFSET, timeoutMs / 1000);
            Memory.putLong(entry + TIME_OFFSET + 8, timeoutMs % 1000 * 1_000_000L);
            final long time = timeoutMs < 0 ? 0 : entry + TIME_OFFSET;
            final long ready = Kernel.callOnce(SyscallNumber.PPOLL, entry, 1, time, 0, 0);
            if (ready == -Errno.EINTR)
            {
                return 0;
            }
            Syscalls.check("ppoll", ready, fd);
            return Memory.getShort(entry + REVENTS_OFFSET) & 0xffff;
        }
        finally
        {
            Memory.free(entry);
        }
    }
}
