package io.ringtap;

import io.ringtap.vhost.dataplane.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks every two seconds whether the workers' cycles go round. One that stands still is freed from whatever descriptor
 * of a front-end it waits for; when that does not help, the log says so. Its thread lives while there is a worker.
 */
final class StallWatch
{
    /** Looks without a move after which a worker is freed. */
    static final int FREED_AFTER = 1;
    /** Looks without a move after which the log tells. */
    static final int TOLD_AFTER = 5;

    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);
    private static final long PERIOD_MS = 2_000;

    private final List<Entry> entries = new ArrayList<>();
    private Thread thread;

    /** One worker as it was seen last. */
    private static final class Entry
    {
        private final Watched watched;
        private final String owner;
        private long cycles = -1;
        private int looks;

        private Entry(final Watched watched, final String owner)
        {
            this.watched = watched;
            this.owner = owner;
        }
    }

    synchronized void add(final Watched watched, final String owner)
    {
        entries.add(new Entry(watched, owner));
        if (null == thread)
        {
            thread = new Thread(this::run, "ringtap/watch");
            thread.setDaemon(true);
            thread.start();
        }
    }

    synchronized void remove(final Watched watched)
    {
        entries.removeIf((each) -> each.watched == watched);
        if (entries.isEmpty())
        {
            notifyAll();
        }
    }

    /** One look at all of them. */
    synchronized void look()
    {
        for (final Entry each : entries)
        {
            final long now = each.watched.cycles();
            if (now != each.cycles || each.watched.isAsleep())
            {
                each.cycles = now;
                if (TOLD_AFTER <= each.looks)
                {
                    LOG.warn("{}/{} moves again", each.owner, each.watched.roleName());
                }
                each.looks = 0;
                continue;
            }
            each.looks++;
            if (FREED_AFTER <= each.looks)
            {
                each.watched.unblock();
            }
            if (TOLD_AFTER == each.looks)
            {
                LOG.error("{}/{} has stood still for {} s: its queues carry nothing", each.owner,
                    each.watched.roleName(), TimeUnit.MILLISECONDS.toSeconds(PERIOD_MS * TOLD_AFTER));
            }
        }
    }

    private synchronized void run()
    {
        while (!entries.isEmpty())
        {
            try
            {
                wait(PERIOD_MS);
            }
            catch (final InterruptedException ex)
            {
                break;
            }
            look();
        }
        thread = null;
    }
}
