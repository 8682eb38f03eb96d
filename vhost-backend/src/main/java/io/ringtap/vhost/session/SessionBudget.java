package io.ringtap.vhost.session;

/**
 * How often front-ends may come: so many a second, and a second's worth at once after a pause. Setting a session up
 * and taking it down costs processor time that the neighbours pay, so a front-end that comes and goes without a pause
 * has to wait.
 */
final class SessionBudget
{
    private static final long NS_PER_S = 1_000_000_000L;

    private final long costNs;
    /** All that was saved up is spent when this is a second ahead of now. */
    private long spentUntilNs;

    /**
     * @param perSecond 1 to 1000, or 0 for no limit.
     * @param nowNs     when the burst is saved up in full.
     */
    SessionBudget(final int perSecond, final long nowNs)
    {
        costNs = 0 == perSecond ? 0 : NS_PER_S / perSecond;
        spentUntilNs = nowNs;
    }

    /** A front-end came. @return nanoseconds that the next one has to wait; 0 for none. */
    long spend(final long nowNs)
    {
        if (spentUntilNs - nowNs < 0)
        {
            spentUntilNs = nowNs;
        }
        spentUntilNs += costNs;
        return Math.max(0, spentUntilNs - nowNs + costNs - NS_PER_S);
    }
}
