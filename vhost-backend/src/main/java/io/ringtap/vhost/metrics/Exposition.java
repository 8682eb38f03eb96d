package io.ringtap.vhost.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import io.ringtap.counters.Histogram;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one scrape gets: families by their names, each with the points of all ports and queues. */
final class Exposition
{
    private static final Unit SECONDS = Unit.SECONDS;
    private static final Unit BYTES = Unit.BYTES;

    private final Map<String, CounterSnapshot.Builder> counters = new TreeMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new TreeMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new TreeMap<>();
    private final Map<String, InfoSnapshot.Builder> infos = new TreeMap<>();

    /** @param name without its {@code _total}. */
    void counter(final String name, final String help, final Labels labels, final double value)
    {
        counters.computeIfAbsent(name, (key) ->
            {
                final CounterSnapshot.Builder family = CounterSnapshot.builder().name(key).help(help);
                return null == unit(key) ? family : family.unit(unit(key));
            })
            .dataPoint(CounterDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    void gauge(final String name, final String help, final Labels labels, final double value)
    {
        gauges.computeIfAbsent(name, (key) ->
            {
                final GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(key).help(help);
                return null == unit(key) ? family : family.unit(unit(key));
            })
            .dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    /** A constant 1 whose labels tell. */
    void info(final String name, final String help, final Labels labels)
    {
        infos.computeIfAbsent(name, (key) -> InfoSnapshot.builder().name(key).help(help))
            .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder().labels(labels).build());
    }

    /** @param scale what one of the histogram's values is in the unit of the name. */
    void histogram(
        final String name, final String help, final Labels labels, final Histogram values, final double scale)
    {
        final List<Double> bounds = new ArrayList<>();
        final List<Long> counts = new ArrayList<>();
        for (int i = 0; i < values.buckets(); i++)
        {
            final long bound = values.bound(i);
            bounds.add(Long.MAX_VALUE == bound ? Double.POSITIVE_INFINITY : bound * scale);
            counts.add(values.count(i));
        }
        histograms.computeIfAbsent(name, (key) ->
            {
                final HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(key).help(help);
                return null == unit(key) ? family : family.unit(unit(key));
            })
            .dataPoint(HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
                .sum(values.sum() * scale)
                .build());
    }

    MetricSnapshots snapshots()
    {
        final List<MetricSnapshot> all = new ArrayList<>();
        infos.values().forEach((family) -> all.add(family.build()));
        gauges.values().forEach((family) -> all.add(family.build()));
        counters.values().forEach((family) -> all.add(family.build()));
        histograms.values().forEach((family) -> all.add(family.build()));
        return new MetricSnapshots(all);
    }

    /** What a name ends in; null for a plain number. */
    private static Unit unit(final String name)
    {
        return name.endsWith("_bytes") ? BYTES : name.endsWith("_seconds") ? SECONDS : null;
    }
}
