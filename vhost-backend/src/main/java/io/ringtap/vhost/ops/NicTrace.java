package io.ringtap.vhost.ops;

import io.ringtap.capture.PacketFilter;
import io.ringtap.vhost.dataplane.FrameTrace;
import io.ringtap.vhost.dataplane.QueuePairWorker;

import java.util.ArrayList;
import java.util.List;

/** The following of a NIC's frames: begun and ended while they flow; nothing of it is there in between. */
public final class NicTrace implements AutoCloseable
{
    private final List<QueuePairWorker> workers;
    private List<FrameTrace> traces = List.of();

    /** @param workers one a queue pair. */
    public NicTrace(final List<QueuePairWorker> workers)
    {
        this.workers = List.copyOf(workers);
    }

    /**
     * Begins; one that runs ends.
     *
     * @param directions bits 1 for frames from the guest, 2 for those to it.
     * @param every      one of so many on each queue.
     * @param filter     of those that it fits, as {@link PacketFilter#parse} reads it; null for all.
     */
    public synchronized void start(final int directions, final long every, final String filter)
    {
        final List<FrameTrace> next = new ArrayList<>();
        for (final QueuePairWorker worker : workers)
        {
            final FrameTrace trace =
                new FrameTrace(directions, every, null == filter ? null : PacketFilter.parse(filter));
            next.add(trace);
            worker.trace(trace);
        }
        traces = next;
    }

    /** By queue; empty when nothing is followed. */
    public synchronized List<FrameTrace> traces()
    {
        return traces;
    }

    /** Ends. */
    @Override
    public synchronized void close()
    {
        if (!traces.isEmpty())
        {
            traces = List.of();
            workers.forEach((worker) -> worker.trace(null));
        }
    }
}
