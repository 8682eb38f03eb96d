package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.events.RingEvent;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Poll;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.Iotlb;
import io.ringtap.vhost.virtio.RingCounter;
import io.ringtap.vhost.virtio.RingFaultException;
import io.ringtap.vhost.virtio.RingParts;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.vhost.virtio.Virtqueue;
import org.agrona.CloseHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ring as its worker holds it: the virtqueue while started, the enable flag, and the three descriptors. The two
 * flags started and enabled are independent (vhost-user: "ring states").
 */
final class RingEnd implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(RingEnd.class);

    private final String port;
    private final int index;
    private final Epoll epoll;
    private final CounterSet<RingCounter> ringCounters;
    private final Notifier notifier;
    private Virtqueue queue;
    private RingSetup setup;
    private boolean enabled;
    private boolean broken;
    /** Started, but the guest's IOMMU has to say first where it lies. */
    private boolean awaiting;
    private GuestMemory memory;
    private final BlankKicks blankKicks;
    private EventFd kick;
    private EventFd error;
    /** While the guest migrates; null otherwise. */
    private DirtyLog log;
    private EventFd logged;
    private long usedLog = Virtqueue.RING_NOT_LOGGED;

    RingEnd(final String port, final int index, final Epoll epoll, final CounterSet<WorkerCounter> counters)
    {
        this.port = port;
        this.index = index;
        blankKicks = new BlankKicks(port, index);
        this.epoll = epoll;
        notifier = new Notifier(counters);
        ringCounters = new CounterSet<>("ring-" + index, RingCounter.class);
    }

    int index()
    {
        return index;
    }

    CounterSet<RingCounter> ringCounters()
    {
        return ringCounters;
    }

    Virtqueue queue()
    {
        return queue;
    }

    /** What is in our hands outlives us. */
    boolean isTracked()
    {
        return setup != null && setup.inflight() != null;
    }

    /** Started and in order: its shared memory may be looked at. */
    boolean isStarted()
    {
        return queue != null && !broken && !awaiting;
    }

    /** Started and enabled: frames flow. */
    boolean isRunning()
    {
        return enabled && isStarted();
    }

    boolean isEnabled()
    {
        return enabled;
    }

    /** The driver never kicks: somebody has to look at the ring from time to time. */
    boolean mustBePolled()
    {
        return kick == null && isStarted();
    }

    void start(final RingSetup ringSetup, final GuestMemory guestMemory)
    {
        memory = guestMemory;
        final Iotlb.Answer missing = RingParts.missing(ringSetup, guestMemory);
        queue = missing == null ? Virtqueue.open(ringSetup, guestMemory, ringCounters) : null;
        awaiting = missing != null;
        setup = ringSetup;
        broken = false;
        blankKicks.reset();
        if (queue != null)
        {
            opened();
        }
    }

    private void opened()
    {
        queue.log(log, usedLog);
        if (queue.remark() != null)
        {
            LOG.info("{}: ring {}: {}", port, index, queue.remark());
        }
        if (!setup.isNew() || queue.isSuccessor())
        {
            // Whoever served the ring before may have died between publishing and telling.
            notifier.signal();
        }
    }

    /** Translations of the guest's IOMMU came, or some went: then nothing is used that was found through them. */
    void translated(final boolean hasLost)
    {
        final boolean isThere = !broken && (queue != null || awaiting);
        awaiting = isThere && (awaiting || hasLost);
        if (awaiting)
        {
            find();
        }
        if (queue != null)
        {
            queue.lookAgain();
        }
    }

    private void find()
    {
        final Iotlb.Answer missing = RingParts.missing(setup, memory);
        if (missing == Iotlb.Answer.AWAITED)
        {
            return;
        }
        awaiting = false;
        try
        {
            if (missing == Iotlb.Answer.REFUSED || queue != null && !queue.rebase(memory))
            {
                fail("the guest's IOMMU does not know where it lies");
            }
            else if (queue == null)
            {
                queue = Virtqueue.open(setup, memory, ringCounters);
                opened();
            }
        }
        catch (final RingFaultException ex)
        {
            fail(ex.getMessage());
        }
    }

    /**
     * @param isDrained nothing is in our hands any more; else a successor finds it in the in-flight region.
     * @return the base of the ring, or -1 when it was not started.
     */
    int stop(final boolean isDrained)
    {
        notifier.tellDeferred();
        final int base = queue != null ? queue.base() : awaiting ? setup.base() : -1;
        awaiting = false;
        if (queue != null && isDrained)
        {
            queue.rest();
        }
        queue = null;
        return base;
    }

    void enable(final boolean on)
    {
        enabled = on;
    }

    /** Notes writes of this ring from now on; null for the end of that. Both belong to the caller. */
    void log(final DirtyLog dirtyLog, final EventFd signal)
    {
        log = dirtyLog;
        logged = dirtyLog == null ? null : signal;
        logTo(usedLog);
    }

    /** Where writes to the ring itself are noted; {@link Virtqueue#RING_NOT_LOGGED} for nowhere. */
    void logTo(final long usedGuestAddress)
    {
        usedLog = usedGuestAddress;
        if (queue != null)
        {
            queue.log(log, usedLog);
        }
    }

    /** The map was replaced: a ring that it does not hold stands still. */
    void rebase(final GuestMemory guestMemory)
    {
        memory = guestMemory;
        if (guestMemory != null && guestMemory.isTranslated())
        {
            translated(true);
        }
        else if (queue != null && (guestMemory == null || !queue.rebase(guestMemory)))
        {
            fail("its addresses are not in the new memory table");
        }
    }

    /** Stops looking at the ring for good, tells the front-end, and says it once. */
    void fail(final String why)
    {
        if (!broken)
        {
            broken = true;
            notifier.tellDeferred();
            if (error != null)
            {
                error.signal();
            }
            LOG.warn("{}: ring {} stopped: {}", port, index, why);
            RingEvent.tell(port, index, RingEvent.Change.FAULT, why);
        }
    }

    Notifier notifier()
    {
        return notifier;
    }

    /** One notification if the driver wants it: the only system call of a publication. */
    void publish(final long nowNs)
    {
        notifier.now(show(), nowNs);
    }

    /** As {@link #publish}, but a notification soon after another one waits for those that follow it. */
    void publishPaced(final long nowNs)
    {
        notifier.paced(show(), nowNs);
    }

    /** As {@link #publish}, but a notification waits for {@link Notifier#tellDeferred}, which has to follow soon. */
    void publishFirst()
    {
        notifier.later(show());
    }

    /** @return whether the driver wants to hear of it. */
    private boolean show()
    {
        final boolean isWanted = queue.publish();
        // Nothing of the guest's is touched after this; an error that came later would come among our own books.
        MemoryFaults.tell(memory);
        if (logged != null)
        {
            logged.signal();
        }
        return isWanted;
    }

    /** Puts the descriptor of the driver's kicks into the worker's wait set. */
    void kick(final Fd descriptor)
    {
        if (kick != null)
        {
            epoll.remove(kick.number());
            kick.close();
            kick = null;
        }
        if (descriptor != null)
        {
            kick = EventFd.of(descriptor);
            epoll.add(kick.number(), Poll.IN, index);
        }
    }

    /**
     * Takes the descriptor of the driver's notifications. A running ring has told the one before, or nobody, and may
     * never tell again what was published so far, so the new one is told at once; a notification too many does no harm.
     */
    void call(final Fd descriptor)
    {
        notifier.call(descriptor);
        if (isStarted())
        {
            notifier.signal();
        }
    }

    void error(final Fd descriptor)
    {
        CloseHelper.close(error);
        error = descriptor == null ? null : EventFd.of(descriptor);
    }

    /** Neither runs: what one was given to tell others by is the other's from now on. */
    void exchange(final RingEnd other)
    {
        notifier.exchange(other.notifier);
        final EventFd ours = error;
        error = other.error;
        other.error = ours;
    }

    /** Takes the kick that woke the worker. */
    void drainKick()
    {
        if (kick != null)
        {
            kick.drain();
            ringCounters.increment(RingCounter.KICKS);
            if (isStarted())
            {
                blankKicks.onKick(queue);
            }
        }
    }

    /** Null before it was started. */
    GuestMemory memory()
    {
        return memory;
    }

    /** Any thread: whoever waits for one of the descriptors goes on. */
    void unblock()
    {
        notifier.unblock();
        EventFd.unblock(kick, error, logged);
    }

    @Override
    public void close()
    {
        queue = null;
        enabled = false;
        broken = false;
        awaiting = false;
        log = null;
        logged = null;
        usedLog = Virtqueue.RING_NOT_LOGGED;
        memory = null;
        kick(null);
        notifier.close();
        error(null);
    }
}
