package io.ringtap.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A backend that was made up: traffic that rises and falls by the same formula in each run. */
final class Traffic
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int[] BATCH_SHARES = {2, 1, 1, 2, 3, 6, 30, 4, 9, 0};
    private static final int[] TIME_SHARES =
        {0, 0, 3, 14, 40, 61, 33, 12, 6, 3, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0};

    /** Eleven counters, then a sum and the buckets of each distribution. */
    private static final int SLOTS = 11 + 1 + BATCH_SHARES.length + 1 + TIME_SHARES.length;

    private final List<String> ports;
    private final int queues;
    private final boolean hasLosses;
    private final Map<String, long[]> counted = new HashMap<>();
    private int second;

    Traffic(final List<String> ports, final int queues, final boolean hasLosses)
    {
        this.ports = ports;
        this.queues = queues;
        this.hasLosses = hasLosses;
    }

    /** What is seen after so many seconds. */
    static Reading reading(final List<String> ports, final int queues, final boolean hasLosses, final int seconds)
    {
        final Traffic traffic = new Traffic(ports, queues, hasLosses);
        final Reading reading = new Reading();
        for (int i = 0; i <= seconds; i++)
        {
            reading.take(traffic.next());
        }
        return reading;
    }

    Snapshot next()
    {
        final List<Snapshot.Port> all = new ArrayList<>();
        for (int p = 0; p < ports.size(); p++)
        {
            final List<Snapshot.Queue> pairs = new ArrayList<>();
            for (int q = 0; q < queues; q++)
            {
                pairs.add(new Snapshot.Queue(side(p, q, false), side(p, q, true), Map.of()));
            }
            final boolean isThere = p % 3 != 2;
            all.add(new Snapshot.Port(ports.get(p), 1 == ports.size() ? ports.get(p) : "tap" + p, isThere,
                isThere ? "up" : "down", 1500, 96L * (queues + 1), 7L + 3L * p, pairs));
        }
        second++;
        return new Snapshot(second * SECOND_NS, all);
    }

    private Side side(final int port, final int queue, final boolean isToGuest)
    {
        final double wave = 0.55 + 0.45 * Math.sin(second * (0.11 + 0.013 * queue) + port + (isToGuest ? 2 : 0));
        final double base = isToGuest ? 118_000 : 812_000;
        final boolean isIdle = port % 3 == 2 || !isToGuest && queue == 5;
        final long frames = 0 == second || isIdle ? 0 : Math.round(base * wave / (1 + queue));
        final long bytes = frames * (isToGuest ? 1448 : 64);
        final long[] sums = counted.computeIfAbsent(port + "/" + queue + "/" + isToGuest, (key) -> new long[SLOTS]);
        final Map<String, Long> counters = new HashMap<>();
        counters.put(isToGuest ? "host-frames" : "guest-frames", sums[0] += frames);
        counters.put(isToGuest ? "host-bytes" : "guest-bytes", sums[1] += bytes);
        counters.put(isToGuest ? "host-merged" : "guest-merged", sums[2] += isToGuest ? 0 : frames * 9 / 10);
        counters.put("small-path", sums[3] += isToGuest ? 0 : frames);
        counters.put("notified", sums[4] += frames / (isToGuest ? 11 : 300));
        if (hasLosses)
        {
            counters.put(isToGuest ? "drop-too-big" : "drop-hook", sums[5] += frames / 60);
            counters.put("receive-starved", sums[6] += isToGuest ? frames / 900 : 0);
            counters.put("drop-net-header", sums[7] += isToGuest || 7 != second ? 0 : 3);
        }
        final Map<String, Long> ofPort = new HashMap<>();
        ofPort.put(isToGuest ? "rx_calls" : "tx_calls", sums[8] += frames / 55);
        ofPort.put(isToGuest ? "rx_dropped" : "tx_link_down", sums[9] += hasLosses && isToGuest ? frames / 5000 : 0);
        return new Side(counters, ofPort, Map.of("kicks", sums[10] += frames / 2000),
            spread(sums, 11, BATCH_SHARES, frames / 50, frames, isToGuest ? 2 : 0),
            spread(sums, 22, TIME_SHARES, frames, 23 * frames, isToGuest ? 3 : 0));
    }

    private static Distribution spread(
        final long[] sums, final int at, final int[] shares, final long count, final long sum, final int shift)
    {
        long all = 0;
        for (final int share : shares)
        {
            all += share;
        }
        final List<Long> counts = new ArrayList<>();
        sums[at] += sum;
        for (int k = 0; k < shares.length; k++)
        {
            sums[at + 1 + k] += count * shares[Math.min(shares.length - 1, k + shift)] / all;
            counts.add(sums[at + 1 + k]);
        }
        return new Distribution(counts, sums[at]);
    }
}
