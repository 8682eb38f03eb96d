package io.ringtap.vhost.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.ringtap.vhost.dataplane.DirectionCounters;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.dataplane.WorkerCounters;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** A worker's counters and histograms as metrics. */
final class WorkerMetrics
{
    static final String FROM_GUEST = "from_guest";
    static final String TO_GUEST = "to_guest";
    /** Lost frames of worker and port are one family. */
    static final String DROPPED = "ringtap_dropped_frames";
    static final String DROPPED_HELP = "Frames lost, by reason; those that begin with port_ were lost by the port.";
    static final String CALLS = "ringtap_system_calls";
    static final String CALLS_HELP = "System calls made on the way of frames, by purpose.";

    private static final String DROP = "DROP_";
    private static final double MICROSECOND = 1e-6;
    private static final double NANOSECOND = 1e-9;

    /**
     * What a counter is called.
     *
     * @param family    without prefix.
     * @param direction the one it belongs to; null when both directions count it.
     * @param label     a label of its own and its value; null for none.
     */
    private record Row(String family, String help, String direction, String label, String value)
    {
    }

    private static final Map<WorkerCounter, Row> ROWS = new EnumMap<>(WorkerCounter.class);

    static
    {
        final String frames = "Frames between the guest's rings and the worker.";
        row(WorkerCounter.GUEST_FRAMES, "frames", frames, FROM_GUEST);
        row(WorkerCounter.HOST_FRAMES, "frames", frames, TO_GUEST);
        final String bytes = "Bytes of these frames, without net headers.";
        row(WorkerCounter.GUEST_BYTES, "frame_bytes", bytes, FROM_GUEST);
        row(WorkerCounter.HOST_BYTES, "frame_bytes", bytes, TO_GUEST);
        final String batches = "Batches of frames.";
        row(WorkerCounter.GUEST_BATCHES, "batches", batches, FROM_GUEST);
        row(WorkerCounter.HOST_BATCHES, "batches", batches, TO_GUEST);
        final String merged = "Frames that went on inside the super-frame of the first of their run.";
        row(WorkerCounter.GUEST_MERGED, "merged_frames", merged, FROM_GUEST);
        row(WorkerCounter.HOST_MERGED, "merged_frames", merged, TO_GUEST);
        final String path = "Guest frames by their way: small ones are copied whole, of others the rest is sent from " +
            "guest memory (scatter).";
        ROWS.put(WorkerCounter.SMALL_PATH, new Row("path_frames", path, FROM_GUEST, "path", "small"));
        ROWS.put(WorkerCounter.SCATTER_PATH, new Row("path_frames", path, FROM_GUEST, "path", "scatter"));
        labelled("notifications", "Publications by whether the driver was notified: sent, deferred by microseconds " +
            "to be one with the next, or suppressed because the driver wanted none.", "result", Map.of(
            WorkerCounter.NOTIFIED, "sent", WorkerCounter.NOTIFY_DEFERRED, "deferred",
            WorkerCounter.NOT_NOTIFIED, "suppressed"));
        labelled("hook_frames", "Frames judged by hooks and programs, by the verdict that counted.", "verdict", Map.of(
            WorkerCounter.HOOK_PASSED, "pass", WorkerCounter.HOOK_REDIRECTED, "redirect",
            WorkerCounter.REFLECTED, "tx"));
        labelled("hook_prepared_frames", "Frames made ready for hooks: checksums completed, super-frames cut, or " +
            "frames made whole.", "how", Map.of(
            WorkerCounter.HOOK_COMPLETED, "completed", WorkerCounter.HOOK_CUT, "cut",
            WorkerCounter.HOOK_WHOLE, "whole"));
        labelled("stalls", "Times frames had to wait: no page fragment was free, the guest had no receive buffers, " +
            "the port was full, the rate limit was reached, or the rings rested after chains without frames.",
            "reason", Map.of(
            WorkerCounter.FRAGMENTS_EXHAUSTED, "no_fragment", WorkerCounter.RECEIVE_STARVED, "no_guest_buffer",
            WorkerCounter.PORT_HELD_BACK, "port_full", WorkerCounter.RATE_LIMITED, "rate_limit",
            WorkerCounter.RESTED, "rest"));
    }

