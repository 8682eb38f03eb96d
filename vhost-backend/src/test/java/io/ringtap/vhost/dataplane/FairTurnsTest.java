package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Turns on one thread, by a clock that is moved by hand. */
class FairTurnsTest
{
    private static final int ROUNDS = 100_000;
    private static final long USUAL_NS = 8_000;

    private final FairTurns turns = new FairTurns();
    private long nowNs = 1_000_000_007L;

    @Test
    void shouldHaveNothingToShareForOneNicOfManyWorkers()
    {
        final ThreadShare first = turns.join("a");
        assertTrue(first == turns.join("a"));
        assertFalse(turns.isShared());
        final ThreadShare other = turns.join("b");
        assertTrue(turns.isShared());
        turns.leave(first);
        assertTrue(turns.isShared());
        turns.leave(other);
        assertFalse(turns.isShared());
    }

    @Test
    void shouldLetTwoAlikeTakeTurns()
    {
        final ThreadShare a = turns.join("a");
        final ThreadShare b = turns.join("b");
        for (int i = 0; i < 1000; i++)
        {
            turns.begin(nowNs);
            assertTrue(0 < turn(a, USUAL_NS) && 0 < turn(b, USUAL_NS), "round " + i);
            turns.end();
        }
    }

    /** Whatever a turn of one costs, a hundred times the usual or with two workers, each has half. */
    @Test
    void shouldGiveEachHalfWhateverATurnCosts()
    {
        for (final long dearNs : new long[] {USUAL_NS / 3, USUAL_NS, 100_000, 800_000, 5_000_000})
        {
            for (int workers = 1; workers <= 2; workers++)
            {
                final ThreadShare victim = turns.join("victim");
                final ThreadShare attacker = turns.join("attacker");
                long had = 0;
                long taken = 0;
                for (int i = 0; i < ROUNDS; i++)
                {
                    turns.begin(nowNs);
                    for (int worker = 0; worker < workers; worker++)
                    {
                        taken += turn(attacker, dearNs);
                    }
                    had += turn(victim, USUAL_NS);
                    turns.end();
                }
                assertEquals(0.5, (double)had / (had + taken), 0.01, dearNs + " ns a turn of " + workers);
                turns.leave(victim);
                turns.leave(attacker);
            }
        }
    }

    /** Many NICs, dear and cheap, busy and idle: those that always want it have the same. */
    @Test
    void shouldGiveAllThatWantItTheSame()
    {
        final long seed = Long.getLong("ringtap.seed", 20261201);
        final Random random = new Random(seed);
        final ThreadShare[] shares = new ThreadShare[7];
        final long[] had = new long[shares.length];
        for (int i = 0; i < shares.length; i++)
        {
            shares[i] = turns.join("nic " + i);
        }
        for (int round = 0; round < 10 * ROUNDS; round++)
        {
            turns.begin(nowNs);
            for (int i = 0; i < shares.length; i++)
            {
                // The last two have work in every fourth round only.
                final boolean isIdle = i >= 5 && 0 != random.nextInt(4);
                had[i] += isIdle ? idle(shares[i]) : turn(shares[i], 1_000 + random.nextInt(20_000 * (i + 1)));
            }
            turns.end();
        }
        for (int i = 1; i < 5; i++)
        {
            assertEquals(1.0, (double)had[i] / had[0], 0.02, "seed " + seed + ", nic " + i);
        }
        assertTrue(had[6] < had[0] * 1.02, "seed " + seed);
    }

    @Test
    void shouldGiveAllOfItToOneWhileOthersHaveNothingToDo()
    {
        final ThreadShare idle = turns.join("idle");
        final ThreadShare busy = turns.join("busy");
        for (int i = 0; i < 1000; i++)
        {
            turns.begin(nowNs);
            idle(idle);
            assertTrue(0 < turn(busy, 10 * FairTurns.LEAD_NS), "round " + i);
            turns.end();
        }
    }

    /** What was not used is gone: after a rest one has half, not more. */
    @Test
    void shouldSaveNothingUp()
    {
        final ThreadShare resting = turns.join("resting");
        final ThreadShare busy = turns.join("busy");
        for (int i = 0; i < 1000; i++)
        {
            turns.begin(nowNs);
            idle(resting);
            turn(busy, USUAL_NS);
            turns.end();
        }
        for (int i = 0; i < 1000; i++)
        {
            turns.begin(nowNs);
            assertTrue(0 < turn(resting, USUAL_NS) && 0 < turn(busy, USUAL_NS), "round " + i);
            turns.end();
        }
    }

    /** A turn that a front-end held up for seconds costs a second at most; commands wait for turns too. */
    @Test
    void shouldForgetWhatIsTooMuch()
    {
        final ThreadShare slow = turns.join("slow");
        final ThreadShare other = turns.join("other");
        turns.begin(nowNs);
        turn(slow, 4 * FairTurns.MOST_AHEAD_NS);
        turn(other, USUAL_NS);
        turns.end();
        long waitedNs = 0;
        while (turns.mustWait(slow))
        {
            turns.begin(nowNs);
            waitedNs += turn(other, USUAL_NS);
            turns.mustWait(slow);
            turns.end();
        }
        assertTrue(waitedNs <= FairTurns.MOST_AHEAD_NS, "waited for " + waitedNs);
    }

    private long turn(final ThreadShare share, final long costNs)
    {
        if (turns.mustWait(share))
        {
            return 0;
        }
        nowNs += costNs;
        return turns.took(share, nowNs, true);
    }

    private long idle(final ThreadShare share)
    {
        if (turns.mustWait(share))
        {
            return 0;
        }
        nowNs += 100;
        return turns.took(share, nowNs, false);
    }
}
