package io.ringtap.vhost.ops;

import io.ringtap.counters.CounterLabel;
import io.ringtap.counters.CounterSet;
import io.ringtap.counters.Histogram;
import io.ringtap.vhost.dataplane.DirectionCounters;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.RingCounter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every counter of the NICs: {@code stats}. */
final class StatsCommand implements ControlCommand
{
    private static final String QUEUE = "queue";
    private static final String DIRECTIONS = "directions";
    /** Frames by where they come from, as everywhere on the control socket. */
    private static final String GUEST = "guest";
    private static final String HOST = "host";

    private final NicDirectory nics;

    StatsCommand(final NicDirectory nics)
    {
        this.nics = nics;
    }

    @Override
    public Object run(final Request request)
    {
        final boolean withMeanings = request.flag("meanings");
        final Map<String, Object> ports = new LinkedHashMap<>();
        final Map<String, String> meanings = new LinkedHashMap<>();
        for (final Nic nic : nics.named(request))
        {
            ports.put(nic.name(), sets(nic, meanings));
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("ports", ports);
        if (withMeanings)
        {
            result.put("meanings", meanings);
        }
        return result;
    }

    /** The sets of a NIC: its session, and by queue pair those of worker, rings and port queue. */
    private static List<Object> sets(final Nic nic, final Map<String, String> meanings)
    {
        final List<Object> sets = new ArrayList<>();
        sets.add(counters(nic.session().counters(), "session", meanings));
        for (int i = 0; i < nic.workers().size(); i++)
        {
            final QueuePairWorker worker = nic.workers().get(i);
            final Map<String, Object> all = counters(worker.counters(), "worker", meanings);
            all.put(QUEUE, i);
            all.put(DIRECTIONS, Map.of(
                GUEST, direction(worker.counted().fromGuest()), HOST, direction(worker.counted().toGuest())));
            sets.add(all);
            for (final CounterSet<RingCounter> ring : worker.ringCounters())
            {
                final Map<String, Object> counters = counters(ring, "ring", meanings);
                counters.put(QUEUE, i);
                sets.add(counters);
            }
            final Map<String, Object> port = counters(nic.port().queue(i).counters(), "port", meanings);
            port.put(QUEUE, i);
            sets.add(port);
        }
        return sets;
    }

    private static Map<String, Object> direction(final DirectionCounters side)
    {
        final Map<String, Object> counters = new LinkedHashMap<>();
        for (final WorkerCounter counter : WorkerCounter.values())
        {
            final long value = side.counters().get(counter);
            if (0 != value)
            {
                counters.put(counter.label(), value);
            }
        }
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("counters", counters);
        shown.put("batchFrames", histogram(side.batches()));
        shown.put("latencyUs", histogram(side.times()));
        return shown;
    }

    /** By bucket; bucket k holds values up to 2 to the power of k, the last one what is greater. */
    private static Map<String, Object> histogram(final Histogram histogram)
    {
        final List<Object> counts = new ArrayList<>();
        for (int i = 0; i < histogram.buckets(); i++)
        {
            counts.add(histogram.count(i));
        }
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("sum", histogram.sum());
        shown.put("buckets", counts);
        return shown;
    }

    private static <E extends Enum<E> & CounterLabel> Map<String, Object> counters(
        final CounterSet<E> set, final String kind, final Map<String, String> meanings)
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        for (final E counter : set.counters())
        {
            values.put(counter.label(), set.get(counter));
            meanings.put(counter.label(), counter.meaning());
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("scope", set.scope());
        result.put("kind", kind);
        result.put("counters", values);
        return result;
    }
}
