package io.ringtap.vhost.session;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.dataplane.DataPlane;
import org.agrona.CloseHelper;

/**
 * Kicks, calls and errors as messages, for a front-end that cannot share event descriptors (INBAND_NOTIFICATIONS). The
 * workers do not know: they are given descriptors of ours, one for each that the front-end does not give. One that it
 * does give takes their place, as does its word that it polls.
 */
final class InbandNotifications implements AutoCloseable
{
    private final DataPlane dataPlane;
    private final FrontendNews news;
    private final EventFd[] kicks;
    private boolean isOn;

    InbandNotifications(final DataPlane dataPlane, final FrontendNews news, final int ringCount)
    {
        this.dataPlane = dataPlane;
        this.news = news;
        kicks = new EventFd[ringCount];
    }

    /** They were negotiated: a front-end says so once a queue pair. */
    void begin()
    {
        if (isOn)
        {
            return;
        }

        isOn = true;
        for (int ring = 0; ring < kicks.length; ring++)
        {
            dataPlane.call(ring, news.callOf(ring));
            dataPlane.error(ring, news.errorOf(ring));
        }
    }

    /** What a ring that a kick in a message starts is kicked by. The caller's. */
    Fd kickOf(final int ring)
    {
        if (null == kicks[ring])
        {
            kicks[ring] = EventFd.create();
        }

        return Syscalls.dup(kicks[ring].number());
    }

    /** The driver kicks. A ring that has a descriptor of the front-end's prefers that. */
    void kick(final int ring)
    {
        if (null != kicks[ring])
        {
            kicks[ring].signal();
        }
    }

    @Override
    public void close()
    {
        for (final EventFd kick : kicks)
        {
            CloseHelper.quietClose(kick);
        }
    }
}
