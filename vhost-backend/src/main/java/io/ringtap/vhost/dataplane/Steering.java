package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.vhost.control.ReceiveFilter;
import io.ringtap.vhost.control.RssTable;

/**
 * Sends frames that the port gave to one queue pair to the pair that the guest wants them on (RSS). A frame changes
 * pairs through the other one's inbox, where nobody waits: what a pair has no room for is lost, as it would be in a
 * card whose ring is full. A flow always takes the same way, so its order stays.
 */
final class Steering
{
    private final int pair;
    private final ReceiveFilter filter;
    private final RssTable rss;
    private final Inbox[] inboxes;
    private final CounterSet<WorkerCounter> counters;

    /**
     * @param filter  what does not pass it goes nowhere; null for none.
     * @param inboxes one a pair.
     */
    Steering(
        final int pair,
        final ReceiveFilter filter,
        final RssTable rss,
        final Inbox[] inboxes,
        final CounterSet<WorkerCounter> counters)
    {
        this.pair = pair;
        this.filter = filter;
        this.rss = rss;
        this.inboxes = inboxes;
        this.counters = counters;
    }

    /** Leaves in the ready list what is for this pair; @return how many frames left it. */
    int steer(final FrameBatch batch)
    {
        int kept = batch.sent();
        int steered = 0;
        int unwanted = 0;
        int lost = 0;
        for (int k = kept; k < batch.readyCount(); k++)
        {
            final int i = batch.ready(k);
            final boolean isWanted =
                null == filter || filter.accepts(batch.arena(), batch.offset(i), batch.linearLength(i));
            final int wanted = isWanted ? rss.pair(batch.arena(), batch.offset(i), batch.linearLength(i)) : pair;
            if (!isWanted)
            {
                unwanted++;
            }
            else if (wanted == pair)
            {
                batch.ready(kept++, i);
            }
            else if (inboxes[wanted].put(batch, i))
            {
                steered++;
            }
            else
            {
                lost++;
            }
        }
        batch.readyCount(kept);
        counters.add(WorkerCounter.STEERED, steered);
        counters.add(WorkerCounter.DROP_FILTERED, unwanted);
        counters.add(WorkerCounter.DROP_STEERED, lost);
        return steered + unwanted + lost;
    }
}
