package io.ringtap.vhost.session;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.Iotlb;
import io.ringtap.vhost.protocol.IotlbFlyweight;

/**
 * The guest's IOMMU as the front-end tells of it: takes translations, takes them back, and asks for those that workers
 * miss, each once and without waiting for the answer.
 */
final class Translations implements AutoCloseable
{
    private final DataPlane dataPlane;
    private final SessionHost host;
    private final CounterSet<SessionCounter> counters;
    private final Iotlb iotlb;
    private final long[] miss = new long[3];
    private BackendChannel channel;
    private boolean isWatched;

    Translations(final SessionContext context, final SessionHost host)
    {
        this.dataPlane = context.dataPlane();
        this.host = host;
        this.counters = context.counters();
        iotlb = new Iotlb(host::wakeForMisses);
    }

    Iotlb iotlb()
    {
        return iotlb;
    }

    /** SET_BACKEND_REQ_FD, again or for the first time. */
    void channel(final BackendChannel replacement)
    {
        close();
        channel = replacement;
    }

    /** IOTLB_MSG. When this returns no worker uses what was taken back. */
    void onMessage(final GuestMemory memory, final IotlbFlyweight message)
    {
        switch (message.type())
        {
            case IotlbFlyweight.TYPE_UPDATE ->
            {
                final boolean hasChanged = iotlb.update(
                    memory, message.iova(), message.size(), message.frontendAddress(), message.permission());
                counters.increment(SessionCounter.IOTLB_UPDATES);
                dataPlane.translated(hasChanged);
            }
            case IotlbFlyweight.TYPE_INVALIDATE ->
            {
                iotlb.invalidate(message.iova(), message.size());
                counters.increment(SessionCounter.IOTLB_INVALIDATIONS);
                dataPlane.translated(true);
            }
            default -> throw new RefusedException(
                "IOTLB message of type " + message.type() + ", a front-end has 2 and 3");
        }
    }

    /** The device begins anew: what the guest took back since it stopped nobody has told. */
    void forget()
    {
        iotlb.forget();
        dataPlane.translated(true);
    }

    /** Asks for what workers have missed since the last time. */
    void ask(final boolean canAnswer)
    {
        while (iotlb.takeMiss(miss))
        {
            final long iova = miss[0];
            counters.increment(SessionCounter.IOTLB_MISSES);
            if (!isAsked(iova, (int)miss[1], miss[2], canAnswer))
            {
                refuse(miss[2]);
            }
        }
    }

    /** What carries our own messages; null while there is nothing. */
    BackendChannel channel()
    {
        return channel;
    }

    /** Answers are due on the channel. */
    void listen()
    {
        if (!isWatched)
        {
            host.watch(channel.number());
            isWatched = true;
        }
    }

    /** The channel has something to say. */
    void hear()
    {
        if (null != channel && !channel.receive())
        {
            close();
        }
    }

    @Override
    public void close()
    {
        if (null != channel)
        {
            if (isWatched)
            {
                host.unwatch(channel.number());
                isWatched = false;
            }

            channel.close();
            channel = null;
        }
    }

    private boolean isAsked(final long iova, final int permission, final long number, final boolean canAnswer)
    {
        if (null == channel)
        {
            return false;
        }

        try
        {
            if (canAnswer)
            {
                listen();
            }

            return channel.iotlbMiss(iova, permission, canAnswer ? isRefused -> onAnswer(number, isRefused) : null);
        }
        catch (final SyscallException ex)
        {
            // It may be any descriptor at all.
            close();
            return false;
        }
    }

    private void onAnswer(final long number, final boolean isRefused)
    {
        if (isRefused)
        {
            refuse(number);
        }
    }

    /** Whoever waits for the page goes on without: the chain that names it is malformed. */
    private void refuse(final long number)
    {
        iotlb.refuse(number);
        dataPlane.translated(false);
    }
}
