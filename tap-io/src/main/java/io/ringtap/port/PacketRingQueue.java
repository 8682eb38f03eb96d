package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.SyscallException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue of an AF_PACKET port: its two halves, and the loss and the return of the interface. */
final class PacketRingQueue implements PortQueue
{
    private static final Logger LOG = LoggerFactory.getLogger(PacketRingPort.class);
    private static final long REVIVE_INTERVAL_NS = 1_000_000_000L;

    private final PacketRingPort port;
    private final int index;
    private final CounterSet<PortCounter> counters;
    private final PacketSender sender;
    private final PacketReceiver receiver;
    private boolean isAttached = true;
    private boolean isGone;
    private boolean hasTriedRevival;
    private long lastRevivalNs;

    PacketRingQueue(
        final PacketRingPort port, final int index, final UnsafeBuffer arena, final FragAllocator allocator)
    {
        this.port = port;
        this.index = index;
        counters = new CounterSet<>(port.name() + " queue " + index, PortCounter.class);
        sender = new PacketSender(port, counters, arena, allocator);
        receiver = new PacketReceiver(port, counters, arena, allocator);
    }

    /** Before the first use. */
    void open(final int interfaceIndex)
    {
        sender.open(interfaceIndex, port.hasDoorbell() ? "flusher-" + index : null);
        receiver.open(interfaceIndex);
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        final int before = batch.sent();
        int k = isGone ? before : sender.transmit(batch);
        noticeLoss();
        if (isGone)
        {
            counters.add(PortCounter.TX_GONE, batch.readyCount() - k);
            k = batch.readyCount();
        }
        batch.sent(k);
        return k - before;
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        return receiver.receive(batch, limit);
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
            noticeLoss();
        }
    }

    @Override
    public boolean isHolding()
    {
        return !isGone && sender.isHolding();
    }

    @Override
    public boolean armReceive()
    {
        final boolean mayBeSleptOn = receiver.arm();
        if (!isGone && receiver.takeFailure())
        {
            sender.probe();
            noticeLoss();
        }
        return mayBeSleptOn;
    }

    @Override
    public int waitDescriptor()
    {
        return isGone ? -1 : receiver.descriptor();
    }

    @Override
    public void attach(final boolean on)
    {
        if (on == isAttached)
        {
            return;
        }
        isAttached = on;
        if (!on)
        {
            receiver.shut();
        }
        else if (!isGone)
        {
            try
            {
                receiver.open(port.interfaceIndex());
            }
            catch (final PortException | SyscallException e)
            {
                LOG.warn("{} queue {}: cannot attach: {}", port.name(), index, e.getMessage());
                lost();
            }
        }
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
            try
            {
                reopen();
                hasTriedRevival = false;
                isGone = false;
                counters.increment(PortCounter.DEVICE_BACK);
                LOG.info("{} queue {}: the interface is there again", port.name(), index);
            }
            catch (final PortException | SyscallException e)
            {
                if (isFirst)
                {
                    LOG.warn("{} (tried again every second)", e.getMessage());
                }
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
        CloseHelper.quietCloseAll(sender, receiver);
    }

    private void reopen()
    {
        final int interfaceIndex = port.reconfigure();
        sender.open(interfaceIndex, port.hasDoorbell() ? "flusher-" + index : null);
        try
        {
            if (isAttached)
            {
                receiver.open(interfaceIndex);
            }
        }
        catch (final PortException | SyscallException e)
        {
            sender.abandon();
            throw e;
        }
    }

    private void noticeLoss()
    {
        if (sender.isGone() && !isGone)
        {
            lost();
        }
    }

    private void lost()
    {
        isGone = true;
        counters.increment(PortCounter.DEVICE_GONE);
        sender.abandon();
        receiver.shut();
        LOG.warn("{} queue {}: the interface was deleted; its traffic is lost until it can be opened again",
            port.name(), index);
    }
}
