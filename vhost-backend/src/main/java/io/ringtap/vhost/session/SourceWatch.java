package io.ringtap.vhost.session;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.Poll;

/**
 * A source's place in a wait set. It rests while the source wants to be left alone, since its descriptor would wake us
 * all the time, and is another one when the source listens anew.
 */
public final class SourceWatch
{
    private final FrontendSource source;
    private final Epoll epoll;
    private final long token;
    private int number = FrontendSource.NO_DESCRIPTOR;
    private boolean isResting;

    /** @param token of the source in the wait set. */
    public SourceWatch(final FrontendSource source, final Epoll epoll, final long token)
    {
        this.source = source;
        this.epoll = epoll;
        this.token = token;
        follow(System.nanoTime());
    }

    /** After the source was polled. */
    public void follow(final long nowNs)
    {
        if (number != source.pollNumber())
        {
            // The one before left the wait set when it was closed.
            number = source.pollNumber();
            isResting = false;
            epoll.add(number, Poll.IN, token);
        }
        final boolean mustRest = FrontendSource.NEVER != source.delayNs(nowNs);
        if (FrontendSource.NO_DESCRIPTOR != number && mustRest != isResting)
        {
            isResting = mustRest;
            epoll.modify(number, mustRest ? 0 : Poll.IN, token);
        }
    }
}
