package io.ringtap.vhost.dataplane;

/**
 * Shares a thread among NICs by time: whoever has had more of it than another one that wants it waits until that one
 * has caught up. A turn costs what it costs, a long walk through bad chains, a storm of messages or a call that waits;
 * so an attacker has its share and no more, as a well-behaved neighbour would. What nobody else wants is had for
 * nothing, and nothing is saved up while there is no work.
 * <p>
 * This is the virtual time of fair queueing, kept relative to the least. A reading of the clock a turn is all it costs,
 * and not even that for a NIC alone.
 */
final class FairTurns
{
    /** How far one may be ahead before it waits: some usual turns, so that two alike never do. */
    static final long LEAD_NS = 50_000;
    /** More is forgotten: what the session of a NIC asks of its workers waits for its turn too. */
    static final long MOST_AHEAD_NS = 1_000_000_000;

    private ThreadShare[] shares = {};
    private long sinceNs;

    /** A worker of the NIC comes. */
    ThreadShare join(final String nic)
    {
        for (final ThreadShare each : shares)
        {
            if (each.nic().equals(nic))
            {
                each.members(1);
                return each;
            }
        }
        final ThreadShare share = new ThreadShare(nic);
        share.members(1);
        final ThreadShare[] more = new ThreadShare[shares.length + 1];
        System.arraycopy(shares, 0, more, 0, shares.length);
        more[shares.length] = share;
        shares = more;
        return share;
    }

    /** A worker of the NIC goes. */
    void leave(final ThreadShare share)
    {
        if (0 < share.members(-1))
        {
            return;
        }
        final ThreadShare[] fewer = new ThreadShare[shares.length - 1];
        int i = 0;
        for (final ThreadShare each : shares)
        {
            if (each != share)
            {
                fewer[i++] = each;
            }
        }
        shares = fewer;
    }

    /** Whether there is anything to share. */
    boolean isShared()
    {
        return 1 < shares.length;
    }

    /** A round of turns begins. */
    void begin(final long nowNs)
    {
        sinceNs = nowNs;
    }

    /** Whether others come first in this round. */
    boolean mustWait(final ThreadShare share)
    {
        final boolean mustWait = share.aheadNs() > LEAD_NS;
        if (mustWait)
        {
            share.isWanting(true);
        }
        return mustWait;
    }

    /**
     * A turn is over.
     *
     * @param hadWork whether there was anything to do.
     * @return how long it took.
     */
    long took(final ThreadShare share, final long nowNs, final boolean hadWork)
    {
        final long tookNs = nowNs - sinceNs;
        sinceNs = nowNs;
        if (hadWork)
        {
            share.isWanting(true);
        }
        share.aheadNs(Math.min(MOST_AHEAD_NS, share.aheadNs() + tookNs));
        return tookNs;
    }

    /** The round is over: the one that wanted the thread and had least of it is where the others are measured from. */
    void end()
    {
        long leastNs = MOST_AHEAD_NS;
        for (final ThreadShare each : shares)
        {
            leastNs = each.isWanting() ? Math.min(leastNs, each.aheadNs()) : leastNs;
        }
        for (final ThreadShare each : shares)
        {
            each.aheadNs(Math.max(0, each.aheadNs() - leastNs));
            each.isWanting(false);
        }
    }
}
