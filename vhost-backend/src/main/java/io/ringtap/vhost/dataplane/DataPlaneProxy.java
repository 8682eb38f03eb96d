package io.ringtap.vhost.dataplane;

import io.ringtap.port.PacketPort;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingSetup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries what the session asks to the workers concerned and waits for their acknowledgement. Used by the session's
 * thread alone.
 */
public final class DataPlaneProxy implements DataPlane, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DataPlaneProxy.class);

    private final PacketPort port;
    private final LinkState link;
    private final List<QueuePairWorker> workers;
    private final int offloadLimit;
    private final LinkSpeed speed;
    private final RingMap rings;
    private final Inbox[] inboxes;
    /** As the front-end said; a pair that the guest does not use is not enabled for its worker. */
    private final BitSet enabled = new BitSet();
    private ReceiveRules rules = ReceiveRules.ALL;
    private GuestMemory memory;
    private int engagedOffloads = -1;

    /**
     * @param port         its offloads and MTU follow the session.
     * @param link         of the port, which follows too.
     * @param workers      one a queue pair.
     * @param offloadLimit the most that the operator allows to be received for the guest.
     * @param hasControl   whether a control ring is offered.
     */
    public DataPlaneProxy(
        final PacketPort port,
        final LinkState link,
        final List<QueuePairWorker> workers,
        final int offloadLimit,
        final boolean hasControl)
    {
        rings = new RingMap(hasControl ? port.name() : null, workers);
        inboxes = NicExchange.inboxes(workers);
        this.port = port;
        this.link = link;
        this.workers = List.copyOf(workers);
        this.offloadLimit = offloadLimit;
        speed = LinkSpeed.of(port.name());
    }

    @Override
    public int ringCount()
    {
        return rings.count();
    }

    @Override
    public void features(final long acknowledged)
    {
        engage(NetFeatures.receiveOffloads(acknowledged));
        onAll(worker -> worker.settings().negotiated(acknowledged));
        if (rings.follow(acknowledged))
        {
            for (int ring = enabled.nextSetBit(0); 0 <= ring; ring = enabled.nextSetBit(ring + 1))
            {
                enable(ring, true);
            }
        }
    }

    @Override
    public void offloads(final int offloads)
    {
        engage(offloads);
        onAll(worker -> worker.settings().offloads(offloads));
    }

    /** The port first: frames read before it has shrunk its offers meet the offload gate. */
    private void engage(final int offloads)
    {
        final int wanted = offloads & offloadLimit;
        if (wanted != engagedOffloads)
        {
            engagedOffloads = wanted;
            final int engaged = port.receiveOffloads(wanted);
            if (engaged != wanted)
            {
                LOG.info("{} delivers offloads 0x{} of 0x{} that the guest can take",
                    port.name(), Integer.toHexString(engaged), Integer.toHexString(wanted));
            }
        }
    }

    @Override
    public void receive(final ReceiveRules replacement)
    {
        // Nobody sends frames to a pair that does not receive yet, or does not any more.
        final ReceiveRules before = rules;
        rules = replacement;
        follow(before, true);
        onAll(worker -> worker.settings().receive(replacement, inboxes));
        follow(before, false);
    }

    /** Rings whose pair the guest uses now and did not before, or the other way round. */
    private void follow(final ReceiveRules before, final boolean isUsed)
    {
        for (int ring = 0; ring < rings.count(); ring++)
        {
            final int pair = rings.pair(ring);
            if (!rings.isControl(ring) && rules.uses(pair) == isUsed && before.uses(pair) != isUsed)
            {
                enable(ring, enabled.get(ring));
            }
        }
    }

    @Override
    public int controlDescriptor()
    {
        return rings.control().number();
    }

    @Override
    public boolean mustPollControl()
    {
        return rings.control() != null && rings.control().mustBePolled();
    }

    @Override
    public void control(final ChainHandler handler)
    {
        rings.control().serve(handler);
    }

    @Override
    public void memory(final GuestMemory replacement)
    {
        final GuestMemory old = memory;
        memory = replacement;
        onAll(worker -> worker.rebase(replacement));
        rings.onControl(end -> end.rebase(replacement));
        if (old != null)
        {
            old.close();
        }
    }

    @Override
    public void start(final RingSetup setup)
    {
        if (rings.isControl(setup.index()))
        {
            rings.control().start(setup, memory);
            return;
        }
        rings.onWorker(setup.index(), worker ->
        {
            worker.guestToPort().settle();
            rings.end(worker, setup.index()).start(setup, memory);
            worker.followEnable();
        });
    }

    @Override
    public int stop(final int ring)
    {
        return stop(ring, true);
    }

    @Override
    public int suspend(final int ring)
    {
        return stop(ring, false);
    }

    private int stop(final int ring, final boolean mustDrain)
    {
        if (rings.isControl(ring))
        {
            return rings.control().end().stop(true);
        }
        final int[] base = new int[1];
        rings.onWorker(ring, worker ->
        {
            final RingEnd end = rings.end(worker, ring);
            boolean isDrained = true;
            if (rings.isReceive(ring))
            {
                worker.settleReceive();
            }
            else if (mustDrain || !end.isTracked())
            {
                worker.guestToPort().settle();
            }
            else
            {
                isDrained = worker.guestToPort().letGo();
            }
            base[0] = end.stop(isDrained);
        });
        return base[0];
    }

    @Override
    public void enable(final int ring, final boolean isOn)
    {
        enabled.set(ring, isOn);
        if (rings.isControl(ring))
        {
            rings.control().enable(isOn);
            return;
        }
        final boolean isUsed = rules.uses(rings.pair(ring));
        rings.onWorker(ring, worker ->
        {
            final RingEnd end = rings.end(worker, ring);
            if (end.isEnabled() && !isUsed && rings.isReceive(ring))
            {
                worker.settleReceive();
            }
            end.enable(isOn && isUsed);
            worker.followEnable();
        });
    }

    @Override
    public void kick(final int ring, final Fd descriptor)
    {
        rings.onEnd(ring, end -> end.kick(descriptor));
    }

    @Override
    public void call(final int ring, final Fd descriptor)
    {
        rings.onEnd(ring, end -> end.call(descriptor));
    }

    @Override
    public void error(final int ring, final Fd descriptor)
    {
        rings.onEnd(ring, end -> end.error(descriptor));
    }

    @Override
    public void log(final DirtyLog log, final EventFd signal)
    {
        onAll(worker ->
        {
            worker.receiveRing().log(log, signal);
            worker.transmitRing().log(log, signal);
        });
        rings.onControl(end -> end.log(log, signal));
    }

    @Override
    public void logRing(final int ring, final long usedGuestAddress)
    {
        rings.onEnd(ring, end -> end.logTo(usedGuestAddress));
    }

    @Override
    public void translated(final boolean hasLost)
    {
        onAll(worker ->
        {
            if (hasLost)
            {
                worker.guestToPort().settle();
            }
            worker.receiveRing().translated(hasLost);
            worker.transmitRing().translated(hasLost);
        });
        if (rings.control() != null)
        {
            rings.control().translated(hasLost);
        }
    }

    @Override
    public void announce(final long mac)
    {
        final QueuePairWorker first = workers.get(0);
        first.call(() -> first.announce(mac));
    }

    @Override
    public boolean mtu(final int mtu)
    {
        if (mtu == port.mtu())
        {
            return true;
        }
        try
        {
            port.mtu(mtu);
            return true;
        }
        catch (final SyscallException ex)
        {
            LOG.warn("{} cannot have the MTU {} that the front-end asks for: {}", port.name(), mtu, ex.getMessage());
            return false;
        }
    }

    @Override
    public int mtu()
    {
        return port.mtu();
    }

    @Override
    public void refresh()
    {
        port.refresh();
    }

    @Override
    public boolean isLinkUp()
    {
        return link.isWanted();
    }

    @Override
    public LinkSpeed speed()
    {
        return speed;
    }

    @Override
    public void connected(final boolean up)
    {
        link.connected(up);
    }

    @Override
    public void reset()
    {
        onAll(QueuePairWorker::drop);
        rings.reset();
        enabled.clear();
        rules = ReceiveRules.ALL;
        if (memory != null)
        {
            memory.close();
            memory = null;
        }
    }

    private void onAll(final Consumer<QueuePairWorker> action)
    {
        for (final QueuePairWorker worker : workers)
        {
            call(worker, action);
        }
    }

    /** Nothing may be unmapped before this succeeded; an error that the guest's memory caused comes late, and once. */
    private static void call(final QueuePairWorker worker, final Consumer<QueuePairWorker> action)
    {
        try
        {
            worker.call(() -> action.accept(worker));
        }
        catch (final InternalError ex)
        {
            worker.call(() -> action.accept(worker));
        }
    }

    @Override
    public void close()
    {
        rings.close();
    }
}
