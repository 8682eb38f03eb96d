package io.ringtap.vhost.dataplane;

import io.ringtap.port.PacketPort;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingSetup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.function.Consumer;

/**
 * Carries what the session asks to the workers concerned and waits for their acknowledgement. Used by the session's
 * thread alone.
 */
public final class DataPlaneProxy implements DataPlane
{
    private static final Logger LOG = LoggerFactory.getLogger(DataPlaneProxy.class);
    private static final int RECEIVE = 0;

    private final PacketPort port;
    private final LinkState link;
    private final List<QueuePairWorker> workers;
    private final int offloadLimit;
    private final LinkSpeed speed;
    private GuestMemory memory;
    private int engagedOffloads = -1;

    /**
     * @param port         its offloads and MTU follow the session.
     * @param link         of the port, which follows too.
     * @param workers      one a queue pair.
     * @param offloadLimit the most that the operator allows to be received for the guest.
     */
    public DataPlaneProxy(
        final PacketPort port, final LinkState link, final List<QueuePairWorker> workers, final int offloadLimit)
    {
        this.port = port;
        this.link = link;
        this.workers = List.copyOf(workers);
        this.offloadLimit = offloadLimit;
        speed = LinkSpeed.of(port.name());
    }

    @Override
    public int ringCount()
    {
        return 2 * workers.size();
    }

    @Override
    public void features(final long acknowledged)
    {
        // The port first: frames read before it has shrunk its offers meet the offload gate.
        final int wanted = NetFeatures.receiveOffloads(acknowledged) & offloadLimit;
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
        onAll(worker -> worker.negotiated(acknowledged));
    }

    @Override
    public void memory(final GuestMemory replacement)
    {
        final GuestMemory old = memory;
        memory = replacement;
        onAll(worker -> worker.rebase(replacement));
        if (old != null)
        {
            old.close();
        }
    }

    @Override
    public void start(final RingSetup setup)
    {
        on(setup.index(), worker ->
        {
            worker.guestToPort().settle();
            ring(worker, setup.index()).start(setup, memory);
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
        final int[] base = new int[1];
        on(ring, worker ->
        {
            final RingEnd end = ring(worker, ring);
            boolean isDrained = true;
            if (ring % 2 == RECEIVE)
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
    public void enable(final int ring, final boolean enabled)
    {
        on(ring, worker ->
        {
            ring(worker, ring).enable(enabled);
            worker.followEnable();
        });
    }

    @Override
    public void kick(final int ring, final Fd descriptor)
    {
        on(ring, worker -> ring(worker, ring).kick(descriptor));
    }

    @Override
    public void call(final int ring, final Fd descriptor)
    {
        on(ring, worker -> ring(worker, ring).call(descriptor));
    }

    @Override
    public void error(final int ring, final Fd descriptor)
    {
        on(ring, worker -> ring(worker, ring).error(descriptor));
    }

    @Override
    public void log(final DirtyLog log, final EventFd signal)
    {
        onAll(worker ->
        {
            worker.receiveRing().log(log, signal);
            worker.transmitRing().log(log, signal);
        });
    }

    @Override
    public void logRing(final int ring, final long usedGuestAddress)
    {
        on(ring, worker -> ring(worker, ring).logTo(usedGuestAddress));
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

    private void on(final int ring, final Consumer<QueuePairWorker> action)
    {
        final QueuePairWorker worker = workers.get(ring / 2);
        worker.call(() -> action.accept(worker));
    }

    private static RingEnd ring(final QueuePairWorker worker, final int ring)
    {
        return ring % 2 == RECEIVE ? worker.receiveRing() : worker.transmitRing();
    }
}
