package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.sys.SyscallException;
import org.agrona.CloseHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue of an AF_XDP port: a socket and its two halves, and the loss and the return of the device. */
final class XskQueue implements PortQueue
{
    private static final Logger LOG = LoggerFactory.getLogger(XskPort.class);
    private static final long REVIVE_INTERVAL_NS = 1_000_000_000L;
    /** Frames in a call from which on it pays not to be told of each: two system calls more a sleep. */
    private static final int BURST = 8;

    private final XskPort port;
    private final int index;
    private final int threshold;
    private final CounterSet<PortCounter> counters;
    private final XskReceiver receiver;
    private final XskSender sender;
    private XskSocket socket;
    private XskSentry sentry;
    private volatile boolean isGone;
    private boolean isDetached;
    private boolean hasTriedRevival;
    private long lastRevivalNs;

    XskQueue(
        final XskPort port, final int index, final PageArena arena, final FragAllocator allocator, final int chunk,
        final boolean isVirtual, final XskOptions options)
    {
        this.port = port;
        this.index = index;
        threshold = Math.min(options.flushThreshold(), options.batch());
        counters = new CounterSet<>(port.name() + " queue " + index, PortCounter.class);
        receiver = new XskReceiver(arena.buffer(), allocator, counters, chunk, isVirtual, options);
        sender = new XskSender(arena.buffer(), allocator, counters, chunk, options);
    }

    /** Opens the socket; on the worker, or before there is one. */
    void open(final XskSocket opened)
    {
        socket = opened;
        sender.open(opened);
        receiver.open(opened);
        receiver.longest(port.longestFrame());
        sentry = new XskSentry(opened.number(), port.linkIndex());
    }

    XskSocket socket()
    {
        return socket;
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        final int first = batch.sent();
        final int count = batch.readyCount();
        int outcome = XskSender.DONE;
        if (!isGone && BURST <= count - first)
        {
            sentry.listen(false);
        }
        while (!isGone && batch.sent() < count && XskSender.HELD != outcome)
        {
            outcome = sender.send(batch, Math.min(count, batch.sent() + threshold));
            if (XskSender.GONE == outcome)
            {
                lost();
            }
        }
        if (isGone)
        {
            counters.add(PortCounter.TX_GONE, count - batch.sent());
            batch.sent(count);
        }
        return batch.sent() - first;
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        if (isGone || isDetached)
        {
            return 0;
        }
        final int received = receiver.receive(batch, limit);
        if (receiver.hasSeenGiants())
        {
            // Perhaps an administrator changed the MTU.
            receiver.longest(port.longestFrame());
        }
        return received;
    }

    @Override
    public void release(final FrameBatch batch)
    {
        receiver.release(batch);
    }

    @Override
    public void flush()
    {
        if (!isGone)
        {
            sender.flush();
        }
    }

    @Override
    public boolean armReceive()
    {
        if (isGone || isDetached)
        {
            return true;
        }
        sentry.listen(true);
        return receiver.isEmpty() && !hasLostDevice();
    }

    @Override
    public int waitDescriptor()
    {
        return isGone || isDetached ? -1 : sentry.number();
    }

    /** A device spreads flows over all its queues whoever listens: what comes meanwhile is lost, as on a card. */
    @Override
    public void attach(final boolean on)
    {
        if (on && isDetached && !isGone)
        {
            receiver.drain();
        }
        isDetached = !on;
    }

    @Override
    public boolean isGone()
    {
        return isGone;
    }

    @Override
    public boolean revive(final long nowNs)
    {
        if (isGone && (!hasTriedRevival || nowNs - lastRevivalNs >= REVIVE_INTERVAL_NS))
        {
            final boolean isFirst = !hasTriedRevival;
            hasTriedRevival = true;
            lastRevivalNs = nowNs;
            final XskSocket opened = port.reopen(index, isFirst);
            if (null != opened && isOpened(opened))
            {
                hasTriedRevival = false;
                isGone = false;
                counters.increment(PortCounter.DEVICE_BACK);
                LOG.info("{} queue {}: the interface is there again", port.name(), index);
            }
        }
        return !isGone;
    }

    @Override
    public CounterSet<PortCounter> counters()
    {
        return counters;
    }

    @Override
    public void close()
    {
        if (null != socket)
        {
            CloseHelper.quietCloseAll(sentry, socket);
            sentry = null;
            socket = null;
            sender.closed();
            receiver.closed();
        }
    }

    /** @return false when the device went again meanwhile. */
    private boolean isOpened(final XskSocket opened)
    {
        try
        {
            open(opened);
            return true;
        }
        catch (final SyscallException e)
        {
            close();
            return false;
        }
    }

    /** @return whether a loss that nothing told of was found just now. */
    private boolean hasLostDevice()
    {
        if (!sentry.isDeviceLost())
        {
            return false;
        }
        lost();
        return true;
    }

    private void lost()
    {
        isGone = true;
        close();
        counters.increment(PortCounter.DEVICE_GONE);
        LOG.warn("{} queue {}: the interface was deleted; its traffic is lost until it is there again", port.name(),
            index);
    }
}
