package io.ringtap.demo;

import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One measured stream of frames.
 *
 * @param title       for people.
 * @param frameLength bytes of each frame.
 * @param sent        packets that the sender has given away.
 * @param arrived     packets that the receiver has seen.
 */
record Blast(String title, int frameLength, LongSupplier sent, LongSupplier arrived)
{
    private static final long SAMPLE_NS = 250_000_000L;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long WARM_UP_STEP_MS = 50;

    /**
     * What a stream came to.
     *
     * @param title            for people.
     * @param sentPerSecond    packets a second given away.
     * @param arrivedPerSecond packets a second received.
     * @param frameLength      bytes of each frame.
     */
    record Result(String title, double sentPerSecond, double arrivedPerSecond, int frameLength)
    {
        /** A row of the table. */
        String row()
        {
            return String.format(
                Locale.ROOT, "  %-34s %s  %s  %s", title, Screen.packets(sentPerSecond),
                Screen.packets(arrivedPerSecond), Screen.bits(arrivedPerSecond * frameLength * 8));
        }
    }

    /** The first second is the compiler's. */
    private void settle(final Screen screen, final BooleanSupplier isEnded) throws InterruptedException
    {
        final long endNs = System.nanoTime() + NS_PER_SECOND;
        while (System.nanoTime() < endNs && !isEnded.getAsBoolean())
        {
            Thread.sleep(WARM_UP_STEP_MS);
            screen.pause("warming up ...");
        }
    }

    /** Watches the stream for a while, showing the rate. */
    Result watch(final Screen screen, final int seconds, final BooleanSupplier isEnded) throws InterruptedException
    {
        settle(screen, isEnded);
        final long startNs = System.nanoTime();
        final long endNs = startNs + seconds * NS_PER_SECOND;
        final long sentBefore = sent.getAsLong();
        final long arrivedBefore = arrived.getAsLong();
        final long stepNs = screen.isTerminal() ? SAMPLE_NS : NS_PER_SECOND;
        long lastNs = startNs;
        long last = arrivedBefore;
        while (System.nanoTime() < endNs && !isEnded.getAsBoolean())
        {
            Thread.sleep(Math.max(1, Math.min(stepNs, endNs - System.nanoTime()) / 1_000_000));
            final long nowNs = System.nanoTime();
            final long now = arrived.getAsLong();
            final double rate = (now - last) * (double)NS_PER_SECOND / (nowNs - lastNs);
            screen.rate(rate, rate * frameLength * 8);
            lastNs = nowNs;
            last = now;
        }
        screen.endRates();
        final double elapsed = (lastNs - startNs) / (double)NS_PER_SECOND;
        return new Result(
            title, (sent.getAsLong() - sentBefore) / elapsed, (last - arrivedBefore) / elapsed, frameLength);
    }
}
