package io.ringtap.xdp;

import io.ringtap.xdp.HookChain.HookCount;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What {@link HookChain} promises. */
class HookChainTest
{
    private final FrameView frame = Frames.view(new byte[60], FrameView.FROM_GUEST);

    @Test
    void shouldPassWithoutHooks()
    {
        final HookChain chain = new HookChain();

        assertTrue(chain.isEmpty());
        assertEquals(XdpVerdict.PASS, chain.judge(frame));
        assertTrue(chain.counts().isEmpty());
    }

    @Test
    void shouldReturnFirstVerdictThatIsNotPass()
    {
        final HookChain chain = new HookChain(List.of(
            named("a", XdpVerdict.PASS), named("b", XdpVerdict.TX), named("c", XdpVerdict.DROP)));

        assertEquals(XdpVerdict.TX, chain.judge(frame));
        assertEquals(1, chain.counts().get(0).passed());
        assertEquals(1, chain.counts().get(1).sentBack());
        assertEquals(0, chain.counts().get(2).dropped());
    }

    @Test
    void shouldCountEachVerdict()
    {
        for (int verdict = XdpVerdict.ABORTED; verdict <= XdpVerdict.REDIRECT; verdict++)
        {
            final HookChain chain = new HookChain(List.of(named("x", verdict)));
            assertEquals(verdict, chain.judge(frame));
            final HookCount count = chain.counts().get(0);
            final long[] all =
                {count.aborted(), count.dropped(), count.passed(), count.sentBack(), count.redirected()};
            for (int i = 0; i < all.length; i++)
            {
                assertEquals(i == verdict ? 1 : 0, all[i]);
            }
            assertEquals("", count.firstError());
        }
    }

    @Test
    void shouldShowEachHookOfABatchWhatThoseBeforePassed()
    {
        final FrameView other = Frames.view(new byte[61], FrameView.FROM_GUEST);
        final HookChain chain = new HookChain(List.of(
            new NamedHook("long", f -> f.length() > 60 ? XdpVerdict.DROP : XdpVerdict.PASS),
            named("all", XdpVerdict.TX), named("odd", 7)));
        final int[] verdicts = {9, 9, 9, 9};

        chain.judge(new FrameView[] {frame, other, frame}, 3, verdicts);

        assertArrayEquals(new int[] {XdpVerdict.TX, XdpVerdict.DROP, XdpVerdict.TX, 9}, verdicts);
        assertEquals(2, chain.counts().get(0).passed());
        assertEquals(1, chain.counts().get(0).dropped());
        assertEquals(2, chain.counts().get(1).sentBack());
        assertEquals(0, chain.counts().get(2).unknown());
    }

    @Test
    void shouldLetNothingOfABatchPassAHookThatFailed()
    {
        final int[] call = {0};
        final HookChain chain = new HookChain(List.of(named("first", XdpVerdict.PASS), new NamedHook("bad", f ->
        {
            if (call[0]++ == 1)
            {
                throw new IllegalStateException("boom");
            }
            return call[0] == 1 ? XdpVerdict.DROP : XdpVerdict.PASS;
        }), named("odd", -3)));
        final int[] verdicts = new int[3];

        chain.judge(new FrameView[] {frame, frame, frame}, 3, verdicts);

        assertArrayEquals(new int[] {XdpVerdict.DROP, XdpVerdict.ABORTED, XdpVerdict.ABORTED}, verdicts);
        assertEquals(2, chain.counts().get(1).thrown());
        assertTrue(chain.counts().get(1).firstError().contains("boom"));
        final HookChain odd = new HookChain(List.of(named("odd", -3)));
        odd.judge(new FrameView[] {frame}, 1, verdicts);
        assertEquals(XdpVerdict.ABORTED, verdicts[0]);
        assertEquals(1, odd.counts().get(0).unknown());
    }

