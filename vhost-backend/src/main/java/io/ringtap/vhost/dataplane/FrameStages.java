package io.ringtap.vhost.dataplane;

import io.ringtap.capture.CaptureQueue;
import io.ringtap.counters.CounterSet;
import io.ringtap.flow.Coalescer;
import io.ringtap.flow.FlowSorter;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain;
import io.ringtap.xdp.XdpVerdict;

/**
 * What happens to a batch between its two ends, in this order: hooks, flow sort, coalescing. Every stage rewrites the
 * ready list and touches private bytes only.
 */
final class FrameStages
{
    private final HookChain guestHooks;
    private final HookChain hostHooks;
    private final FrameView guestView = new FrameView();
    private final FrameView hostView = new FrameView();
    private final FlowSorter sorter;
    private final Coalescer guestCoalescer;
    private final Coalescer hostCoalescer;
    private final ReflectQueue toGuest;
    private final ReflectQueue toPort;
    private final CounterSet<WorkerCounter> counters;
    private final int portOffloads;
    private int guestOffloads;
    /** Null while nobody records. */
    private CaptureQueue capture;

    FrameStages(
        final int queue,
        final WorkerSetup setup,
        final ReflectQueue toGuest,
        final ReflectQueue toPort,
        final CounterSet<WorkerCounter> counters)
    {
        guestHooks = setup.guestHooks();
        hostHooks = setup.hostHooks();
        sorter = setup.flowSort() ? new FlowSorter(QueuePairWorker.BATCH) : null;
        guestCoalescer = coalescer(setup);
        hostCoalescer = coalescer(setup);
        portOffloads = setup.port().transmitOffloads();
        this.toGuest = toGuest;
        this.toPort = toPort;
        this.counters = counters;
        guestView.wrap(setup.arena(), FrameView.FROM_GUEST, queue);
        hostView.wrap(setup.arena(), FrameView.TO_GUEST, queue);
    }

    /** What the guest can take. */
    void negotiated(final int offloads)
    {
        guestOffloads = offloads;
    }

    /** Where frames are recorded from now on; null for nowhere. */
    void capture(final CaptureQueue queue)
    {
        capture = queue;
    }

    /** Whether something looks at frames from the guest, and may make them longer. */
    boolean hasGuestHooks()
    {
        return !guestHooks.isEmpty();
    }

    /** Frames on their way to the port. */
    void fromGuest(final FrameBatch batch)
    {
        final CaptureQueue recorded = capture;
        if (recorded != null)
        {
            recorded.add(batch, FrameView.FROM_GUEST);
        }
        if (!guestHooks.isEmpty())
        {
            judge(batch, guestHooks, guestView, toGuest);
        }
        if (recorded != null)
        {
            recorded.commit();
        }
        arrange(batch, guestCoalescer, portOffloads, WorkerCounter.GUEST_MERGED);
    }

    /** Frames on their way to the guest. */
    void toGuest(final FrameBatch batch)
    {
        final CaptureQueue recorded = capture;
        if (recorded != null)
        {
            recorded.add(batch, FrameView.TO_GUEST);
        }
        if (!hostHooks.isEmpty())
        {
            judge(batch, hostHooks, hostView, toPort);
        }
        if (recorded != null)
        {
            recorded.commit();
        }
        arrange(batch, hostCoalescer, guestOffloads, WorkerCounter.HOST_MERGED);
    }

    private static Coalescer coalescer(final WorkerSetup setup)
    {
        return setup.coalesce() == null ? null : new Coalescer(setup.fragments(), setup.coalesce());
    }

    private void arrange(
        final FrameBatch batch, final Coalescer coalescer, final int offloads, final WorkerCounter merged)
    {
        if (batch.readyCount() < 2)
        {
            return;
        }
        if (sorter != null)
        {
            sorter.sort(batch);
        }
        if (coalescer != null && offloads != 0)
        {
            counters.add(merged, coalescer.coalesce(batch, offloads));
        }
    }

    private void judge(
        final FrameBatch batch, final HookChain hooks, final FrameView view, final ReflectQueue wayBack)
    {
        int kept = 0;
        for (int k = 0, n = batch.readyCount(); k < n; k++)
        {
            final int i = batch.ready(k);
            final int slot = batch.slot(i);
            view.frame(slot + FrameLayout.NET_HEADER, batch.slotEnd(i), batch.offset(i), batch.linearLength(i),
                batch.length(i));
            // The net header lies where a hook may grow the frame to, so it is kept aside meanwhile.
            final long firstEight = batch.arena().getLong(batch.netHeader(i));
            final int lastFour = batch.arena().getInt(batch.netHeader(i) + Long.BYTES);
            final int verdict = hooks.judge(view);
            if (view.offset() != batch.offset(i) || view.length() != batch.linearLength(i))
            {
                batch.linear(i, view.offset(), view.length());
            }
            batch.arena().putLong(batch.netHeader(i), firstEight);
            batch.arena().putInt(batch.netHeader(i) + Long.BYTES, lastFour);
            if (capture != null)
            {
                capture.verdict(i, verdict);
            }
            if (verdict == XdpVerdict.PASS)
            {
                batch.ready(kept++, i);
            }
            else if (verdict == XdpVerdict.TX)
            {
                wayBack.push(batch, i);
            }
            else
            {
                counters.increment(WorkerCounter.DROP_HOOK);
            }
        }
        batch.readyCount(kept);
    }
}
