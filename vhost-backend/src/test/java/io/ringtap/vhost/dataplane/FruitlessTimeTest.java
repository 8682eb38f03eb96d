package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rest for wasted time, by a clock that is moved by hand. */
class FruitlessTimeTest
{
    private static final long RUN_NS = TimeUnit.SECONDS.toNanos(10);
    /** That of a rest which is noticed only at the next look. */
    private static final double SLACK = 0.01;

    private final FruitlessTime fruitless = new FruitlessTime();
    private long nowNs = 1_000_000_007L;

    @Test
    void shouldForgiveALittle()
    {
        fruitless.spent(FruitlessTime.FORGIVEN_NS / FruitlessTime.FACTOR, nowNs);
        assertFalse(fruitless.mustRest(nowNs));
        fruitless.spent(1, nowNs);
        assertTrue(fruitless.mustRest(nowNs));
        assertFalse(fruitless.mustRest(nowNs + FruitlessTime.FACTOR));
    }

    @Test
    void shouldForgetWhatWasAtonedFor()
    {
        fruitless.spent(RUN_NS, nowNs);
        final long atonedNs = nowNs + RUN_NS * FruitlessTime.FACTOR;
        assertTrue(fruitless.mustRest(nowNs));
        assertTrue(fruitless.mustRest(atonedNs - FruitlessTime.FORGIVEN_NS - 1));
        assertFalse(fruitless.mustRest(atonedNs + 1));
        assertFalse(fruitless.mustRest(), "nothing is left of it");
    }

    /** Whatever a turn costs and however many workers take one, a sixteenth of the time is wasted and no more. */
    @Test
    void shouldWasteASmallPartOfTheTime()
    {
        final Random random = new Random(11);
        for (final int dearNs : new int[] {500, 20_000, 1_000_000, 30_000_000})
        {
            final FruitlessTime time = new FruitlessTime();
            final long endNs = nowNs + RUN_NS;
            long wastedNs = 0;
            while (nowNs < endNs)
            {
                final int tookNs = 1 + random.nextInt(2 * dearNs);
                if (time.mustRest(nowNs))
                {
                    nowNs += 1_000;
                }
                else
                {
                    nowNs += tookNs;
                    wastedNs += tookNs;
                    time.spent(tookNs, nowNs);
                }
            }
            assertEquals(1.0 / FruitlessTime.FACTOR, (double)wastedNs / RUN_NS, SLACK + 2.0 * dearNs / RUN_NS,
                "turns of " + dearNs + " ns");
        }
    }
}
