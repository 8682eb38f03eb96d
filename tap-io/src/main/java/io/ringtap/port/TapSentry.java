package io.ringtap.port;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.If;
import io.ringtap.sys.LinkWatch;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Stands beside a descriptor of a macvtap, which takes writes and waits for reads for ever when its interface was
 * deleted (drivers/net/tap.c): asks it now and then, and wakes a sleeper for input and for the interface's end alike.
 */
final class TapSentry implements AutoCloseable
{
    private static final long INPUT = 0;
    private static final long CHANGE = 1;

    private final int descriptor;
    private final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
    private Epoll epoll;
    private LinkWatch watch;

    TapSentry(final Fd fd, final int linkIndex)
    {
        descriptor = fd.number();
        watch(linkIndex);
    }

    /** Watches this interface from now on; the descriptor may stand for another open file than before. */
    void watch(final int linkIndex)
    {
        close();
        watch = new LinkWatch(linkIndex);
        epoll = Epoll.create(1);
        epoll.add(descriptor, Poll.IN, INPUT);
        epoll.add(watch.number(), Poll.IN, CHANGE);
    }

    /** Readable when there is input or the interface has gone. */
    int number()
    {
        return epoll.number();
    }

    /** One system call. */
    boolean isDeviceLost()
    {
        final int result = Syscalls.ioctlResult(descriptor, Tun.TUNGETIFF, request);
        if (-Errno.ENOLINK == result)
        {
            return true;
        }
        watch.drain();
        return false;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(epoll, watch);
        epoll = null;
        watch = null;
    }
}
