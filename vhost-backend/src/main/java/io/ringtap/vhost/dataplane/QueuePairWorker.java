package io.ringtap.vhost.dataplane;

import io.ringtap.capture.CaptureQueue;
import io.ringtap.counters.CounterSet;
import io.ringtap.events.StallEvent;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.Segmenter;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.port.PortQueue;
import io.ringtap.sys.Affinity;
import io.ringtap.sys.Epoll;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.virtio.RingCounter;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

/**
 * Moves the frames of one queue pair: a duty cycle over its two rings and its port queue, and the one thread that
 * touches them. Each cycle runs waiting commands, then at most one batch in each direction.
 */
public final class QueuePairWorker implements Agent, Parking, Watched
{
    private static final Logger LOG = LoggerFactory.getLogger(QueuePairWorker.class);
    private static final int MAX_SEGMENTS = 256;
    private static final int WAIT_SET = 4;

    private final int pair;
    private final int cpu;
    private final long maxSpinNs;
    private final PortQueue port;
    private final FragAllocator fragments;
    private final Epoll epoll = Epoll.create(WAIT_SET);
    private final WorkerCounters counted;
    private final CounterSet<WorkerCounter> counters;
    private final RingEnd receive;
    private final RingEnd transmit;
    private final ReflectQueue toGuest;
    private final ReflectQueue toPort;
    private final FrameStages stages;
    private final GuestToPort guestToPort;
    private final PortToGuest portToGuest;
    private final PairSettings settings;
    private final WorkerCommands commands;
    private final Inbox inbox;
    private final WorkerSleep sleep;
    private final WorkerHealth health;
    private final MemoryFaults faults;
    private volatile boolean isEnded;
    private volatile boolean isAwake;

    /**
     * @param pair  index of the queue pair: rings 2 x pair (to the guest) and 2 x pair + 1 (from it).
     * @param setup what it works with.
     */
    public QueuePairWorker(final int pair, final WorkerSetup setup)
    {
        this.pair = pair;
        cpu = setup.cpu();
        maxSpinNs = setup.busyPollNs();
        port = setup.port().queue(pair);
        final String name = setup.port().name();
        health = new WorkerHealth("queue pair " + pair + " of " + name);
        counted = new WorkerCounters(pair);
        counters = counted.all();
        final CounterSet<WorkerCounter> fromGuest = counted.fromGuest().counters();
        final CounterSet<WorkerCounter> intoGuest = counted.toGuest().counters();
        receive = new RingEnd(name, 2 * pair, epoll, intoGuest);
        transmit = new RingEnd(name, 2 * pair + 1, epoll, fromGuest);
        faults = new MemoryFaults(receive, transmit);
        fragments = setup.fragments();
        toGuest = new ReflectQueue(batch(setup, FrameUnroller.CAPACITY, 1), fragments, PageArena.PAGE_SIZE, fromGuest);
        toPort = new ReflectQueue(batch(setup, FrameUnroller.CAPACITY, 1), fragments, PageArena.PAGE_SIZE, intoGuest);
        stages = new FrameStages(pair, setup, toGuest, toPort, counted);
        guestToPort = new GuestToPort(transmit, port, fragments,
            new FrameBatch(setup.arena(), GuestToPort.BATCH, GuestToPort.VECTORS), stages, counted.fromGuest(),
            new Waits(name, pair, StallEvent.Reason.PORT_FULL, setup.rates().fromGuest(),
                setup.rates().fruitless(), fromGuest));
        final OffloadGate gate = new OffloadGate(
            batch(setup, MAX_SEGMENTS, 1), new Segmenter(fragments), fragments, intoGuest);
        final RingWriter writer = new RingWriter(receive, gate, intoGuest);
        commands = new WorkerCommands(() -> !isEnded, faults::tell);
        inbox = new Inbox(commands.wake());
        portToGuest = new PortToGuest(receive, port,
            batch(setup, PortToGuest.BATCH, 4), toGuest, stages, writer, inbox, counted.toGuest(),
            new Waits(name, pair, StallEvent.Reason.NO_GUEST_BUFFER, setup.rates().toGuest(),
                setup.rates().fruitless(), intoGuest));
        settings = new PairSettings(pair, guestToPort, portToGuest, writer, stages, intoGuest);
        sleep = new WorkerSleep(epoll, port, receive, transmit, guestToPort, portToGuest, toPort, inbox, commands,
            counters);
    }

    @Override
    public String roleName()
    {
        return "queue-pair-" + pair;
    }

    /** How the thread that runs this worker waits. */
    public IdleStrategy idlePolicy()
    {
        return new IdlePolicy(this, maxSpinNs);
    }

    @Override
    public void onStart()
    {
        if (0 <= cpu)
        {
            Affinity.pin(cpu);
        }
        followEnable();
    }

    @Override
    public int doWork()
    {
        health.begin();
        int work = commands.run();
        try
        {
            if (port.isGone())
            {
                revive();
            }
            if (port.isHolding())
            {
                port.flush();
            }
            work += guestToPort.doWork();
            work += portToGuest.doWork();
            if (!toPort.isEmpty())
            {
                work += port.transmit(toPort.batch());
                port.flush();
                toPort.recycle();
            }
            faults.tell();
        }
        catch (final Throwable ex)
        {
            onFailure(ex);
        }
        health.end();
        return work;
    }

