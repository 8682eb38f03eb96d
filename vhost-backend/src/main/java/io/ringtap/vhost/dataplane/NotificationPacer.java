package io.ringtap.vhost.dataplane;

import java.util.concurrent.TimeUnit;

/**
 * Keeps a driver's notifications apart while frames come thick and fast, since each of them interrupts the guest. The
 * first one after a pause goes at once, so that a lone frame never waits; one that is wanted sooner after another than
 * the gap waits for the rest of the gap, and stands for all that are wanted meanwhile.
 */
final class NotificationPacer
{
    /** Least time between two notifications of a busy receive ring; less than what a guest's interrupt costs it. */
    static final long GAP_NS = TimeUnit.MICROSECONDS.toNanos(Integer.getInteger("ringtap.tuning.notify-gap-us", 25));

    private final long gapNs;
    private long lastNs;
    private boolean hasLast;
    private boolean isDeferred;

    /** @param gapNs least time between two notifications; 0 lets all of them go at once. */
    NotificationPacer(final long gapNs)
    {
        this.gapNs = gapNs;
    }

    /** A notification is wanted. @return whether it goes now; else it is deferred. */
    boolean want(final long nowNs)
    {
        isDeferred = hasLast && nowNs - lastNs < gapNs;
        return !isDeferred;
    }

    /** One is wanted, but there is something more urgent to do first. */
    void defer()
    {
        isDeferred = true;
    }

    /** Whether one that was deferred has waited long enough. */
    boolean isDue(final long nowNs)
    {
        return isDeferred && nowNs - lastNs >= gapNs;
    }

    boolean isDeferred()
    {
        return isDeferred;
    }

    /** The driver was notified: of everything so far. */
    void told(final long nowNs)
    {
        lastNs = nowNs;
        hasLast = true;
        isDeferred = false;
    }
}
