package io.ringtap.xdp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The hooks of one queue and direction in their order: the first verdict that is not PASS wins.
 * <p>
 * Whatever a hook does, its worker survives: an unknown number and anything thrown become ABORTED. One thread runs the
 * chain; any thread may read its counters or {@link #replace} its hooks, which the runner sees from its next frame on.
 */
public final class HookChain
{
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int VERDICTS = XdpVerdict.REDIRECT + 1;
    private static final int THROWN = VERDICTS;
    private static final int UNKNOWN = VERDICTS + 1;
    private static final int COUNTERS = VERDICTS + 2;
    private static final int MAX_ERROR_TEXT = 400;

    private volatile Link[] links = new Link[0];
    /** What {@link #begin} found; the runner's own. */
    private Link[] begun = new Link[0];
    /** Verdicts before the hook that runs; grows to the longest batch, then stays. */
    private int[] before = new int[0];

    /** A chain without hooks: it passes every frame. */
    public HookChain()
    {
    }

    /** A chain of these hooks. */
    public HookChain(final List<NamedHook> hooks)
    {
        replace(hooks);
    }

    /** Whether every frame passes unseen, so that a caller need not even point a view at it. */
    public boolean isEmpty()
    {
        return links.length == 0;
    }

    /**
     * Asks the hooks in their order.
     *
     * @param frame the frame, which hooks may move and change.
     * @return one of {@link XdpVerdict}.
     */
    public int judge(final FrameView frame)
    {
        for (final Link link : links)
        {
            final int verdict = link.judge(frame);
            if (XdpVerdict.PASS != verdict)
            {
                return verdict;
            }
        }
        return XdpVerdict.PASS;
    }

    /**
     * The runner takes the hooks that stand now; {@link #judgeBegun} and what is asked about them keep to these, also
     * when they are replaced meanwhile.
     *
     * @return false when there are none.
     */
    public boolean begin()
    {
        begun = links;
        return 0 < begun.length;
    }

    /** Whether one of the hooks that were begun with may change frames. */
    public boolean changesFrames()
    {
        for (final Link link : begun)
        {
            if (link.hook.changesFrames())
            {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the hooks that were begun with wants to see frames whole. */
    public boolean needsWholeFrames()
    {
        for (final Link link : begun)
        {
            if (link.hook.needsWholeFrames())
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Asks the hooks about a batch: each sees the frames that all before it passed.
     *
     * @param frames   frames, which hooks may move and change.
     * @param count    how many there are.
     * @param verdicts by frame; takes one of {@link XdpVerdict}.
     * @return how many passed.
     */
    public int judge(final FrameView[] frames, final int count, final int[] verdicts)
    {
        begin();
        return judgeBegun(frames, count, verdicts);
    }

    /** As {@link #judge(FrameView[], int, int[])}, by the hooks that were begun with. */
    public int judgeBegun(final FrameView[] frames, final int count, final int[] verdicts)
    {
        Arrays.fill(verdicts, 0, count, XdpVerdict.PASS);
        if (before.length < count)
        {
            before = new int[count];
        }
        int passed = count;
        for (final Link link : begun)
        {
            System.arraycopy(verdicts, 0, before, 0, count);
            passed = link.judge(frames, count, before, passed, verdicts);
        }
        return passed;
    }

    /** Replaces all hooks at once; a hook instance that stays keeps its counters. One caller at a time. */
    public synchronized void replace(final List<NamedHook> hooks)
    {
        final Link[] old = links;
        final Link[] next = new Link[hooks.size()];
        for (int i = 0; i < next.length; i++)
        {
            final NamedHook named = hooks.get(i);
            next[i] = new Link(named, null);
            for (final Link link : old)
            {
                if (link.hook == named.hook())
                {
                    next[i] = new Link(named, link);
                }
            }
        }
        links = next;
    }

    /** A consistent view of the counters as they are now, in the order of the hooks. */
    public List<HookCount> counts()
    {
        final Link[] now = links;
        final HookCount[] all = new HookCount[now.length];
        for (int i = 0; i < now.length; i++)
        {
            all[i] = now[i].count();
        }
        return List.of(all);
    }

    /**
     * What one hook has done so far.
     *
     * @param name       the hook's name.
     * @param aborted    frames dropped because the hook failed, whatever the reason.
     * @param dropped    frames it dropped.
     * @param passed     frames it let through.
     * @param sentBack   frames it sent back to where they came from.
     * @param redirected frames it sent to another port.
     * @param thrown     how many of the aborted ones were exceptions.
     * @param unknown    how many of the aborted ones were numbers that are no verdict.
     * @param firstError the first failure in words; empty when there was none.
     */
    public record HookCount(
        String name,
        long aborted,
        long dropped,
        long passed,
        long sentBack,
        long redirected,
        long thrown,
        long unknown,
        String firstError)
    {
    }

    /** One hook and its counters, which outlive a change of the chain around it. */
    private static final class Link
    {
        private final String name;
        private final XdpHook hook;
        private final long[] counts;
        private final String[] firstError;

        private Link(final NamedHook named, final Link before)
        {
            name = named.name();
            hook = named.hook();
            counts = null == before ? new long[COUNTERS] : before.counts;
            firstError = null == before ? new String[1] : before.firstError;
        }

        private int judge(final FrameView frame)
        {
            int verdict;
            try
            {
                verdict = hook.onFrame(frame);
                if (verdict < 0 || verdict >= VERDICTS)
                {
                    verdict = unknown(verdict);
                }
            }
            catch (final Throwable failure)
            {
                // Also errors: a filter that recurses too deep or misses a class must not end a worker.
                verdict = thrown(failure);
            }
            add(verdict, 1);
            return verdict;
        }

        /** @return how many passed this hook of the {@code open} ones that passed those before. */
        private int judge(
            final FrameView[] frames, final int count, final int[] before, final int open, final int[] verdicts)
        {
            boolean failed = false;
            try
            {
                hook.onBatch(frames, count, verdicts);
            }
            catch (final Throwable failure)
            {
                // It is not known how far it came: a frame that may not have been judged must not pass.
                note(failure);
                failed = true;
            }
            if (!failed && open == count && isAllPass(verdicts, count))
            {
                add(XdpVerdict.PASS, count);
                return count;
            }
            return settle(count, before, verdicts, failed);
        }

        private static boolean isAllPass(final int[] verdicts, final int count)
        {
            int others = 0;
            for (int i = 0; i < count; i++)
            {
                others |= verdicts[i] ^ XdpVerdict.PASS;
            }
            return 0 == others;
        }

        /** Counts verdicts, those of frames that were not the hook's to judge put back. */
        private int settle(final int count, final int[] before, final int[] verdicts, final boolean failed)
        {
            int passed = 0;
            for (int i = 0; i < count; i++)
            {
                if (XdpVerdict.PASS == before[i])
                {
                    int verdict = verdicts[i];
                    if (failed && XdpVerdict.PASS == verdict)
                    {
                        verdict = XdpVerdict.ABORTED;
                        add(THROWN, 1);
                    }
                    else if (verdict < 0 || verdict >= VERDICTS)
                    {
                        verdict = unknown(verdict);
                    }
                    verdicts[i] = verdict;
                    add(verdict, 1);
                    passed += XdpVerdict.PASS == verdict ? 1 : 0;
                }
                else
                {
                    verdicts[i] = before[i];
                }
            }
            return passed;
        }

        private int unknown(final int verdict)
        {
            if (null == firstError[0])
            {
                firstError[0] = "verdict " + verdict + " is not one of 0 to " + XdpVerdict.REDIRECT;
            }
            add(UNKNOWN, 1);
            return XdpVerdict.ABORTED;
        }

        private int thrown(final Throwable failure)
        {
            note(failure);
            add(THROWN, 1);
            return XdpVerdict.ABORTED;
        }

        private void note(final Throwable failure)
        {
            if (null == firstError[0])
            {
                firstError[0] = textOf(failure);
            }
        }

        private void add(final int counter, final int more)
        {
            // Opaque: one writer, and a reader elsewhere may be late but never sees half a number.
            COUNT.setOpaque(counts, counter, counts[counter] + more);
        }

        private long count(final int counter)
        {
            return (long)COUNT.getOpaque(counts, counter);
        }

        private HookCount count()
        {
            final String error = firstError[0];
            return new HookCount(
                name,
                count(XdpVerdict.ABORTED),
                count(XdpVerdict.DROP),
                count(XdpVerdict.PASS),
                count(XdpVerdict.TX),
                count(XdpVerdict.REDIRECT),
                count(THROWN),
                count(UNKNOWN),
                null == error ? "" : error);
        }

        private static String textOf(final Throwable failure)
        {
            String text;
            try
            {
                final StackTraceElement[] trace = failure.getStackTrace();
                text = failure + (trace.length > 0 ? " at " + trace[0] : "");
            }
            catch (final Throwable worse)
            {
                // A message made by foreign code may fail as well; the class name cannot.
                text = failure.getClass().getName();
            }
            text = text.replaceAll("\\s+", " ");
            return text.substring(0, Math.min(text.length(), MAX_ERROR_TEXT));
        }
    }
}