    @Test
    void shouldAbortOnUnknownNumberAndKeepItsFirstText()
    {
        final int[] answers = {5, -1};
        final int[] call = {0};
        final HookChain chain = new HookChain(List.of(new NamedHook("odd", f -> answers[call[0]++])));

        assertEquals(XdpVerdict.ABORTED, chain.judge(frame));
        assertEquals(XdpVerdict.ABORTED, chain.judge(frame));

        final HookCount count = chain.counts().get(0);
        assertEquals(2, count.aborted());
        assertEquals(2, count.unknown());
        assertEquals(0, count.thrown());
        assertEquals("verdict 5 is not one of 0 to 4", count.firstError());
    }

    @Test
    void shouldAbortOnExceptionAndKeepItsFirstText()
    {
        final int[] call = {0};
        final HookChain chain = new HookChain(List.of(new NamedHook("bad", f ->
        {
            throw new IllegalStateException("boom " + call[0]++ + "\nsecond line");
        })));

        assertEquals(XdpVerdict.ABORTED, chain.judge(frame));
        assertEquals(XdpVerdict.ABORTED, chain.judge(frame));

        final HookCount count = chain.counts().get(0);
        assertEquals(2, count.aborted());
        assertEquals(2, count.thrown());
        assertTrue(count.firstError().startsWith(
            "java.lang.IllegalStateException: boom 0 second line at io.ringtap.xdp.HookChainTest"), count.firstError());
    }

    @Test
    void shouldSurviveErrorsAndFailuresThatCannotEvenSpeak()
    {
        final HookChain chain = new HookChain(List.of(new NamedHook("deep", HookChainTest::recurse)));
        assertEquals(XdpVerdict.ABORTED, chain.judge(frame));
        assertTrue(chain.counts().get(0).firstError().contains("StackOverflowError"));

        final HookChain mute = new HookChain(List.of(new NamedHook("mute", f ->
        {
            throw new MuteException();
        })));
        assertEquals(XdpVerdict.ABORTED, mute.judge(frame));
        assertEquals(MuteException.class.getName(), mute.counts().get(0).firstError());
    }

    @Test
    void shouldLimitTheTextOfAnException()
    {
        final HookChain chain = new HookChain(List.of(new NamedHook("long", f ->
        {
            throw new IllegalStateException("x".repeat(100_000));
        })));
        chain.judge(frame);

        assertEquals(400, chain.counts().get(0).firstError().length());
    }

    @Test
    void shouldReplaceHooksAndKeepCountersOfThoseThatStay()
    {
        final NamedHook stays = named("stays", XdpVerdict.PASS);
        final HookChain chain = new HookChain(List.of(stays, named("goes", XdpVerdict.DROP)));
        assertEquals(XdpVerdict.DROP, chain.judge(frame));

        chain.replace(List.of(named("new", XdpVerdict.PASS), stays));
        assertEquals(XdpVerdict.PASS, chain.judge(frame));

        assertEquals("new", chain.counts().get(0).name());
        assertEquals(1, chain.counts().get(0).passed());
        assertEquals(2, chain.counts().get(1).passed());
        chain.replace(List.of());
        assertTrue(chain.isEmpty());
    }

    @Test
    void shouldLetHooksMoveTheFrame()
    {
        final HookChain chain = new HookChain(List.of(
            new NamedHook("grow", f -> f.adjustHead(-8) ? XdpVerdict.PASS : XdpVerdict.DROP),
            new NamedHook("see", f -> 68 == f.length() ? XdpVerdict.PASS : XdpVerdict.DROP)));

        assertEquals(XdpVerdict.PASS, chain.judge(frame));
        assertFalse(chain.isEmpty());
    }

    private static NamedHook named(final String name, final int verdict)
    {
        return new NamedHook(name, frame -> verdict);
    }

    private static int recurse(final FrameView frame)
    {
        return recurse(frame) + 1;
    }

    /** An exception whose text cannot be made. */
    private static final class MuteException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage()
        {
            throw new UnsupportedOperationException();
        }
    }
}
