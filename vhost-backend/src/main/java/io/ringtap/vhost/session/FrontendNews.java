package io.ringtap.vhost.session;

import java.util.BitSet;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.LinkWatch;
import io.ringtap.sys.Poll;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.ConfigFlyweight;
import io.ringtap.vhost.protocol.ProtocolFeature;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * What a front-end is told without having asked: that a ring has used buffers or is broken, where that goes by
 * messages, and that the config space has changed. What is to be told is remembered as a flag, so that it is bounded
 * and told once; a front-end that does not read or answer costs nothing but its own news, and nobody ever waits here.
 * <p>
 * Nothing is sent while all rings are stopped (vhost-user, "suspended device state"). Used by the session's thread.
 */
final class FrontendNews implements AutoCloseable
{
    /** Answers that may be outstanding; with more of them none is asked for. */
    static final int MAX_UNANSWERED = 32;

    private static final int MAX_EVENTS = 16;
    private static final long ROOM = -1;
    private static final long PORT = -2;
    private static final long COMMANDS = -3;
    private static final int DEVICE = -1;
    private static final int KINDS = 2;
    private static final int CALL = 0;
    private static final int ERROR = 1;

    private final DataPlane dataPlane;
    /** Null where nobody tells. */
    private final LinkWatch port;
    private final VringTable rings;
    private final Translations translations;
    private final CounterSet<SessionCounter> counters;
    private final Epoll epoll = Epoll.create(MAX_EVENTS);
    private final BitSet[] waiting = {new BitSet(), new BitSet()};
    private final EventFd[][] events;
    /** What was there when we last looked; a channel that is closed is waited for no more. */
    private BackendChannel channel;
    private boolean isFull;
    private final ConfigSpace config;
    private final ControlDesk control;
    private final ReplyProxy replies;
    private boolean hasReplyAck;
    private boolean hasConfig;
    private boolean isConfigWaiting;
    private int unanswered;

    /** @param translations owns the channel. */
    FrontendNews(
        final SessionContext context, final VringTable rings, final Translations translations, final ReplyProxy replies)
    {
        this.rings = rings;
        this.translations = translations;
        this.replies = replies;
        dataPlane = context.dataPlane();
        counters = context.counters();
        port = context.portWatch();
        if (null != port)
        {
            epoll.add(port.number(), Poll.IN, PORT);
            // What was set while nobody was connected.
            dataPlane.refresh();
        }

        config = new ConfigSpace(context.dataPlane(), context.mac());
        control = new ControlDesk(context, config);
        if (control.isOffered())
        {
            epoll.add(context.dataPlane().controlDescriptor(), Poll.IN, COMMANDS);
        }

        events = new EventFd[KINDS][rings.count()];
    }

    /** Readable when {@link #doWork} has something to do. */
    int number()
    {
        return epoll.number();
    }

    /** @param protocolFeatures in force: they say whether an answer may be asked for and the config space is ours. */
    void negotiated(final long protocolFeatures)
    {
        hasReplyAck = ProtocolFeature.REPLY_ACK.isIn(protocolFeatures);
        hasConfig = ProtocolFeature.CONFIG.isIn(protocolFeatures);
    }

    /** Whether {@link #doWork} is due in each cycle. */
    boolean mustPoll()
    {
        return control.mustPoll();
    }

    /** How long the session may sleep when nothing wakes it. */
    int sleepMs(final int limitMs)
    {
        return mustPoll() ? Math.min(1, limitMs & Integer.MAX_VALUE) : limitMs;
    }

    /** Answers the driver, whose commands may be news for the front-end. */
    ControlDesk control()
    {
        return control;
    }

    void onGetConfig(final ConfigFlyweight message, final int payloadLength)
    {
        replies.config(message, config.read(message, payloadLength));
    }

    void onSetConfig(final ConfigFlyweight message, final DirectBuffer buffer, final int payloadLength)
    {
        config.write(message, buffer, payloadLength);
    }

    /**
     * A descriptor for a worker to signal, in the place of one that a front-end would give: what it signals is told
     * here. It is the caller's.
     */
    Fd callOf(final int ring)
    {
        return eventOf(CALL, ring);
    }

