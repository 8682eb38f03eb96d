package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.port.PortQueue;

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
    private final ReflectQueue reflected;
    private final FrameStages stages;
    private final RingWriter writer;
    private final CounterSet<WorkerCounter> counters;

    PortToGuest(
        final RingEnd ring,
        final PortQueue port,
        final FrameBatch batch,
        final ReflectQueue reflected,
        final FrameStages stages,
        final RingWriter writer,
        final CounterSet<WorkerCounter> counters)
    {
        this.ring = ring;
        this.port = port;
        this.batch = batch;
        this.reflected = reflected;
        this.stages = stages;
        this.writer = writer;
        this.counters = counters;
    }

    /** One batch at most. */
    int doWork()
    {
        if (!ring.isRunning())
        {
            return 0;
        }
        if (batch.frames() == 0 && 0 < port.receive(batch, BATCH))
        {
            counters.increment(WorkerCounter.HOST_BATCHES);
            stages.toGuest(batch);
        }
        int delivered = 0;
        if (!reflected.isEmpty())
        {
            delivered += writer.write(reflected.batch());
            reflected.recycle();
        }
        if (0 < batch.frames())
        {
            delivered += writer.write(batch);
            recycle();
        }
        if (0 < delivered)
        {
            ring.publish();
        }
        return delivered;
    }

    /** Frames wait for the guest's buffers. */
    boolean isStarved()
    {
        return 0 < batch.frames() || !reflected.isEmpty() || writer.isHolding();
    }

    /** Drops what waits, because the ring stops. */
    void settle()
    {
        counters.add(WorkerCounter.DROP_STOPPED, batch.readyCount() - batch.sent());
        batch.sent(batch.readyCount());
        writer.settle();
        recycle();
        reflected.clear();
    }

    private void recycle()
    {
        if (batch.isDrained() && !writer.isHolding() && 0 < batch.frames())
        {
            port.release(batch);
        }
    }
}
