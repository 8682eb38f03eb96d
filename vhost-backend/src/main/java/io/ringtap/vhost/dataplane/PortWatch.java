package io.ringtap.vhost.dataplane;

import io.ringtap.port.PortQueue;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.Poll;

/** The port's place in a worker's wait set: only there while the worker wants to be woken by it. */
final class PortWatch
{
    private static final long TOKEN = -2;

    private final PortQueue port;
    private final Epoll epoll;
    private boolean isWatched;
    private int descriptor;

    PortWatch(final PortQueue port, final Epoll epoll)
    {
        this.port = port;
        this.epoll = epoll;
    }

    /** From now on the port wakes the worker, or does not. */
    void follow(final boolean on)
    {
        if (on != isWatched)
        {
            if (on)
            {
                descriptor = port.waitDescriptor();
                epoll.add(descriptor, Poll.IN, TOKEN);
            }
            else
            {
                epoll.remove(descriptor);
            }
            isWatched = on;
        }
    }
}
