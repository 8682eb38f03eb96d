package io.ringtap.top;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One direction of a queue, or of all queues of a port, during the last interval.
 *
 * @param port      its port's name.
 * @param queue     its number; {@link #ALL} for all of the port.
 * @param isToGuest its direction.
 * @param seconds   how long the interval was.
 * @param side      what was counted in it.
 * @param trend     frames a second of this interval and those before, the newest last.
 */
record Row(String port, int queue, boolean isToGuest, double seconds, Side side, double[] trend)
{
    static final int ALL = -1;

    /** Counters of a port's queue that tell of a lost frame. */
    private static final Set<String> LOST = Set.of("tx_rejected", "tx_link_down", "tx_too_long", "tx_runt", "tx_fault",
        "tx_no_memory", "tx_failed", "tx_gone", "rx_truncated", "rx_runt", "rx_dropped");
    private static final Set<String> WAITS = Set.of("fragments-exhausted", "receive-starved", "port-held-back",
        "rate-limited", "rested");
    private static final String DROP = "drop-";
    private static final double PERCENT = 100;
    private static final int BITS = 8;

    double packets()
    {
        return rate(frames());
    }

    double bytes()
    {
        return rate(side.count(isToGuest ? "host-bytes" : "guest-bytes"));
    }

    double bits()
    {
        return BITS * bytes();
    }

    double batch()
    {
        return side.batches().mean();
    }

    double calls()
    {
        final long all = side.ofPort(isToGuest ? "rx_calls" : "tx_calls") + side.count("notified");
        return 0 == frames() ? 0 : (double)all / frames();
    }

    double lost()
    {
        return rate(losses(side).values().stream().mapToLong(Long::longValue).sum());
    }

    double waits()
    {
        return rate(waits(side).values().stream().mapToLong(Long::longValue).sum());
    }

    /** Of the guest's frames those that were copied whole; only that direction has the choice. */
    double small()
    {
        return share(side.count("small-path"), side.count("small-path") + side.count("scatter-path"));
    }

    double merged()
    {
        return share(side.count(isToGuest ? "host-merged" : "guest-merged"), frames());
    }

    double notified()
    {
        return rate(side.count("notified"));
    }

    double kicks()
    {
        return rate(side.ring().getOrDefault("kicks", 0L));
    }

    double median()
    {
        return side.latencies().quantile(0.5);
    }

    double slowest()
    {
        return side.latencies().quantile(0.99);
    }

    /** Lost frames by reason, those that did not happen left out. */
    static Map<String, Long> losses(final Side side)
    {
        final Map<String, Long> losses = new TreeMap<>();
        side.counters().forEach((label, value) ->
        {
            if (label.startsWith(DROP) && 0 < value)
            {
                losses.put(label.substring(DROP.length()), value);
            }
        });
        side.port().forEach((label, value) ->
        {
            if (LOST.contains(label) && 0 < value)
            {
                losses.put("port " + label.substring(3).replace('_', '-'), value);
            }
        });
        return losses;
    }

    /** Times that frames had to wait, by reason. */
    static Map<String, Long> waits(final Side side)
    {
        final Map<String, Long> waits = new TreeMap<>();
        side.counters().forEach((label, value) ->
        {
            if (WAITS.contains(label) && 0 < value)
            {
                waits.put(label, value);
            }
        });
        return waits;
    }

    private long frames()
    {
        return side.count(isToGuest ? "host-frames" : "guest-frames");
    }

    private double rate(final long count)
    {
        return 0 < seconds ? count / seconds : 0;
    }

    private static double share(final long part, final long all)
    {
        return 0 == all ? 0 : PERCENT * part / all;
    }
}
