package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.port.PortQueue;
import io.ringtap.xdp.FrameView;

/**
 * The way of a frame from the port to the guest: read a batch, let the stages judge it, put it into the receive ring.
 * While the guest has no buffers the batch is kept and nothing is read, so the kernel's queue pushes back.
 */
final class PortToGuest
{
    /** Most frames a cycle. */
    static final int BATCH = 64;

    private final RingEnd ring;
    private final PortQueue port;
    private final FrameBatch batch;
    /** What is being written: the batch, or what the stages made of some of it. */
    private FrameBatch incoming;
    private final ReflectQueue reflected;
    private final FrameStages stages;
    private final RingWriter writer;
    private final Inbox inbox;
    private final Waits waits;
    private final DirectionCounters side;
    private final CounterSet<WorkerCounter> counters;
    /** Null while the port's choice of a queue is the guest's too. */
    private Steering steering;
    private long receivedAtNs;

    PortToGuest(
        final RingEnd ring,
        final PortQueue port,
        final FrameBatch batch,
        final ReflectQueue reflected,
        final FrameStages stages,
        final RingWriter writer,
        final Inbox inbox,
        final DirectionCounters side,
        final Waits waits)
    {
        this.waits = waits;
        this.ring = ring;
        this.port = port;
        this.batch = batch;
        incoming = batch;
        this.reflected = reflected;
        this.stages = stages;
        this.writer = writer;
        this.inbox = inbox;
        this.side = side;
        counters = side.counters();
    }

    /** Who takes frames to the pairs that the guest wants them on; null for nobody. */
    void steering(final Steering chosen)
    {
        steering = chosen;
    }

    /** Other ports may put frames in while the ring runs: at once when it does, so that none of the first is lost. */
    void follow()
    {
        if (inbox.follow(ring.isRunning()))
        {
            counters.add(WorkerCounter.DROP_STOPPED, inbox.takeLost());
        }
    }

    /** One batch at most. */
    int doWork()
    {
        follow();
        if (waits.mustRest() || !ring.isRunning())
        {
            return 0;
        }
        int steered = 0;
        if (batch.frames() == 0 && !waits.mustHoldOff() && 0 < port.receive(batch, BATCH))
        {
            charge();
            receivedAtNs = System.nanoTime();
            counters.increment(WorkerCounter.HOST_BATCHES);
            side.batches().record(batch.frames(), 1);
            stages.begin(FrameView.TO_GUEST, batch, receivedAtNs);
            steered = judge();
        }
        int delivered = 0;
        writer.beginTurn();
        final long beganNs = waits.beginNs();
        if (!reflected.isEmpty())
        {
            delivered += writer.write(reflected.batch());
            reflected.recycle();
        }
        if (!writer.isHolding() || inbox.isStarved())
        {
            delivered += inbox.drain(writer);
        }
        final boolean hasBatch = 0 < batch.frames();
        final int judged = hasBatch ? judgeRest() : 0;
        delivered += hasBatch ? writer.write(incoming) : 0;
        final int chains = Math.max(1, delivered + writer.barren());
        waits.took(beganNs, chains, writer.hasWalkedFar() ? chains : writer.barren());
        if (0 < delivered || hasBatch || ring.notifier().hasDeferred())
        {
            tell(delivered, System.nanoTime());
        }
        waits.stalled(isStarved());
        return delivered + judged + steered;
    }

    /** One reading of the clock serves all that wants to know. */
    private void tell(final int delivered, final long nowNs)
    {
        if (0 < delivered)
        {
            ring.publishPaced(nowNs);
        }
        else if (ring.notifier().hasDeferred())
        {
            ring.notifier().tellIfDue(nowNs);
        }
        recycle(nowNs);
    }

    private void charge()
    {
        long bytes = 0;
        for (int i = 0; i < batch.frames(); i++)
        {
            bytes += batch.length(i);
        }
        waits.went(bytes);
    }

    /** The ring is left alone for a while, whatever waits for it. */
    boolean isResting()
    {
        return waits.isResting();
    }

    /** Nothing is read from the port because of the rate limit, or since the ring rests. */
    boolean mustWait()
    {
        return ring.isRunning() && waits.isHoldingOff();
    }

    /**
     * When the stages took a part of the batch and that is written: the next part, which counts as work even if no
     * frame of it is left.
     */
    private int judgeRest()
    {
        if (batch.isDrained() || !incoming.isDrained() || writer.isHolding())
        {
            return 0;
        }
        stages.recycle(incoming);
        judge();
        return 1;
    }

    /** @return frames that went to other pairs, or nowhere. */
    private int judge()
    {
        incoming = stages.toGuest(batch);
        return steering == null ? 0 : steering.steer(incoming);
    }

    /** Frames wait for the guest's buffers. */
    boolean isStarved()
    {
        return 0 < batch.frames() || !reflected.isEmpty() || writer.isHolding() || inbox.isStarved();
    }

    /**
     * Before the sleep: asks the port and other ports for a sign.
     *
     * @return false when one of them has something already.
     */
    boolean arm()
    {
        return port.armReceive() && inbox.arm();
    }

    /** Drops what waits, because the ring stops. */
    void settle()
    {
        side.drop(incoming);
        side.drop(batch);
        writer.settle();
        recycle(System.nanoTime());
        stages.forget(FrameView.TO_GUEST);
        reflected.clear();
        inbox.close();
        counters.add(WorkerCounter.DROP_STOPPED, inbox.takeLost());
    }

    private void recycle(final long nowNs)
    {
        if (incoming.isDrained() && batch.isDrained() && !writer.isHolding() && 0 < batch.frames())
        {
            if (incoming != batch)
            {
                stages.recycle(incoming);
                incoming = batch;
            }
            stages.sent(FrameView.TO_GUEST);
            side.took(receivedAtNs, nowNs, batch.frames());
            stages.done(FrameView.TO_GUEST);
            port.release(batch);
        }
    }
}
