package io.ringtap.vhost.session;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How long front-ends wait that come faster than they may, on a clock of the test. */
class SessionBudgetTest
{
    private static final long NS_PER_S = 1_000_000_000L;

    /** The second is there because a clock may begin anywhere and pass the end of its numbers. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - NS_PER_S / 2})
    void shouldLetASecondsWorthComeAtOnceAndTheRestOneByOne(final long startNs)
    {
        final SessionBudget budget = new SessionBudget(20, startNs);
        for (int i = 0; i < 19; i++)
        {
            assertEquals(0, budget.spend(startNs), "front-end " + i);
        }
        long nowNs = startNs;
        for (int i = 0; i < 100; i++)
        {
            final long waitNs = budget.spend(nowNs);
            assertEquals(NS_PER_S / 20, waitNs);
            nowNs += waitNs;
        }
    }

    @Test
    void shouldSaveUpNoMoreThanASecondsWorth()
    {
        final SessionBudget budget = new SessionBudget(4, 0);
        final long laterNs = 3600 * NS_PER_S;
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, budget.spend(laterNs));
        }
        assertTrue(0 < budget.spend(laterNs));
    }

    @Test
    void shouldLetOneComeEachSecond()
    {
        final SessionBudget budget = new SessionBudget(1, 0);

        assertEquals(NS_PER_S, budget.spend(0));
        assertEquals(NS_PER_S, budget.spend(NS_PER_S));
        assertEquals(NS_PER_S, budget.spend(5 * NS_PER_S));
    }

    @Test
    void shouldLetAnyNumberComeWithoutALimit()
    {
        final SessionBudget budget = new SessionBudget(0, 0);
        for (int i = 0; i < 1000; i++)
        {
            assertEquals(0, budget.spend(0));
        }
    }
}
