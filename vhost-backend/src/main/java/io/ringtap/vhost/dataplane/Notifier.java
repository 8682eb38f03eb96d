package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import org.agrona.CloseHelper;

/** Notifies the driver of one ring by its call descriptor: at once, a little later, or when something else is done. */
final class Notifier implements AutoCloseable
{
    private final CounterSet<WorkerCounter> counters;
    private final NotificationPacer pacer = new NotificationPacer(NotificationPacer.GAP_NS);
    /** Null while nobody wants to be told. */
    private EventFd call;

    Notifier(final CounterSet<WorkerCounter> counters)
    {
        this.counters = counters;
    }

    /** Takes the descriptor; null for none. */
    void call(final Fd descriptor)
    {
        CloseHelper.close(call);
        call = descriptor == null ? null : EventFd.of(descriptor);
    }

    /** As it is, whatever was or was not published. */
    void signal()
    {
        if (call != null)
        {
            call.signal();
        }
    }

    /** @return whether there is somebody to notify, who wants it; counted when not. */
    private boolean isDue(final boolean isWanted)
    {
        final boolean isDue = isWanted && call != null;
        counters.add(WorkerCounter.NOT_NOTIFIED, isDue ? 0 : 1);
        return isDue;
    }

    /** Something was published. @param isWanted whether the driver wants to hear of it. */
    void now(final boolean isWanted, final long nowNs)
    {
        if (isDue(isWanted))
        {
            tell(nowNs);
        }
    }

    /** As {@link #now}, but soon after another one it waits for those that follow. */
    void paced(final boolean isWanted, final long nowNs)
    {
        if (isDue(isWanted))
        {
            if (pacer.want(nowNs))
            {
                tell(nowNs);
            }
            else
            {
                counters.increment(WorkerCounter.NOTIFY_DEFERRED);
            }
        }
    }

    /** As {@link #now}, but it waits for {@link #tellDeferred}, which has to follow soon. */
    void later(final boolean isWanted)
    {
        if (isDue(isWanted))
        {
            pacer.defer();
        }
    }

    /** One waits for {@link #tellIfDue} or {@link #tellDeferred}. */
    boolean hasDeferred()
    {
        return pacer.isDeferred();
    }

    void tellIfDue(final long nowNs)
    {
        if (pacer.isDue(nowNs))
        {
            tell(nowNs);
        }
    }

    /** Nothing follows any more, at least not soon. */
    void tellDeferred()
    {
        if (pacer.isDeferred())
        {
            tell(System.nanoTime());
        }
    }

    private void tell(final long nowNs)
    {
        pacer.told(nowNs);
        if (call != null)
        {
            call.signal();
            counters.increment(WorkerCounter.NOTIFIED);
        }
    }

    /** Neither ring runs: the descriptors change places. */
    void exchange(final Notifier other)
    {
        final EventFd ours = call;
        call = other.call;
        other.call = ours;
    }

    /** Any thread: whoever waits in a signal goes on. */
    void unblock()
    {
        EventFd.unblock(call);
    }

    @Override
    public void close()
    {
        tellDeferred();
        call(null);
    }
}
