package io.ringtap.vhost.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.ringtap.capture.Capture;
import io.ringtap.counters.CounterSet;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.ops.Nic;
import io.ringtap.vhost.session.SessionCounter;
import io.ringtap.vhost.virtio.RingCounter;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain.HookCount;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One NIC as metrics: its port, session, workers, rings, hooks and recording. Reads memory that others write. */
final class NicMetrics
{
    private static final String PORT = "port";
    private static final double BITS = 8;

    private final Exposition to;
    private final Nic nic;
    private final Labels of;

    NicMetrics(final Exposition to, final Nic nic)
    {
        this.to = to;
        this.nic = nic;
        of = Labels.of(PORT, nic.name());
    }

    void add()
    {
        states();
        session();
        for (int i = 0; i < nic.workers().size(); i++)
        {
            final QueuePairWorker worker = nic.workers().get(i);
            final Labels queue = WorkerMetrics.with(of, "queue", Integer.toString(i));
            WorkerMetrics.add(to, queue, worker.counted());
            PortMetrics.add(to, queue, nic.port().queue(i).counters());
            ring(WorkerMetrics.with(queue, "direction", WorkerMetrics.TO_GUEST), worker.ringCounters().get(0));
            ring(WorkerMetrics.with(queue, "direction", WorkerMetrics.FROM_GUEST), worker.ringCounters().get(1));
            hooks(WorkerMetrics.with(queue, "direction", WorkerMetrics.FROM_GUEST), i, FrameView.FROM_GUEST);
            hooks(WorkerMetrics.with(queue, "direction", WorkerMetrics.TO_GUEST), i, FrameView.TO_GUEST);
        }
    }

    /** Also of one that there is nothing else to tell of. */
    static void addServing(final Exposition to, final String name, final boolean isServing)
    {
        to.gauge("ringtap_port_serving", "1 while a port serves, 0 while it failed and is tried again.",
            Labels.of(PORT, name), isServing ? 1 : 0);
    }

    private void states()
    {
        addServing(to, nic.name(), true);
        to.info("ringtap_port", "What a port is connected to.",
            WorkerMetrics.with(of, "interface", nic.port().name()));
        to.gauge("ringtap_port_queue_pairs", "Queue pairs, each with a worker.", of, nic.workers().size());
        to.gauge("ringtap_port_mtu_bytes", "MTU of the port.", of, mtu());
        to.gauge("ringtap_port_link_up", "1 while the port has a carrier.", of, nic.link().isUp() ? 1 : 0);
        to.gauge("ringtap_port_connected", "1 while a front-end is connected.", of,
            nic.session().isConnected() ? 1 : 0);
        final String pages = "Pages of 32 KiB that fragments for frames are cut from.";
        to.gauge("ringtap_fragment_pages", pages, WorkerMetrics.with(of, "state", "free"), nic.arena().freePages());
        to.gauge("ringtap_fragment_pages", pages, WorkerMetrics.with(of, "state", "used"),
            nic.arena().pages() - nic.arena().freePages());
        to.counter("ringtap_fragment_pages_taken", "Pages taken for fragments so far.", of, nic.arena().pagesTaken());
        to.counter("ringtap_fragment_registrations", "Times somebody had to be told where fragments lie.", of,
            nic.arena().registrations());
        final String rate = "Bytes a second that frames may have; 0 for no limit.";
        to.gauge("ringtap_port_rate_limit_bytes", rate, WorkerMetrics.with(of, "direction", WorkerMetrics.FROM_GUEST),
            nic.rates().fromGuest().bitsPerSecond() / BITS);
        to.gauge("ringtap_port_rate_limit_bytes", rate, WorkerMetrics.with(of, "direction", WorkerMetrics.TO_GUEST),
            nic.rates().toGuest().bitsPerSecond() / BITS);
        final Capture capture = nic.capture().running();
        final String recording = "1 while frames are recorded.";
        to.gauge("ringtap_capture_running", recording, of, null != capture && null == capture.failure() ? 1 : 0);
        to.counter("ringtap_capture_frames", "Frames of the recording that runs.", of,
            null == capture ? 0 : capture.frames());
        to.counter("ringtap_capture_missed_frames", "Frames that this recording missed.", of,
            null == capture ? 0 : capture.missed());
    }

    /** A port that is going away has none. */
    private double mtu()
    {
        try
        {
            return nic.port().mtu();
        }
        catch (final RuntimeException gone)
        {
            return Double.NaN;
        }
    }

    private void session()
    {
        final CounterSet<SessionCounter> counters = nic.session().counters();
        for (final SessionCounter counter : SessionCounter.values())
        {
            final String name = SessionCounter.SESSIONS == counter ? "connects" :
                counter.name().toLowerCase(Locale.ROOT);
            to.counter("ringtap_session_" + name, counter.meaning(), of, counters.get(counter));
        }
    }

    private void ring(final Labels labels, final CounterSet<RingCounter> counters)
    {
        for (final RingCounter counter : RingCounter.values())
        {
            final String name = counter.name().toLowerCase(Locale.ROOT);
            final long value = counters.get(counter);
            if (counter.isFault())
            {
                to.counter("ringtap_ring_faults", "What drivers did wrong or oddly, by the rule they broke.",
                    WorkerMetrics.with(labels, "reason", name), value);
            }
            else
            {
                to.counter("ringtap_ring_" + name, "Ring: " + counter.meaning() + ".", labels, value);
            }
        }
    }

    /** Hooks of one name are told apart by their places. */
    private void hooks(final Labels labels, final int queue, final int direction)
    {
        final List<HookCount> counts = nic.hooks().chain(direction, queue).counts();
        final Map<String, Integer> seen = new HashMap<>();
        for (final HookCount count : counts)
        {
            final int times = seen.merge(count.name(), 1, Integer::sum);
            final Labels hook = WorkerMetrics.with(
                labels, "hook", 1 == times ? count.name() : count.name() + "#" + times);
            verdict(hook, "pass", count.passed());
            verdict(hook, "drop", count.dropped());
            verdict(hook, "tx", count.sentBack());
            verdict(hook, "redirect", count.redirected());
            verdict(hook, "aborted", count.aborted());
        }
    }

    private void verdict(final Labels hook, final String verdict, final long value)
    {
        to.counter("ringtap_hook_verdicts", "Verdicts of each hook and program.",
            WorkerMetrics.with(hook, "verdict", verdict), value);
    }
}
