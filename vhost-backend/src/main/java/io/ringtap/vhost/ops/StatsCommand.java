package io.ringtap.vhost.ops;

import io.ringtap.counters.CounterLabel;
import io.ringtap.counters.CounterSet;
import io.ringtap.vhost.dataplane.QueuePairWorker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every counter of the NICs: {@code stats}. */
final class StatsCommand implements ControlCommand
{
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
            final List<Object> sets = new ArrayList<>();
            for (final CounterSet<?> set : sets(nic))
            {
                sets.add(counters(set, meanings));
            }
            ports.put(nic.name(), sets);
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
    static List<CounterSet<?>> sets(final Nic nic)
    {
        final List<CounterSet<?>> sets = new ArrayList<>();
        sets.add(nic.session().counters());
        for (int i = 0; i < nic.workers().size(); i++)
        {
            final QueuePairWorker worker = nic.workers().get(i);
            sets.add(worker.counters());
            sets.addAll(worker.ringCounters());
            sets.add(nic.port().queue(i).counters());
        }
        return sets;
    }

    private static <E extends Enum<E> & CounterLabel> Map<String, Object> counters(
        final CounterSet<E> set, final Map<String, String> meanings)
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        for (final E counter : set.counters())
        {
            values.put(counter.label(), set.get(counter));
            meanings.put(counter.label(), counter.meaning());
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("scope", set.scope());
        result.put("counters", values);
        return result;
    }
}
