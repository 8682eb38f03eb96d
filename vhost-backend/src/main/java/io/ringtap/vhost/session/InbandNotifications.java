package io.ringtap.vhost.session;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.dataplane.DataPlane;
import org.agrona.CloseHelper;

import java.util.BitSet;

/**
 * Kicks, calls and errors as messages, for a front-end that cannot share event descriptors (INBAND_NOTIFICATIONS). The
 * workers do not know: when a ring starts they are given descriptors of ours, one for each of which the front-end has
 * said nothing. One that it gives later takes their place, as does its word that it polls.
 */
final class InbandNotifications implements AutoCloseable
{
    private final DataPlane dataPlane;
    private final FrontendNews news;
    private final EventFd[] kicks;
    private final BitSet callsGiven = new BitSet();
    private final BitSet errorsGiven = new BitSet();
    private boolean isOn;

    InbandNotifications(final DataPlane dataPlane, final FrontendNews news, final int ringCount)
    {
        this.dataPlane = dataPlane;
        this.news = news;
        kicks = new EventFd[ringCount];
    }

    /** Whether they were negotiated. */
    void isOn(final boolean negotiated)
    {
        isOn = negotiated;
    }

    /** The front-end has given a descriptor for calls, or has said that it polls. */
    void callGiven(final int ring)
    {
        callsGiven.set(ring);
    }

    /** The same for errors. */
    void errorGiven(final int ring)
    {
        errorsGiven.set(ring);
    }

    /** A ring is about to start. */
    void beforeStart(final int ring)
    {
        if (isOn && !callsGiven.get(ring))
        {
            dataPlane.call(ring, news.callOf(ring));
        }

        if (isOn && !errorsGiven.get(ring))
        {
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
