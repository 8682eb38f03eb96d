package io.ringtap.vhost.dataplane;

import io.ringtap.capture.CaptureQueue;
import io.ringtap.counters.CounterSet;
import io.ringtap.flow.Coalescer;
import io.ringtap.flow.FlowSorter;
import io.ringtap.flow.FrameBatch;
import io.ringtap.frag.FragAllocator;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain;

/**
 * What happens to a batch between its two ends, in this order: hooks, flow sort, coalescing. Every stage rewrites the
 * ready list and touches private bytes only. What hooks cannot judge as it lies goes over into another batch first.
 */
final class FrameStages
{
    private final HookChain guestHooks;
    private final HookChain hostHooks;
    private final HookStage guestStage;
    private final HookStage hostStage;
    private final FrameUnroller guestUnroller;
    private final FrameUnroller hostUnroller;
    private final FlowSorter sorter;
    /** For long or unrolled batches; the table of the other is small enough for a first-level cache. */
    private final FlowSorter wideSorter;
    private final Coalescer guestCoalescer;
    private final Coalescer hostCoalescer;
    private final CounterSet<WorkerCounter> counters;
    private final int portOffloads;
    private final FragAllocator fragments;
    private int guestOffloads;
    private int guestFlows;
    private boolean mayLengthenGuestFrames;
    /** Null while no frames are followed. */
    private FrameTrace trace;
    /** Null while nobody records. */
    private CaptureQueue capture;

    FrameStages(
        final int queue,
        final WorkerSetup setup,
        final ReflectQueue toGuest,
        final ReflectQueue toPort,
        final WorkerCounters counted)
    {
        guestHooks = setup.guestHooks();
        hostHooks = setup.hostHooks();
        sorter = setup.flowSort() ? new FlowSorter(BatchSize.USUAL) : null;
        wideSorter = setup.flowSort() ? new FlowSorter(FrameUnroller.CAPACITY) : null;
        guestCoalescer = coalescer(setup);
        hostCoalescer = coalescer(setup);
        portOffloads = setup.port().transmitOffloads();
        fragments = setup.fragments();
        counters = counted.all();
        final CounterSet<WorkerCounter> fromGuest = counted.fromGuest().counters();
        final CounterSet<WorkerCounter> intoGuest = counted.toGuest().counters();
        guestStage = new HookStage(guestHooks, setup, queue, FrameView.FROM_GUEST, toGuest, fromGuest);
        hostStage = new HookStage(hostHooks, setup, queue, FrameView.TO_GUEST, toPort, intoGuest);
        guestUnroller = new FrameUnroller(setup, fromGuest);
        hostUnroller = new FrameUnroller(setup, intoGuest);
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

    /** What follows single frames from now on; null for nothing. */
    void trace(final FrameTrace follower)
    {
        trace = follower;
    }

    /** A batch is there, before any stage has seen it. */
    void begin(final int direction, final FrameBatch batch, final long takenNs)
    {
        if (trace != null)
        {
            trace.begin(direction, batch, takenNs);
        }
    }

    /** The other side has taken what the stages let go on. */
    void sent(final int direction)
    {
        if (trace != null)
        {
            trace.sent(direction);
        }
    }

    /** The batch is done with. */
    void done(final int direction)
    {
        if (trace != null)
        {
            trace.done(direction);
        }
    }

    /** Whether hooks may make frames from the guest longer, as of the last batch: a new program has less room once. */
    boolean mayLengthenGuestFrames()
    {
        return mayLengthenGuestFrames;
    }

    /**
     * Frames on their way to the port.
     *
     * @return where those are that go on: this batch, or another with as many of them as fit. Then the rest follows in
     * a next call, after {@link #recycle}.
     */
    FrameBatch fromGuest(final FrameBatch batch)
    {
        final FrameBatch judged = judge(batch, FrameView.FROM_GUEST, guestHooks, guestStage, guestUnroller);
        guestFlows = arrange(judged, guestCoalescer, portOffloads, WorkerCounter.GUEST_MERGED);
        if (trace != null)
        {
            trace.sorted(FrameView.FROM_GUEST, judged);
        }
        return judged;
    }

    /** Flows that the last {@link #fromGuest} found; 0 when nothing was sorted. */
    int guestFlows()
    {
        return guestFlows;
    }

    /** Frames on their way to the guest; otherwise as {@link #fromGuest}. */
    FrameBatch toGuest(final FrameBatch batch)
    {
        final FrameBatch judged = judge(batch, FrameView.TO_GUEST, hostHooks, hostStage, hostUnroller);
        arrange(judged, hostCoalescer, guestOffloads, WorkerCounter.HOST_MERGED);
        if (trace != null)
        {
            trace.sorted(FrameView.TO_GUEST, judged);
        }
        return judged;
    }

    /** The other batch is done with. */
    void recycle(final FrameBatch judged)
    {
        judged.release(fragments);
    }

    /** Lets go of what a failure left half done. */
    void forget(final int direction)
    {
        (FrameView.FROM_GUEST == direction ? guestUnroller : hostUnroller).forget();
    }

    private static Coalescer coalescer(final WorkerSetup setup)
    {
        return setup.coalesce() == null ? null : new Coalescer(setup.fragments(), setup.coalesce());
    }

    private int arrange(
        final FrameBatch batch, final Coalescer coalescer, final int offloads, final WorkerCounter merged)
    {
        if (batch.readyCount() < 2)
        {
            return 0;
        }
        final int flows = sorter == null ? 0 :
            (BatchSize.USUAL < batch.readyCount() ? wideSorter : sorter).sort(batch);
        if (coalescer != null && offloads != 0)
        {
            counters.add(merged, coalescer.coalesce(batch, offloads));
        }
        return flows;
    }

    private FrameBatch judge(
        final FrameBatch batch,
        final int direction,
        final HookChain hooks,
        final HookStage stage,
        final FrameUnroller unroller)
    {
        batch.forgetSent();
        final boolean hasHooks = hooks.begin();
        final boolean isChange = hasHooks && hooks.changesFrames();
        if (FrameView.FROM_GUEST == direction)
        {
            mayLengthenGuestFrames = isChange;
        }
        FrameBatch judged = batch;
        if ((isChange || hasHooks && hooks.needsWholeFrames()) && FrameUnroller.mustUnroll(batch, isChange))
        {
            judged = unroller.unroll(batch, isChange);
        }
        // Whoever records sees frames as they came, but cut where hooks see them cut.
        final CaptureQueue recorded = capture;
        if (recorded != null)
        {
            recorded.add(judged, direction);
        }
        if (isChange)
        {
            unroller.complete(judged);
        }
        if (hasHooks)
        {
            stage.judge(judged, recorded);
        }
        if (recorded != null)
        {
            recorded.commit();
        }
        if (trace != null)
        {
            trace.judged(direction, batch, judged);
        }
        return judged;
    }
}
