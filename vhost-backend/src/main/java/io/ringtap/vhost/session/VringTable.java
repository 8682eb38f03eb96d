package io.ringtap.vhost.session;

import io.ringtap.counters.CounterSet;
import io.ringtap.events.RingEvent;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.InflightRegion;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.VringAddressFlyweight;
import io.ringtap.vhost.virtio.InflightLayout;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.vhost.virtio.Virtqueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rings of one session. Each has two flags that know nothing of each other: started, from the kick descriptor to
 * GET_VRING_BASE, and enabled, as SET_VRING_ENABLE says, before or after.
 */
final class VringTable
{
    private static final Logger LOG = LoggerFactory.getLogger(VringTable.class);

    private final String name;
    private final DataPlane dataPlane;
    private final ReplyProxy replies;
    private final CounterSet<SessionCounter> counters;
    private final VringState[] rings;
    private long features;
    private boolean hasMemory;
    private InflightRegion inflight;
    private InbandNotifications inband;

    VringTable(final SessionContext context, final ReplyProxy replies)
    {
        this.name = context.name();
        this.dataPlane = context.dataPlane();
        this.replies = replies;
        this.counters = context.counters();
        rings = new VringState[dataPlane.ringCount()];
        for (int i = 0; i < rings.length; i++)
        {
            rings[i] = new VringState(i);
        }
    }

    int count()
    {
        return rings.length;
    }

    int base(final int ring)
    {
        return rings[ring].base();
    }

    boolean isEnabled(final int ring)
    {
        return rings[ring].isEnabled();
    }

    boolean isStarted(final int ring)
    {
        return rings[ring].isStarted();
    }

    boolean isAnyStarted()
    {
        for (final VringState ring : rings)
        {
            if (ring.isStarted())
            {
                return true;
            }
        }

        return false;
    }

    /** @throws RefusedException when a running ring has a part that begins in this range. */
    void checkNoneRunsIn(final long frontendAddress, final long length)
    {
        for (final VringState ring : rings)
        {
            if (ring.isStarted() && ring.isWithin(frontendAddress, length))
            {
                throw new RefusedException("ring " + ring.index() + " runs in that memory region");
            }
        }
    }

    /** As acknowledged: what sizes and bases mean, for rings that start from now on. */
    void features(final long acknowledged)
    {
        features = acknowledged;
    }

    /** The layout that the acknowledged features ask for. */
    boolean isPacked()
    {
        return NetFeatures.has(features, NetFeatures.RING_PACKED);
    }

    /** Where rings that start from now on write what is in flight; null for nowhere. */
    void inflight(final InflightRegion region)
    {
        inflight = region;
    }

    /** What stands in for descriptors that a front-end does not give. */
    void inband(final InbandNotifications notifications)
    {
        inband = notifications;
    }

    void hasMemory(final boolean value)
    {
        hasMemory = value;
    }

    void onSetVringNum(final int ring, final int size)
    {
        rings[ring].size(size);
    }

    void onSetVringBase(final int ring, final int base)
    {
        rings[ring].base(base);
    }

    /** On a running ring too: usually just to flip the log flag, and then the ring need not be touched. */
    void onSetVringAddress(final int ring, final long descriptor, final long available, final long used)
    {
        final VringState state = rings[ring];
        if (!state.isStarted())
        {
            state.addresses(descriptor, available, used);
        }
        else if (!state.isAt(descriptor, available, used))
        {
            move(state, descriptor, available, used);
        }
    }

    /** The other half of SET_VRING_ADDR: whether what is written to the ring itself is noted in a migration. */
    void onSetVringLog(final int ring, final int flags, final long guestAddress)
    {
        final boolean isLogged = 0 != (flags & VringAddressFlyweight.FLAG_LOG);
        final long address = isLogged ? guestAddress : Virtqueue.RING_NOT_LOGGED;
        if (rings[ring].isLogMoved(address))
        {
            dataPlane.logRing(ring, address);
        }
    }

    /** Stops the ring, if it runs, and says where. What it was set up with, and whether it is enabled, stays. */
    void onGetVringBase(final int ring)
    {
        final VringState state = rings[ring];
        stop(state, true);
        replies.vringState(Request.GET_VRING_BASE, ring, state.base());
    }

    /** As the other, but what cannot be finished at once stays in flight. */
    void onGetVringBaseSkipDrain(final int ring)
    {
        final VringState state = rings[ring];
        stop(state, false);
        replies.vringState(Request.GET_VRING_BASE_SKIP_DRAIN, ring, state.base());
    }

    /** Starts the ring; it is looked at from now on, whether or not a kick ever comes. */
    void onSetVringKick(final int ring, final boolean hasDescriptor, final FdList descriptors)
    {
        final VringState state = rings[ring];
        if (state.isStarted())
        {
            dataPlane.kick(ring, taken(ring, hasDescriptor, descriptors));
            return;
        }

        checkMemory(ring);
        begin(state, setup(state), taken(ring, hasDescriptor, descriptors));
    }

