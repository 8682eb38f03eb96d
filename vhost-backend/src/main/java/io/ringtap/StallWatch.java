package io.ringtap;

import io.ringtap.vhost.dataplane.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks whether the workers' cycles go round, four times a second while one of them is awake, every two seconds else,
 * and at whatever else nothing tells of. A worker that stands still is freed from whatever descriptor of a front-end it
 * waits for; when that does not help, the log says so. Its thread lives while there is a worker.
 */
final class StallWatch
{
    /** Looks without a move after which a worker is freed. */
    static final int FREED_AFTER = 1;
    /** Time without a move after which the log tells. */
    static final long TOLD_AFTER_MS = 10_000;

    /** From look to look while all of them sleep. */
    static final long PERIOD_MS = 2_000;
    /** While one is awake: its thread may have others to serve, which wait as long as it does. */
    static final long BUSY_PERIOD_MS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);

    private final List<Entry> entries = new ArrayList<>();
    private final List<Runnable> looks = new ArrayList<>();
    private Thread thread;

    /** One worker as it was seen last. */
    private static final class Entry
    {
        private final Watched watched;
        private final String owner;
        private long cycles = -1;
        private int looks;
        private long stoodMs;

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

    /** Something else that is to be looked at while there is a worker; must not wait. */
    synchronized void addLook(final Runnable look)
    {
        looks.add(look);
    }

    synchronized void removeLook(final Runnable look)
    {
        looks.remove(look);
    }

    /**
     * One look at all of them.
     *
     * @param sinceMs time since the last one.
     * @return when the next one is due, in milliseconds.
     */
    synchronized long look(final long sinceMs)
    {
        looks.forEach(Runnable::run);
        boolean isAnyAwake = false;
        for (final Entry each : entries)
        {
            final long now = each.watched.cycles();
            final boolean isAsleep = each.watched.isAsleep();
            isAnyAwake |= !isAsleep;
            if (now != each.cycles || isAsleep)
            {
                each.cycles = now;
                moved(each);
            }
            else
            {
                stood(each, sinceMs);
            }
        }
        return isAnyAwake ? BUSY_PERIOD_MS : PERIOD_MS;
    }

    private static void moved(final Entry entry)
    {
        if (TOLD_AFTER_MS <= entry.stoodMs)
        {
            LOG.warn("{}/{} moves again", entry.owner, entry.watched.roleName());
        }
        entry.looks = 0;
        entry.stoodMs = 0;
    }

    private static void stood(final Entry entry, final long forMs)
    {
        final boolean wasTold = TOLD_AFTER_MS <= entry.stoodMs;
        entry.looks++;
        entry.stoodMs += forMs;
        if (FREED_AFTER <= entry.looks)
        {
            entry.watched.unblock();
        }
        if (!wasTold && TOLD_AFTER_MS <= entry.stoodMs)
        {
            LOG.error("{}/{} has stood still for {} s: its queues carry nothing", entry.owner,
                entry.watched.roleName(), TimeUnit.MILLISECONDS.toSeconds(TOLD_AFTER_MS));
        }
    }

    private synchronized void run()
    {
        long periodMs = PERIOD_MS;
        while (!entries.isEmpty())
        {
            try
            {
                wait(periodMs);
            }
            catch (final InterruptedException ex)
            {
                break;
            }
            periodMs = look(periodMs);
        }
        thread = null;
    }
}
