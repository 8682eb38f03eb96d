package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FlowKey;
import io.ringtap.flow.FrameBatch;
import io.ringtap.vhost.control.RssTable;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.List;

/**
 * Carries frames between the NICs of a process in its memory, without the kernel: a hook's REDIRECT to a port's number
 * puts the frame into an inbox of that NIC, chosen by flow, so that the order inside a flow stays. NICs come and go
 * while others send.
 */
public final class NicExchange implements Exchange
{
    /** Spreads keys whose low bits are alike. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** Replaced as a whole, never changed: senders read it without a lock. */
    private volatile Int2ObjectHashMap<Receivers> receivers = new Int2ObjectHashMap<>();

    /** Nobody yet. */
    public NicExchange()
    {
    }

    /** From now on frames to this number go to the guest of these workers. */
    public synchronized void register(final int port, final List<QueuePairWorker> workers)
    {
        final Int2ObjectHashMap<Receivers> next = new Int2ObjectHashMap<>(receivers);
        next.put(port, new Receivers(inboxes(workers), workers.get(0).settings()));
        receivers = next;
    }

    /** From now on there is no such port; who looked it up before finds its inboxes closed. */
    public synchronized void unregister(final int port)
    {
        final Int2ObjectHashMap<Receivers> next = new Int2ObjectHashMap<>(receivers);
        next.remove(port);
        receivers = next;
    }

    @Override
    public boolean deliver(final int port, final FrameBatch batch, final int row)
    {
        final Receivers nic = receivers.get(port);
        if (null == nic)
        {
            return false;
        }
        final Inbox[] pairs = nic.inboxes();
        final RssTable rss = nic.settings().rss();
        if (null != rss)
        {
            return pairs[rss.pair(batch.arena(), batch.offset(row), batch.linearLength(row))].put(batch, row);
        }
        if (1 == pairs.length)
        {
            return pairs[0].put(batch, row);
        }
        final long flow = FlowKey.of(batch.arena(), batch.offset(row), batch.linearLength(row)) * SPREAD;
        int receiving = 0;
        for (final Inbox each : pairs)
        {
            receiving += each.isOpen() ? 1 : 0;
        }
        int chosen = 0 == receiving ? 0 : (int)((flow >>> 33) % receiving);
        for (final Inbox each : pairs)
        {
            if (each.isOpen() && chosen-- == 0)
            {
                return each.put(batch, row);
            }
        }
        return false;
    }

    static Inbox[] inboxes(final List<QueuePairWorker> workers)
    {
        return workers.stream().map(QueuePairWorker::inbox).toArray(Inbox[]::new);
    }

    /**
     * One NIC.
     *
     * @param inboxes  one a queue pair.
     * @param settings of the first pair: all have the same table.
     */
    private record Receivers(Inbox[] inboxes, PairSettings settings)
    {
    }
}
