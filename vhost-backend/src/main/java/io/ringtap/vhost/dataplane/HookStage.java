package io.ringtap.vhost.dataplane;

import io.ringtap.capture.CaptureQueue;
import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.VnetHeader;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain;
import io.ringtap.xdp.XdpVerdict;

/**
 * Lets the hooks of one direction judge a batch and carries their verdicts out: what passes stays in the ready list.
 * Frames lie as the hooks must see them ({@link FrameUnroller}); what a hook that only looks has changed all the same
 * is dropped when the frame's net header may have become a lie by it.
 */
final class HookStage
{
    /** Frames that hooks are shown at once: their views stay in the first-level cache from one hook to the next. */
    private static final int AT_ONCE = 64;

    private final HookChain hooks;
    private final FrameView[] views;
    private final int[] verdicts;
    private final ReflectQueue wayBack;
    private final Exchange exchange;
    private final int portNumber;
    private final CounterSet<WorkerCounter> counters;
    /** Frames that judge found to have each verdict, by verdict. */
    private final int[] count = new int[XdpVerdict.REDIRECT + 1];
    private int edited;
    private int refused;

    /** @param wayBack takes what goes back to where it came from. */
    HookStage(
        final HookChain hooks,
        final WorkerSetup setup,
        final int queue,
        final int direction,
        final ReflectQueue wayBack,
        final CounterSet<WorkerCounter> counters)
    {
        this.hooks = hooks;
        this.wayBack = wayBack;
        this.counters = counters;
        exchange = setup.exchange();
        portNumber = setup.portNumber();
        verdicts = new int[AT_ONCE];
        views = new FrameView[AT_ONCE];
        for (int i = 0; i < views.length; i++)
        {
            views[i] = new FrameView();
            views[i].reserve(FrameLayout.NET_HEADER);
            views[i].wrap(setup.arena(), direction, queue, WorkerSetup.processor(queue, direction));
        }
    }

    /**
     * Judges the ready list by the hooks that were begun with.
     *
     * @param recorded is told the verdicts; null for nobody.
     */
    void judge(final FrameBatch batch, final CaptureQueue recorded)
    {
        final int frames = batch.readyCount();
        // What the batch was prepared for: a program may turn out to write in the middle of it.
        final boolean isForReaders = !hooks.changesFrames();
        int kept = 0;
        for (int from = 0; from < frames; from += AT_ONCE)
        {
            kept = judge(batch, from, Math.min(AT_ONCE, frames - from), kept, isForReaders, recorded);
        }
        batch.readyCount(kept);
        note();
    }

    /** @return how many of the ready list are kept, these included. */
    private int judge(
        final FrameBatch batch,
        final int from,
        final int frames,
        final int keptBefore,
        final boolean isForReaders,
        final CaptureQueue recorded)
    {
        for (int k = 0; k < frames; k++)
        {
            views[k].row(batch.rows(), batch.row(batch.ready(from + k)));
        }
        final int passed = hooks.judgeBegun(views, frames, verdicts);
        // A program that was taken for a reader and wrote may have done so to any of them.
        final boolean isSuspect = isForReaders && hooks.changesFrames();
        int kept = keptBefore;
        final boolean isChange = !isForReaders || isSuspect;
        if (passed == frames && kept == from && !isChange)
        {
            // The usual case of a filter: nothing was changed, so that nothing has to be carried out.
            count[XdpVerdict.PASS] += passed;
            return kept + passed;
        }
        for (int k = 0; k < frames; k++)
        {
            final int i = batch.ready(from + k);
            if (recorded != null && XdpVerdict.PASS != verdicts[k])
            {
                recorded.verdict(i, verdicts[k]);
            }
            if (carryOut(batch, i, k, isChange, isSuspect))
            {
                batch.ready(kept++, i);
            }
        }
        return kept;
    }

    /** Whether the frame goes on. */
    private boolean carryOut(
        final FrameBatch batch, final int i, final int k, final boolean isChange, final boolean isSuspect)
    {
        final int verdict = verdicts[k];
        count[verdict]++;
        if (XdpVerdict.DROP == verdict || XdpVerdict.ABORTED == verdict)
        {
            return false;
        }
        if (isChange && !adopt(batch, i, views[k], isSuspect))
        {
            edited++;
            return false;
        }
        if (XdpVerdict.TX == verdict)
        {
            wayBack.push(batch, i);
        }
        return XdpVerdict.PASS == verdict || XdpVerdict.REDIRECT == verdict && redirect(batch, i, views[k].target());
    }

    /** Takes over where hooks left the frame's ends; false when its net header may have become a lie. */
    private static boolean adopt(
        final FrameBatch batch, final int i, final FrameView view, final boolean isSuspect)
    {
        final boolean isMoved = view.offset() != batch.offset(i) || view.length() != batch.linearLength(i);
        if ((isMoved || isSuspect) && !isPlain(batch, i))
        {
            return false;
        }
        if (isMoved)
        {
            batch.linear(i, view.offset(), view.length());
            VnetHeader.clear(batch.arena(), batch.netHeader(i));
        }
        return true;
    }

    /** To the number of the own port means: on to the other side. */
    private boolean redirect(final FrameBatch batch, final int i, final int target)
    {
        if (target == portNumber && 0 <= target)
        {
            return true;
        }
        if (target < 0 || !exchange.deliver(target, batch, i))
        {
            refused++;
        }
        return false;
    }

    private static boolean isPlain(final FrameBatch batch, final int i)
    {
        return VnetHeader.GSO_NONE == VnetHeader.gsoType(batch.arena(), batch.netHeader(i)) &&
            !VnetHeader.needsChecksum(batch.arena(), batch.netHeader(i));
    }

    /** Once a batch: a counter's store makes the compiler load every field again. */
    private void note()
    {
        take(WorkerCounter.HOOK_PASSED, XdpVerdict.PASS);
        take(WorkerCounter.DROP_HOOK, XdpVerdict.DROP);
        take(WorkerCounter.DROP_ABORTED, XdpVerdict.ABORTED);
        take(WorkerCounter.HOOK_REDIRECTED, XdpVerdict.REDIRECT);
        count[XdpVerdict.TX] = 0;
        if (0 < edited)
        {
            counters.add(WorkerCounter.DROP_EDIT, edited);
            edited = 0;
        }
        if (0 < refused)
        {
            counters.add(WorkerCounter.DROP_REDIRECT, refused);
            refused = 0;
            // Most often an inbox is full: its worker may want this very processor to make room.
            Thread.yield();
        }
    }

    private void take(final WorkerCounter counter, final int verdict)
    {
        if (0 < count[verdict])
        {
            counters.add(counter, count[verdict]);
            count[verdict] = 0;
        }
    }
}
