package io.ringtap.vhost.session;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Poll;

/**
 * The wait of an agent, for what a session waits for beside its connection.
 *
 * @param epoll  the agent's.
 * @param misses wakes it for translations that are missing.
 * @param token  of what is watched.
 */
record SessionWaits(Epoll epoll, EventFd misses, long token) implements SessionHost
{
    @Override
    public void watch(final int descriptor)
    {
        epoll.add(descriptor, Poll.IN, token);
    }

    @Override
    public void unwatch(final int descriptor)
    {
        epoll.remove(descriptor);
    }

    @Override
    public void wakeForMisses()
    {
        misses.signal();
    }
}
