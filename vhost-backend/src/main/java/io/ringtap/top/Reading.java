package io.ringtap.top;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The last interval of a backend: what a picture shows. */
final class Reading
{
    /** A line of the list of lost frames and waits. */
    record Loss(String reason, boolean isToGuest, boolean isWait, double perSecond, long total)
    {
    }

    /** Intervals that a trend remembers. */
    private static final int REMEMBERED = 200;
    private static final double NS_PER_SECOND = 1e9;

    private final Map<String, double[]> trends = new HashMap<>();
    private Snapshot last;
    private List<Row> rows = List.of();
    private double seconds;

    /** Takes the next moment; the first one makes no rates yet. */
    void take(final Snapshot next)
    {
        final Snapshot before = null == last ? next : last;
        seconds = (next.atNs() - before.atNs()) / NS_PER_SECOND;
        final List<Row> made = new ArrayList<>();
        final Set<String> kept = new HashSet<>();
        for (final Snapshot.Port port : next.ports())
        {
            for (int i = 0; i < port.queues().size(); i++)
            {
                final Snapshot.Queue now = port.queues().get(i);
                final Snapshot.Queue then = before.queue(port.name(), i);
                made.add(row(kept, port.name(), i, false, now.fromGuest().since(then.fromGuest())));
                made.add(row(kept, port.name(), i, true, now.toGuest().since(then.toGuest())));
            }
        }
        trends.keySet().retainAll(kept);
        rows = made;
        last = next;
    }

    boolean isEmpty()
    {
        return null == last;
    }

    List<Snapshot.Port> ports()
    {
        return null == last ? List.of() : last.ports();
    }

    /** @param isSummed one row for all queues of a port and direction. */
    List<Row> rows(final boolean isSummed)
    {
        if (!isSummed)
        {
            return rows;
        }
        final List<Row> summed = new ArrayList<>();
        for (final Snapshot.Port port : ports())
        {
            summed.add(total(port.name(), false));
            summed.add(total(port.name(), true));
        }
        return summed;
    }

    /** All queues of a port in one direction; of all ports when the name is null. */
    Row total(final String port, final boolean isToGuest)
    {
        Side sum = Side.NONE;
        double[] trend = new double[0];
        for (final Row row : rows)
        {
            if ((null == port || row.port().equals(port)) && row.isToGuest() == isToGuest)
            {
                sum = sum.plus(row.side());
                trend = sum(trend, row.trend());
            }
        }
        return new Row(port, Row.ALL, isToGuest, seconds, sum, trend);
    }

    /** What was lost or had to wait, the fastest first, then the most. */
    List<Loss> losses()
    {
        final List<Loss> losses = new ArrayList<>();
        for (final boolean isToGuest : new boolean[]{false, true})
        {
            final Side now = total(null, isToGuest).side();
            final Side all = everything(isToGuest);
            Row.losses(all).forEach((reason, total) -> losses.add(new Loss(reason, isToGuest, false,
                perSecond(Row.losses(now), reason), total)));
            Row.waits(all).forEach((reason, total) -> losses.add(new Loss(reason, isToGuest, true,
                perSecond(Row.waits(now), reason), total)));
        }
        losses.sort((one, other) -> one.isWait() != other.isWait() ? Boolean.compare(one.isWait(), other.isWait()) :
            one.perSecond() != other.perSecond() ? Double.compare(other.perSecond(), one.perSecond()) :
            Long.compare(other.total(), one.total()));
        return losses;
    }

    /** The backend's totals, whenever they were counted. */
    private Side everything(final boolean isToGuest)
    {
        Side sum = Side.NONE;
        for (final Snapshot.Port port : ports())
        {
            for (final Snapshot.Queue queue : port.queues())
            {
                sum = sum.plus(isToGuest ? queue.toGuest() : queue.fromGuest());
            }
        }
        return sum;
    }

    private double perSecond(final Map<String, Long> counts, final String reason)
    {
        return 0 < seconds ? counts.getOrDefault(reason, 0L) / seconds : 0;
    }

    private Row row(
        final Set<String> kept, final String port, final int queue, final boolean isToGuest, final Side side)
    {
        final String key = port + "/" + queue + "/" + isToGuest;
        kept.add(key);
        final Row row = new Row(port, queue, isToGuest, seconds, side, new double[0]);
        final double[] old = trends.getOrDefault(key, new double[0]);
        final double[] trend = 0 < seconds ? Arrays.copyOfRange(
            old, Math.max(0, old.length + 1 - REMEMBERED), old.length + 1) : old;
        if (0 < seconds)
        {
            trend[trend.length - 1] = row.packets();
        }
        trends.put(key, trend);
        return new Row(port, queue, isToGuest, seconds, side, trend);
    }

    /** The newest values are the last ones of both. */
    private static double[] sum(final double[] one, final double[] other)
    {
        final double[] longer = one.length >= other.length ? one.clone() : other.clone();
        final double[] shorter = one.length >= other.length ? other : one;
        for (int i = 1; i <= shorter.length; i++)
        {
            longer[longer.length - i] += shorter[shorter.length - i];
        }
        return longer;
    }
}
