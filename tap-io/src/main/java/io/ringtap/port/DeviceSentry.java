package io.ringtap.port;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.LinkWatch;
import io.ringtap.sys.Poll;
import org.agrona.CloseHelper;

/**
 * Stands beside a descriptor that sleeps on when its interface is deleted: asks it now and then, and wakes a sleeper
 * for input and for the interface's end alike.
 */
abstract class DeviceSentry implements AutoCloseable
{
    private static final long INPUT = 0;
    private static final long CHANGE = 1;

    final int descriptor;
    private Epoll epoll;
    private LinkWatch watch;
    private boolean listens;

    DeviceSentry(final int descriptor, final int linkIndex)
    {
        this.descriptor = descriptor;
        watch(linkIndex);
    }

    /** Watches this interface from now on; the descriptor may stand for another open file than before. */
    final void watch(final int linkIndex)
    {
        close();
        watch = LinkWatch.ofEnd(linkIndex);
        epoll = Epoll.create(1);
        epoll.add(watch.number(), Poll.IN, CHANGE);
        listens = false;
        listen(true);
    }

    /**
     * Whether the descriptor's input wakes a sleeper. Whoever is watched so is told of each frame that is sent, too:
     * the socket's memory is free again, and the kernel looks who waits for that (sock_wfree in net/core/sock.c).
     */
    final void listen(final boolean on)
    {
        if (on != listens)
        {
            if (on)
            {
                epoll.add(descriptor, Poll.IN, INPUT);
            }
            else
            {
                epoll.remove(descriptor);
            }
            listens = on;
        }
    }

    /** Readable when there is input or the interface has gone. */
    final int number()
    {
        return epoll.number();
    }

    /** Asks the descriptor; two system calls. */
    final boolean isDeviceLost()
    {
        if (isLost())
        {
            return true;
        }
        watch.drain();
        return false;
    }

    /** One system call on the descriptor that tells. */
    abstract boolean isLost();

    @Override
    public final void close()
    {
        CloseHelper.quietCloseAll(epoll, watch);
        epoll = null;
        watch = null;
    }
}