    @Override
    public void onClose()
    {
        commands.run();
        isEnded = true;
        health.close(this::drop, guestToPort::close, receive, transmit, commands, epoll);
    }

    /** Any thread: its own has ended, whatever ended it; nobody waits for it any more. */
    public void ended()
    {
        isEnded = true;
    }

    /** Any thread: ends the sleep and every later one, so that whoever runs the worker can stop doing so. */
    public void wakeUp()
    {
        isAwake = true;
        commands.wake().signal();
    }

    /** For other threads: runs the action between two cycles and returns when it is done. */
    public void call(final Runnable action)
    {
        commands.call(action);
    }

    /** Any thread: frames are recorded there from now on, null for nowhere. The queue before is let go on return. */
    public void capture(final CaptureQueue queue)
    {
        call(() -> stages.capture(queue));
    }

    /** Any thread: single frames are followed from now on, none with null; what did so before is let go on return. */
    public void trace(final FrameTrace trace)
    {
        call(() -> stages.trace(trace));
    }

    RingEnd receiveRing()
    {
        return receive;
    }

    RingEnd transmitRing()
    {
        return transmit;
    }

    /** What this worker did; any thread may read. */
    public CounterSet<WorkerCounter> counters()
    {
        return counters;
    }

    /** The same by direction. */
    public WorkerCounters counted()
    {
        return counted;
    }

    /** What its two rings count; any thread may read. */
    public List<CounterSet<RingCounter>> ringCounters()
    {
        return List.of(receive.ringCounters(), transmit.ringCounters());
    }

    /** What the guest chose. */
    PairSettings settings()
    {
        return settings;
    }

    /** On the worker: the way from the guest; settled, nothing of the guest's memory is in use. */
    GuestToPort guestToPort()
    {
        return guestToPort;
    }

    /** On the worker: the receive ring stops; what waits for it is dropped. */
    void settleReceive()
    {
        portToGuest.settle();
    }

    /** On the worker: moves the rings to another map; null for none. */
    void rebase(final GuestMemory memory)
    {
        letGo();
        receive.rebase(memory);
        transmit.rebase(memory);
    }

    /**
     * On the worker: the port's queue takes part when one of the rings is enabled; the first always does. A queue that
     * takes part without a guest behind it swallows the flows that the host steers to it.
     */
    void followEnable()
    {
        port.attach(pair == 0 || receive.isEnabled() || transmit.isEnabled());
        portToGuest.follow();
    }

    /** On the worker: queues a RARP for the port. */
    void announce(final long mac)
    {
        if (!toPort.announce(mac))
        {
            LOG.warn("no room to announce the guest's MAC on {}", roleName());
        }
    }

    private void letGo()
    {
        try
        {
            guestToPort.settle();
            faults.tell();
        }
        catch (final RuntimeException | InternalError ex)
        {
            fail(ex);
        }
    }

    /** On the worker: the session is over; nothing of its memory is in use after this, whatever goes wrong. */
    void drop()
    {
        letGo();
        settleReceive();
        toPort.clear();
        receive.close();
        transmit.close();
        followEnable();
    }

    @Override
    public boolean park()
    {
        try
        {
            final boolean isArmed = arm();
            if (isArmed)
            {
                health.asleep(true);
                await(isAwake ? 0 : sleepMs());
                health.waited();
                health.asleep(false);
            }
            disarm();
            return isArmed;
        }
        catch (final RuntimeException | InternalError ex)
        {
            health.asleep(false);
            onFailure(ex);
            health.waitFailed(ex);
            return false;
        }
    }

    /** @return false when there is work already. {@link #disarm} is due in any case. */
    boolean arm()
    {
        final boolean isArmed = sleep.arm();
        faults.tell();
        return isArmed;
    }

    int sleepMs()
    {
        return sleep.sleepMs();
    }

    void await(final int timeoutMs)
    {
        sleep.await(timeoutMs);
    }

    void disarm()
    {
        sleep.disarm();
        faults.tell();
    }

    Inbox inbox()
    {
        return inbox;
    }

    @Override
    public long cycles()
    {
        return health.cycles();
    }

    @Override
    public boolean isAsleep()
    {
        return health.isAsleep();
    }

    @Override
    public void unblock()
    {
        receive.unblock();
        transmit.unblock();
    }

    /** Readable when {@link #await} has something to take. */
    int waitDescriptor()
    {
        return epoll.number();
    }

    /** The host's device was deleted: its descriptor is of no use until the port has a new one. */
    private void revive()
    {
        sleep.forgetPort();
        port.revive(System.nanoTime());
    }

    private void onFailure(final Throwable cause)
    {
        faults.checkOurs(cause);
        fail(cause);
    }

    MemoryFaults faults()
    {
        return faults;
    }

    /** Stops both rings: no memory of the guest is touched until they are started anew. */
    void fail(final Throwable cause)
    {
        counters.increment(WorkerCounter.FAILED);
        transmit.fail("its worker failed");
        receive.fail("its worker failed");
        guestToPort.giveUp();
        health.failed(cause);
    }

    private static FrameBatch batch(final WorkerSetup setup, final int frames, final int vectorsPerFrame)
    {
        return new FrameBatch(setup.arena(), frames, frames * vectorsPerFrame);
    }
}
