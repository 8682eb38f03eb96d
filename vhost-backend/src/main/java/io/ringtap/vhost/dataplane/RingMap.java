package io.ringtap.vhost.dataplane;

import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.CloseHelper;

import java.util.List;
import java.util.function.Consumer;

/**
 * Who has which ring of a device: workers two each, the session's thread the control ring, if there is one. Used by the
 * session's thread alone.
 */
final class RingMap implements AutoCloseable
{
    private static final int NONE = -1;
    private static final int RECEIVE = 0;
    /** Behind the first pair. */
    private static final int SECOND_RECEIVE = 2;

    private final List<QueuePairWorker> workers;
    private final ControlRing control;
    /** Behind all pairs. */
    private final int last;
    private int controlIndex;

    /** @param port its name, when there is a control ring; else null. */
    RingMap(final String port, final List<QueuePairWorker> workers)
    {
        this.workers = List.copyOf(workers);
        last = 2 * workers.size();
        control = port == null ? null : new ControlRing(port, last);
        controlIndex = control == null ? NONE : last;
    }

    int count()
    {
        return last + (control == null ? 0 : 1);
    }

    /** Null when there is none. */
    ControlRing control()
    {
        return control;
    }

    boolean isControl(final int ring)
    {
        return ring == controlIndex;
    }

    /** Whether a ring carries frames to the guest. */
    boolean isReceive(final int ring)
    {
        return place(ring) % 2 == RECEIVE;
    }

    int pair(final int ring)
    {
        return place(ring) / 2;
    }

    /** On the ring's worker, or here where the control ring is. */
    void onEnd(final int ring, final Consumer<RingEnd> action)
    {
        if (isControl(ring))
        {
            action.accept(control.end());
        }
        else
        {
            onWorker(ring, worker -> action.accept(end(worker, ring)));
        }
    }

    void onControl(final Consumer<RingEnd> action)
    {
        if (control != null)
        {
            action.accept(control.end());
        }
    }

    void onWorker(final int ring, final Consumer<QueuePairWorker> action)
    {
        final QueuePairWorker worker = workers.get(pair(ring));
        worker.call(() -> action.accept(worker));
    }

    RingEnd end(final QueuePairWorker worker, final int ring)
    {
        return isReceive(ring) ? worker.receiveRing() : worker.transmitRing();
    }

    /**
     * A driver that knows of one pair only has its control ring behind that (virtio 1.x, 5.1.2). The second pair, which
     * such a driver does not use, has its receive ring in the place behind all pairs then.
     *
     * @param acknowledged features in force; no ring runs.
     * @return whether two rings have changed places.
     */
    boolean follow(final long acknowledged)
    {
        final int wanted = NetFeatures.controlQueue(acknowledged, workers.size());
        final int index = NONE == wanted && control != null ? last : wanted;
        if (index == controlIndex)
        {
            return false;
        }
        controlIndex = index;
        final QueuePairWorker second = workers.get(1);
        second.call(() -> second.receiveRing().exchange(control.end()));
        return true;
    }

    /** As in the beginning. */
    void reset()
    {
        if (control != null)
        {
            control.end().close();
            controlIndex = last;
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(control);
    }

    private int place(final int ring)
    {
        return ring == last ? SECOND_RECEIVE : ring;
    }
}
