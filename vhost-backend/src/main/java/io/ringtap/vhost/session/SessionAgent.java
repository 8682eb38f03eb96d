package io.ringtap.vhost.session;

import io.ringtap.counters.CounterSet;
import io.ringtap.events.SessionEvent;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the front-ends of one port, one after the other. All of a session happens on its thread, and the thread sleeps
 * in one wait for the listener, the connection and {@link #wakeUp()}: an idle port costs nothing.
 * <p>
 * Run it by an {@link org.agrona.concurrent.AgentRunner} with a {@link org.agrona.concurrent.NoOpIdleStrategy}; to end
 * it call {@link #wakeUp()}, then close the runner.
 */
public final class SessionAgent implements Agent
{
    private static final Logger LOG = LoggerFactory.getLogger(SessionAgent.class);

    /** Messages handled in one cycle, so that a front-end which never stops talking cannot keep the agent. */
    static final int MAX_MESSAGES = 64;

    private static final int MAX_EVENTS = 8;
    private static final long SOURCE = 1;
    private static final long CONNECTION = 2;
    private static final long WAKE = 3;
    private static final long MISSES = 4;
    private static final long CHANNEL = 5;
    private static final long NEWS = 6;
    private static final long NS_PER_MS = 1_000_000L;

    private final SessionContext context;
    private final String name;
    private final FrontendSource source;
    private final DataPlane dataPlane;
    private final CounterSet<SessionCounter> counters;
    private final NanoClock clock;
    private final Epoll epoll = Epoll.create(MAX_EVENTS);
    private final EventFd wake = EventFd.create();
    private final EventFd misses = EventFd.create();
    private final Connection connection = new Connection();
    private final ReplyProxy replies;
    private final SourceWatch sourceWatch;
    private Session session;
    private SessionAdapter adapter;
    private boolean isAwaitingRoom;
    private boolean hasSaidAnything;
    private boolean hasRefusedOther;
    private volatile boolean isAwake;
    private volatile boolean isConnected;
    private volatile long features;
    private volatile long protocolFeatures;

    /** @param context concluded; its source is closed with the agent. */
    public SessionAgent(final SessionContext context)
    {
        this.context = context;
        name = context.name();
        source = context.source();
        dataPlane = context.dataPlane();
        counters = context.counters();
        clock = context.clock();
        replies = new ReplyProxy(connection, counters);
        epoll.add(wake.number(), Poll.IN, WAKE);
        epoll.add(misses.number(), Poll.IN, MISSES);
        sourceWatch = new SourceWatch(source, epoll, SOURCE);
    }

    /** Any thread: ends the sleep and every later one, so that whoever runs the agent can stop doing so. */
    public void wakeUp()
    {
        isAwake = true;
        wake.signal();
    }

    /** Any thread: the port's link or MTU may have changed, and a front-end may want to know. */
    public void configMayHaveChanged()
    {
        wake.signal();
    }

    /** Any thread: looks whether front-ends can still come; if not, the agent sees to it. */
    public void lookAtTheDoor()
    {
        if (source.look())
        {
            wake.signal();
        }
    }

    /** Any thread: whether a front-end is connected. */
    public boolean isConnected()
    {
        return isConnected;
    }

    /** Any thread: what is offered, and what the front-end took of it. */
    public Negotiated negotiated()
    {
        return new Negotiated(NetFeatures.names(context.offeredFeatures()), NetFeatures.names(features),
            ProtocolFeature.names(context.protocolFeatures()), ProtocolFeature.names(protocolFeatures));
    }

    public CounterSet<SessionCounter> counters()
    {
        return counters;
    }

    @Override
    public int doWork()
    {
        int work = welcome(clock.nanoTime());
        final int ready = epoll.await(sleepMs(clock.nanoTime()));
        work += null != session && session.news().mustPoll() ? attend(NEWS) : 0;
        boolean isSourceReady = false;
        for (int i = 0; i < ready; i++)
        {
            final long token = epoll.token(i);
            isSourceReady |= SOURCE == token;
            work += CONNECTION == token ? converse(epoll.events(i)) : SOURCE == token ? 0 : attend(token);
        }

        // After the connection: a front-end that restarts has closed the old one before it opens the next.
        return work + (isSourceReady ? answerTheDoor() : 0);
    }

    @Override
    public void onClose()
    {
        disconnect("the backend stops");
        CloseHelper.closeAll(source, epoll, wake, misses, context.portWatch());
    }

    @Override
    public String roleName()
    {
        return "session-" + name;
    }

    /** How long nothing is due; the events of {@link Epoll} cut it short. */
    private int sleepMs(final long nowNs)
    {
        final int limitMs = isAwake ? 0 : context.maxSleepMs();
        final int maxSleepMs = null == session ? limitMs : session.news().sleepMs(limitMs);
        final long delayNs = delayNs(nowNs);
        if (FrontendSource.NEVER == delayNs)
        {
            return maxSleepMs;
        }

        // Rounded up, so that what was waited for is due then.
        final int delayMs = (int)((delayNs + NS_PER_MS - 1) / NS_PER_MS);
        return maxSleepMs < 0 ? delayMs : Math.min(delayMs, maxSleepMs);
    }

    /** A source without a descriptor has one front-end at a time: while that is connected, nothing is due. */
    private long delayNs(final long nowNs)
    {
        return FrontendSource.NO_DESCRIPTOR == source.pollNumber() && connection.isOpen() ?
            FrontendSource.NEVER : source.delayNs(nowNs);
    }

    /** Is it time to ask for a front-end? */
    private int welcome(final long nowNs)
    {
        return delayNs(nowNs) <= 0 ? poll(nowNs) : 0;
    }

    /** Somebody knocks. While one front-end is served another one is sent away, so that it knows at once. */
    private int answerTheDoor()
    {
        if (connection.isOpen() && hasMore())
        {
            // What the present one said before it went may still be unread: ask again in the next cycle.
            return 0;
        }

        return poll(clock.nanoTime());
    }

    private int poll(final long nowNs)
    {
        final Fd socket = source.poll(nowNs);
        count();
        sourceWatch.follow(nowNs);
        if (null == socket)
        {
            return 0;
        }

        if (connection.isOpen())
        {
            sendAway(socket);
        }
        else
        {
            connect(socket);
        }

        return 1;
    }

    private void count()
    {
        counters.add(SessionCounter.RESTS, source.takeRests());
        final int failures = source.takeFailures();
        if (failures > 0)
        {
            counters.add(FrontendSource.NO_DESCRIPTOR == source.pollNumber() ?
                SessionCounter.CONNECT_FAILURES : SessionCounter.ACCEPT_FAILURES, failures);
        }
    }

    private void sendAway(final Fd other)
    {
        other.close();
        counters.increment(SessionCounter.SECOND_FRONTENDS);
        if (!hasRefusedOther)
        {
            hasRefusedOther = true;
            LOG.warn("{}: a second front-end on {} was sent away: one is connected", name, source);
        }
    }

    private void connect(final Fd socket)
    {
        connection.open(socket);
        hasSaidAnything = false;
        hasRefusedOther = false;
        isAwaitingRoom = false;
        counters.increment(SessionCounter.SESSIONS);
        final String peer = PeerProcess.of(socket);
        LOG.info("{}: front-end connected on {}{}", name, source, peer);
        SessionEvent.tell(name, SessionEvent.Change.CONNECTED, peer.strip());
        try
        {
            session = new Session(context, replies, new SessionWaits(epoll, misses, CHANNEL));
            adapter = new SessionAdapter(context, connection, session, replies);
            epoll.add(connection.number(), Poll.IN, CONNECTION);
            epoll.add(session.news().number(), Poll.IN, NEWS);
            isConnected = true;
            dataPlane.connected(true);
        }
        catch (final RuntimeException ex)
        {
            fail(ex);
        }
    }

    private int converse(final int events)
    {
        int handled = 0;
        try
        {
            if (0 != (events & Poll.OUT))
            {
                connection.flush();
            }

            int result = Connection.MESSAGE;
            while (handled < MAX_MESSAGES && Connection.MESSAGE == result)
            {
                result = connection.receive();
                if (Connection.MESSAGE == result)
                {
                    handled++;
                    adapter.onMessage();
                    connection.next();
                }
            }

            hasSaidAnything |= handled > 0;
            session.news().tell();
            onConversed(result);
        }
        catch (final ProtocolViolationException ex)
        {
            counters.increment(SessionCounter.PROTOCOL_VIOLATIONS);
            disconnect(ex.getMessage());
        }
        catch (final RuntimeException | InternalError ex)
        {
            // InternalError is how the JVM tells of a page that its owner has taken out of a shared file.
            fail(ex);
        }

        return handled + 1;
    }

    /** What a session waits for beside its connection. */
    private int attend(final long token)
    {
        // A wake-up for good stays readable.
        final boolean hasNews = MISSES == token ? 0 < misses.drain() : WAKE != token || !isAwake && 0 < wake.drain();
        if (null == session || !hasNews)
        {
            return 0;
        }

        try
        {
            if (CHANNEL == token || MISSES == token)
            {
                session.onTranslations(MISSES == token);
            }
            else
            {
                session.news().doWork();
            }
        }
        catch (final RuntimeException ex)
        {
            fail(ex);
        }

        return 1;
    }

    private void onConversed(final int result)
    {
        features = session.features();
        protocolFeatures = session.protocolFeatures();
        if (Connection.CLOSED == result)
        {
            disconnect(connection.isInsideMessage() ?
                "it went in the middle of a message" : "it closed the connection");
        }
        else if (connection.hasUnsent() != isAwaitingRoom)
        {
            isAwaitingRoom = connection.hasUnsent();
            epoll.modify(connection.number(), isAwaitingRoom ? Poll.IN | Poll.OUT : Poll.IN, CONNECTION);
        }
    }

    private boolean hasMore()
    {
        return 0 != (Syscalls.poll(connection.number(), Poll.IN, 0) & (Poll.IN | Poll.HUP | Poll.ERR));
    }

    private void fail(final Throwable cause)
    {
        counters.increment(SessionCounter.SESSION_FAILURES);
        LOG.error("{}: the session failed: {}", name, cause.toString(), cause);
        disconnect("fault of ours: " + cause.getMessage());
    }

    /** Takes everything down that the session has, whatever fails on the way, and is ready for the next one. */
    private void disconnect(final String reason)
    {
        if (!connection.isOpen())
        {
            return;
        }

        isConnected = false;
        counters.increment(SessionCounter.DISCONNECTS);
        features = 0;
        protocolFeatures = 0;
        LOG.info("{}: front-end disconnected: {}", name, reason);
        SessionEvent.tell(name, SessionEvent.Change.DISCONNECTED, reason);
        quietly("stop the rings", null == session ? dataPlane::reset : session::close);
        quietly("take the link down", () -> dataPlane.connected(false));
        connection.close();
        session = null;
        adapter = null;
        source.onDisconnected(clock.nanoTime(), hasSaidAnything);
        if (source.isExhausted())
        {
            context.onExhausted().run();
        }
    }

    private void quietly(final String what, final Runnable step)
    {
        try
        {
            step.run();
        }
        catch (final RuntimeException | InternalError ex)
        {
            LOG.error("{}: could not {}: {}", name, what, ex.toString(), ex);
        }
    }
}
