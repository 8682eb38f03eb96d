package io.ringtap.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a backend had counted at a moment.
 *
 * @param atNs  when, on a clock of ours.
 * @param ports in the backend's order.
 */
record Snapshot(long atNs, List<Port> ports)
{
    /** Whatever a backend answers, a view has no more rows than that. */
    private static final int MAX_PORTS = 256;
    private static final int MAX_QUEUES = 64;
    private static final int MAX_BUCKETS = 62;
    private static final String COUNTERS = "counters";

    /**
     * A port.
     *
     * @param name        what commands call it.
     * @param device      its interface.
     * @param isConnected whether a guest is there.
     * @param link        up, down, or taken down.
     * @param mtu         of the interface.
     * @param pages       that frames are cut from.
     * @param pagesUsed   of these.
     * @param queues      its queue pairs.
     */
    record Port(
        String name, String device, boolean isConnected, String link, long mtu, long pages, long pagesUsed,
        List<Queue> queues)
    {
    }

    /**
     * A queue pair.
     *
     * @param fromGuest one direction.
     * @param toGuest   the other.
     * @param worker    the worker's counters of both.
     */
    record Queue(Side fromGuest, Side toGuest, Map<String, Long> worker)
    {
        private static final Queue NONE = new Queue(Side.NONE, Side.NONE, Map.of());
    }

    /** From the answers to {@code port.show} and {@code stats}; what they lack is taken for 0. */
    static Snapshot of(final long atNs, final Map<String, Object> shown, final Map<String, Object> stats)
    {
        final List<Port> ports = new ArrayList<>();
        for (final Object each : list(shown.get("ports")))
        {
            final Map<?, ?> port = map(each);
            final String name = String.valueOf(port.get("port"));
            if (ports.size() < MAX_PORTS)
            {
                ports.add(new Port(name, String.valueOf(port.get("interface")),
                    Boolean.TRUE.equals(port.get("connected")), String.valueOf(port.get("link")),
                    number(port.get("mtu")), number(port.get("pages")), number(port.get("pagesUsed")),
                    queues(list(map(stats.get("ports")).get(name)))));
            }
        }
        return new Snapshot(atNs, ports);
    }

    private static List<Queue> queues(final List<?> sets)
    {
        final List<Queue> queues = new ArrayList<>();
        Map<String, Long> toGuestRing = Map.of();
        Map<String, Long> fromGuestRing = Map.of();
        Map<?, ?> worker = Map.of();
        for (final Object each : sets)
        {
            final Map<?, ?> set = map(each);
            switch (String.valueOf(set.get("kind")))
            {
                case "worker" ->
                {
                    worker = set;
                    toGuestRing = null;
                }
                case "ring" ->
                {
                    // The receive ring comes first.
                    fromGuestRing = counters(set);
                    toGuestRing = null == toGuestRing ? fromGuestRing : toGuestRing;
                }
                case "port" ->
                {
                    if (queues.size() < MAX_QUEUES)
                    {
                        queues.add(queue(worker, counters(set), fromGuestRing, toGuestRing));
                    }
                }
                default ->
                {
                    // The session's counters are no queue's.
                }
            }
        }
        return queues;
    }

    private static Queue queue(
        final Map<?, ?> worker,
        final Map<String, Long> port,
        final Map<String, Long> fromGuestRing,
        final Map<String, Long> toGuestRing)
    {
        final Map<?, ?> directions = map(worker.get("directions"));
        final Map<String, Long> sent = new HashMap<>();
        final Map<String, Long> received = new HashMap<>();
        port.forEach((label, value) -> (label.startsWith("rx_") ? received : sent).put(label, value));
        return new Queue(
            side(map(directions.get("guest")), sent, fromGuestRing),
            side(map(directions.get("host")), received, null == toGuestRing ? Map.of() : toGuestRing),
            counters(worker));
    }

    private static Side side(final Map<?, ?> direction, final Map<String, Long> port, final Map<String, Long> ring)
    {
        return new Side(counters(direction), port, ring,
            distribution(map(direction.get("batchFrames"))), distribution(map(direction.get("latencyUs"))));
    }

    private static Distribution distribution(final Map<?, ?> histogram)
    {
        final List<Long> counts = new ArrayList<>();
        for (final Object count : list(histogram.get("buckets")))
        {
            if (counts.size() < MAX_BUCKETS)
            {
                counts.add(number(count));
            }
        }
        return new Distribution(counts, number(histogram.get("sum")));
    }

    private static Map<String, Long> counters(final Map<?, ?> set)
    {
        final Map<String, Long> counters = new HashMap<>();
        map(set.get(COUNTERS)).forEach((label, value) -> counters.put(String.valueOf(label), number(value)));
        return counters;
    }

    /** The queue of an earlier moment; one without counters when there was none. */
    Queue queue(final String port, final int index)
    {
        for (final Port each : ports)
        {
            if (each.name().equals(port) && index < each.queues().size())
            {
                return each.queues().get(index);
            }
        }
        return Queue.NONE;
    }

    private static Map<?, ?> map(final Object value)
    {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(final Object value)
    {
        return value instanceof List<?> list ? list : List.of();
    }

    private static long number(final Object value)
    {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