    private WorkerMetrics()
    {
    }

    private static void row(
        final WorkerCounter counter, final String family, final String help, final String direction)
    {
        ROWS.put(counter, new Row(family, help, direction, null, null));
    }

    private static void labelled(
        final String family, final String help, final String label, final Map<WorkerCounter, String> values)
    {
        values.forEach((counter, value) -> ROWS.put(counter, new Row(family, help, null, label, value)));
    }

    static void add(final Exposition to, final Labels of, final WorkerCounters worker)
    {
        direction(to, with(of, "direction", FROM_GUEST), worker.fromGuest());
        direction(to, with(of, "direction", TO_GUEST), worker.toGuest());
        for (final WorkerCounter counter : WorkerCounter.values())
        {
            final Row row = ROWS.get(counter);
            final long value = worker.all().get(counter);
            if (null != row && null != row.direction)
            {
                final Labels labels = with(of, "direction", row.direction);
                to.counter("ringtap_" + row.family, row.help,
                    null == row.label ? labels : with(labels, row.label, row.value), value);
            }
            else if (WorkerCounter.THREAD_NS == counter)
            {
                to.counter("ringtap_worker_thread_seconds", "Worker: time on a thread that several NICs share.", of,
                    value * NANOSECOND);
            }
            else if (null == row && !isDrop(counter))
            {
                to.counter("ringtap_worker_" + counter.name().toLowerCase(Locale.ROOT),
                    "Worker: " + counter.meaning() + ".", of, value);
            }
        }
        to.counter(CALLS, CALLS_HELP, with(of, "purpose", "notify"), worker.all().get(WorkerCounter.NOTIFIED));
        to.counter(CALLS, CALLS_HELP, with(of, "purpose", "sleep"), worker.all().get(WorkerCounter.PARKED));
    }

    private static void direction(final Exposition to, final Labels of, final DirectionCounters side)
    {
        for (final WorkerCounter counter : WorkerCounter.values())
        {
            final Row row = ROWS.get(counter);
            final long value = side.counters().get(counter);
            if (isDrop(counter))
            {
                to.counter(DROPPED, DROPPED_HELP, with(of, "reason",
                    counter.name().substring(DROP.length()).toLowerCase(Locale.ROOT)), value);
            }
            else if (null != row && null == row.direction)
            {
                to.counter("ringtap_" + row.family, row.help, with(of, row.label, row.value), value);
            }
        }
        verdict(to, of, side, WorkerCounter.DROP_HOOK, "drop");
        verdict(to, of, side, WorkerCounter.DROP_ABORTED, "aborted");
        to.histogram("ringtap_batch_frames", "Frames of a batch.", of, side.batches(), 1);
        to.histogram("ringtap_frame_latency_seconds", "Time of a frame from its arrival in a batch until the batch " +
            "is done: sent to the host, or written into the guest's ring.", of, side.times(), MICROSECOND);
    }

    /** What is a drop is a verdict too. */
    private static void verdict(
        final Exposition to,
        final Labels of,
        final DirectionCounters side,
        final WorkerCounter counter,
        final String verdict)
    {
        final Row row = ROWS.get(WorkerCounter.HOOK_PASSED);
        to.counter("ringtap_" + row.family, row.help, with(of, row.label, verdict), side.counters().get(counter));
    }

    private static boolean isDrop(final WorkerCounter counter)
    {
        return counter.name().startsWith(DROP);
    }

    static Labels with(final Labels labels, final String name, final String value)
    {
        return labels.merge(Labels.of(name, value));
    }
}
