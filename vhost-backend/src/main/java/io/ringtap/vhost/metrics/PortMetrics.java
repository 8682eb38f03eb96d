package io.ringtap.vhost.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.ringtap.counters.CounterSet;
import io.ringtap.port.PortCounter;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The counters of a port's queue as metrics. */
final class PortMetrics
{
    private static final Set<PortCounter> LOST = EnumSet.of(
        PortCounter.TX_REJECTED, PortCounter.TX_LINK_DOWN, PortCounter.TX_TOO_LONG, PortCounter.TX_RUNT,
        PortCounter.TX_FAULT, PortCounter.TX_NO_MEMORY, PortCounter.TX_FAILED, PortCounter.TX_GONE,
        PortCounter.RX_TRUNCATED, PortCounter.RX_RUNT, PortCounter.RX_DROPPED);

    private PortMetrics()
    {
    }

    static void add(final Exposition to, final Labels of, final CounterSet<PortCounter> counters)
    {
        for (final PortCounter counter : PortCounter.values())
        {
            final long value = counters.get(counter);
            final Labels directed = WorkerMetrics.with(of, "direction", direction(counter));
            switch (counter)
            {
                case TX_FRAMES, RX_FRAMES -> to.counter("ringtap_port_frames",
                    "Frames between the worker and the host; a super-frame is one.", directed, value);
                case TX_PACKETS -> to.counter("ringtap_port_packets",
                    "Packets handed to the host, each packet of a super-frame counted.", directed, value);
                case TX_BYTES, RX_BYTES -> to.counter("ringtap_port_bytes",
                    "Bytes between the worker and the host, without net headers.", directed, value);
                case TX_CALLS -> calls(to, of, "send", value);
                case RX_CALLS -> calls(to, of, "receive", value);
                case DOORBELL_FLUSHES -> calls(to, of, "flusher", value);
                default -> other(to, of, directed, counter, value);
            }
        }
    }

    private static void calls(final Exposition to, final Labels of, final String purpose, final long value)
    {
        to.counter(WorkerMetrics.CALLS, WorkerMetrics.CALLS_HELP, WorkerMetrics.with(of, "purpose", purpose), value);
    }

    private static void other(
        final Exposition to, final Labels of, final Labels directed, final PortCounter counter, final long value)
    {
        final String name = counter.name().toLowerCase(Locale.ROOT);
        if (LOST.contains(counter))
        {
            to.counter(WorkerMetrics.DROPPED, WorkerMetrics.DROPPED_HELP,
                WorkerMetrics.with(directed, "reason", "port_" + name.substring(name.indexOf('_') + 1)), value);
        }
        else
        {
            to.counter("ringtap_port_" + name, "Port: " + counter.meaning() + ".", of, value);
        }
    }

    private static String direction(final PortCounter counter)
    {
        return counter.name().startsWith("RX_") ? WorkerMetrics.TO_GUEST : WorkerMetrics.FROM_GUEST;
    }
}