    /** A kick that came as a message: of a ring that does not run it is its start. */
    void onVringKick(final int ring, final int num)
    {
        final VringState state = rings[ring];
        if (0 != num)
        {
            throw new RefusedException("a kick of ring " + ring + " with num " + num + ", only 0 is known");
        }

        if (state.isStarted())
        {
            inband.kick(ring);
            return;
        }

        checkMemory(ring);
        begin(state, setup(state), inband.kickOf(ring));
    }

    private void checkMemory(final int ring)
    {
        if (!hasMemory)
        {
            throw new RefusedException(
                "ring " + ring + " cannot start, no memory of the guest was given" + GuestMemory.REMEDY);
        }
    }

    private void begin(final VringState state, final RingSetup setup, final Fd kick)
    {
        dataPlane.kick(state.index(), kick);
        inband.beforeStart(state.index());
        try
        {
            start(state, setup);
        }
        catch (final RuntimeException ex)
        {
            dataPlane.kick(state.index(), null);
            throw ex;
        }
    }

    void onSetVringCall(final int ring, final boolean hasDescriptor, final FdList descriptors)
    {
        dataPlane.call(ring, taken(ring, hasDescriptor, descriptors));
        inband.callGiven(ring);
    }

    void onSetVringErr(final int ring, final boolean hasDescriptor, final FdList descriptors)
    {
        dataPlane.error(ring, taken(ring, hasDescriptor, descriptors));
        inband.errorGiven(ring);
    }

    /** QEMU sends it before anything else is known of the ring, and never again with one queue pair. */
    void onSetVringEnable(final int ring, final int value)
    {
        if (0 != value && 1 != value)
        {
            throw new RefusedException("ring " + ring + " is to be neither enabled (1) nor disabled (0) but " + value);
        }

        enable(rings[ring], 1 == value);
    }

    /** For a front-end that does not know SET_VRING_ENABLE. */
    void enableAll()
    {
        for (final VringState ring : rings)
        {
            enable(ring, true);
        }
    }

    /** Bases are kept for a front-end that asks afterwards. */
    void stopAll()
    {
        for (final VringState ring : rings)
        {
            stop(ring, true);
        }
    }

    /** Every ring as before the first message, but for the descriptors: those are not the device's. */
    void reset()
    {
        stopAll();
        for (final VringState ring : rings)
        {
            enable(ring, false);
            ring.clear();
        }
    }

    /** A pipe or a file as an event could make a worker wait for its front-end. */
    private static Fd taken(final int ring, final boolean hasDescriptor, final FdList descriptors)
    {
        if (hasDescriptor && !EventFd.isEvent(descriptors.number(0)))
        {
            throw new RefusedException("the descriptor of ring " + ring + " is not an eventfd");
        }

        return hasDescriptor ? descriptors.take(0) : null;
    }

    /** Everything said so far of a ring, with the place for what is in flight. */
    private RingSetup setup(final VringState ring)
    {
        final RingSetup setup = ring.setup(features);
        if (null == inflight)
        {
            return setup;
        }

        if (setup.size() > inflight.ringSize() ||
            !inflight.holds(InflightLayout.length(inflight.ringSize(), isPacked())))
        {
            throw new RefusedException("ring " + ring.index() + " of " + setup.size() + " descriptors, " +
                (isPacked() ? "packed" : "split") + ", does not fit the in-flight region for rings of " +
                inflight.ringSize() + ": GET_INFLIGHT_FD gives another");
        }

        return setup.withInflight(inflight);
    }

    private void start(final VringState ring, final RingSetup setup)
    {
        dataPlane.start(setup);
        ring.started(true);
        counters.increment(SessionCounter.RINGS_STARTED);
        LOG.info("{}: ring {} started, size {}, base 0x{}{}",
            name, ring.index(), setup.size(), Integer.toHexString(setup.base()), ring.isEnabled() ? "" : ", disabled");
        RingEvent.tell(name, ring.index(), RingEvent.Change.STARTED, "size " + setup.size() + ", base " + setup.base());
    }

    private void stop(final VringState ring, final boolean mustDrain)
    {
        if (ring.isStarted())
        {
            final int base = mustDrain ? dataPlane.stop(ring.index()) : dataPlane.suspend(ring.index());
            ring.started(false);
            if (-1 != base)
            {
                ring.base(base);
            }

            counters.increment(SessionCounter.RINGS_STOPPED);
            LOG.info("{}: ring {} stopped at base 0x{}", name, ring.index(), Integer.toHexString(ring.base()));
            RingEvent.tell(name, ring.index(), RingEvent.Change.STOPPED, "base " + ring.base());
        }
    }

    /** A ring that runs is stopped first, so that it goes on from where it is; refused, it goes on where it was. */
    private void move(final VringState ring, final long descriptor, final long available, final long used)
    {
        final RingSetup old = ring.setup(features);
        ring.addresses(descriptor, available, used);
        stop(ring, true);
        try
        {
            start(ring, setup(ring));
        }
        catch (final RuntimeException ex)
        {
            ring.addresses(old.descriptorAddress(), old.driverAddress(), old.deviceAddress());
            start(ring, setup(ring));
            throw ex;
        }
    }

    private void enable(final VringState ring, final boolean enabled)
    {
        if (ring.isEnabled() != enabled)
        {
            dataPlane.enable(ring.index(), enabled);
            ring.enabled(enabled);
        }
    }
}