    /** As {@link #callOf}, for what is wrong with a ring. */
    Fd errorOf(final int ring)
    {
        return eventOf(ERROR, ring);
    }

    /** Takes signals of workers, and tells what can be told. */
    void doWork()
    {
        if (mustPoll())
        {
            control.doWork();
        }

        final int ready = epoll.await(0);
        for (int i = 0; i < ready; i++)
        {
            final long token = epoll.token(i);
            if (ROOM == token)
            {
                onRoom(epoll.events(i));
            }
            else if (PORT == token)
            {
                port.drain();
                dataPlane.refresh();
            }
            else if (COMMANDS == token)
            {
                control.doWork();
            }
            else
            {
                final int kind = (int)token % KINDS;
                final int ring = (int)token / KINDS;
                events[kind][ring].drain();
                waiting[kind].set(ring);
            }
        }

        tell();
    }

    /**
     * Something happened that may have changed the config space, or made room. Tells what waits, as far as the
     * front-end has room; what it has none for waits on.
     */
    void tell()
    {
        isConfigWaiting |= hasConfig && config.hasChanged();
        look();
        if (null == channel || isFull || !rings.isAnyStarted())
        {
            return;
        }

        try
        {
            boolean hasRoom = tellRings(BackendRequest.VRING_CALL, waiting[CALL], false);
            hasRoom = hasRoom && tellRings(BackendRequest.VRING_ERR, waiting[ERROR], true);
            if (hasRoom && isConfigWaiting)
            {
                isConfigWaiting = !isTold(BackendRequest.CONFIG_CHANGE_MSG, DEVICE, true);
            }
        }
        catch (final SyscallException ex)
        {
            // It may be any descriptor at all.
            giveUp();
        }
    }

    @Override
    public void close()
    {
        for (final EventFd[] ofKind : events)
        {
            for (final EventFd event : ofKind)
            {
                CloseHelper.quietClose(event);
            }
        }

        epoll.close();
    }

    /** @return whether there was room for all of them. */
    private boolean tellRings(final BackendRequest request, final BitSet which, final boolean wantsAnswer)
    {
        for (int ring = which.nextSetBit(0); ring >= 0; ring = which.nextSetBit(ring))
        {
            if (!isTold(request, ring, wantsAnswer))
            {
                return false;
            }

            which.clear(ring);
        }

        return true;
    }

    private boolean isTold(final BackendRequest request, final int ring, final boolean wantsAnswer)
    {
        final boolean asks = wantsAnswer && hasReplyAck && unanswered < MAX_UNANSWERED;
        if (asks)
        {
            translations.listen();
        }

        if (!channel.tell(request, ring, asks ? this::onAnswer : null))
        {
            isFull = true;
            epoll.add(channel.number(), Poll.OUT, ROOM);
            return false;
        }

        unanswered += asks ? 1 : 0;
        counters.increment(SessionCounter.BACKEND_MESSAGES);
        return true;
    }

    private void onAnswer(final boolean isRefused)
    {
        unanswered--;
        if (isRefused)
        {
            counters.increment(SessionCounter.BACKEND_REFUSALS);
        }
    }

    private void onRoom(final int ready)
    {
        look();
        if (0 != (ready & (Poll.HUP | Poll.ERR)))
        {
            giveUp();
        }
        else if (isFull)
        {
            isFull = false;
            epoll.remove(channel.number());
        }
    }

    private void giveUp()
    {
        translations.close();
        look();
    }

    /** A channel that was closed has left our wait by itself. */
    private void look()
    {
        if (channel != translations.channel())
        {
            channel = translations.channel();
            isFull = false;
            unanswered = 0;
        }
    }

    private Fd eventOf(final int kind, final int ring)
    {
        if (null == events[kind][ring])
        {
            events[kind][ring] = EventFd.create();
            epoll.add(events[kind][ring].number(), Poll.IN, (long)ring * KINDS + kind);
        }

        return Syscalls.dup(events[kind][ring].number());
    }
}
