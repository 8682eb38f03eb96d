package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.port.PortQueue;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;

/**
 * How a worker falls asleep and what wakes it: kicks of its two rings, its port, its inbox and commands. Before each
 * sleep all of them are asked for a sign and looked at once more.
 */
final class WorkerSleep
{
    private static final long WAKE_TOKEN = -1;
    private static final int FOREVER = -1;
    private static final int RETRY_MS = 1;
    private static final int REVIVE_MS = 250;

    private final Epoll epoll;
    private final PortQueue port;
    private final RingEnd receive;
    private final RingEnd transmit;
    private final GuestToPort guestToPort;
    private final PortToGuest portToGuest;
    private final ReflectQueue toPort;
    private final Inbox inbox;
    private final WorkerCommands commands;
    private final CounterSet<WorkerCounter> counters;
    private final PortWatch portWatch;

    WorkerSleep(
        final Epoll epoll,
        final PortQueue port,
        final RingEnd receive,
        final RingEnd transmit,
        final GuestToPort guestToPort,
        final PortToGuest portToGuest,
        final ReflectQueue toPort,
        final Inbox inbox,
        final WorkerCommands commands,
        final CounterSet<WorkerCounter> counters)
    {
        this.epoll = epoll;
        this.port = port;
        this.receive = receive;
        this.transmit = transmit;
        this.guestToPort = guestToPort;
        this.portToGuest = portToGuest;
        this.toPort = toPort;
        this.inbox = inbox;
        this.commands = commands;
        this.counters = counters;
        portWatch = new PortWatch(port, epoll);
        epoll.add(commands.wake().number(), Poll.IN, WAKE_TOKEN);
    }

    /**
     * Before the sleep: asks the driver for kicks and the port for a sign, and looks once more. {@link #disarm} is due
     * in any case.
     *
     * @return false when there is work already.
     */
    boolean arm()
    {
        boolean isWorkThere = transmit.isStarted() && !guestToPort.isHeldBack() && transmit.queue().arm();
        boolean watchPort = false;
        if (receive.isRunning() && !isWorkThere && !portToGuest.isResting())
        {
            if (portToGuest.isStarved())
            {
                isWorkThere = receive.queue().arm();
            }
            else if (!portToGuest.mustWait())
            {
                watchPort = 0 <= port.waitDescriptor();
                isWorkThere = !portToGuest.arm();
            }
        }
        if (!isWorkThere)
        {
            receive.notifier().tellDeferred();
            portWatch.follow(watchPort);
        }
        return !isWorkThere;
    }

    /** The longest sleep: -1 for ever. */
    int sleepMs()
    {
        final boolean mustRetry = guestToPort.isHeldBack() || portToGuest.mustWait() || !toPort.isEmpty() ||
            port.isHolding() || transmit.mustBePolled() || receive.mustBePolled();
        return mustRetry ? RETRY_MS : port.isGone() ? REVIVE_MS : FOREVER;
    }

    /** Sleeps until kick, port or command, and takes the signs that woke it. */
    void await(final int timeoutMs)
    {
        counters.increment(WorkerCounter.PARKED);
        if (0 < timeoutMs && portToGuest.isResting())
        {
            rest(timeoutMs);
            return;
        }
        final int ready = epoll.await(timeoutMs);
        for (int i = 0; i < ready; i++)
        {
            final long token = epoll.token(i);
            if (token == WAKE_TOKEN)
            {
                commands.wake().drain();
            }
            else if (token == receive.index())
            {
                receive.drainKick();
            }
            else if (token == transmit.index())
            {
                transmit.drainKick();
            }
        }
        if (0 < ready)
        {
            counters.increment(WorkerCounter.WOKEN);
        }
    }

    /** Kicks and frames would only end the rest; they are found after it. */
    private void rest(final int timeoutMs)
    {
        if (0 != Syscalls.poll(commands.wake().number(), Poll.IN, timeoutMs))
        {
            commands.wake().drain();
            counters.increment(WorkerCounter.WOKEN);
        }
    }

    /** After the sleep: kicks are not wanted while we look anyway. */
    void disarm()
    {
        if (transmit.isStarted())
        {
            transmit.queue().disarm();
        }
        if (receive.isStarted())
        {
            receive.queue().disarm();
        }
        inbox.disarm();
    }

    /** The port's descriptor is of no use any more. */
    void forgetPort()
    {
        portWatch.follow(false);
    }
}
