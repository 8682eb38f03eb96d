package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Bytes a second on a clock that is moved by hand. */
class RateLimitTest
{
    private static final long MS = 1_000_000L;
    private static final long MEGABYTE_A_SECOND = 8_000_000;

    @Test
    void shouldLetThroughWhatItsRateAllows()
    {
        final RateLimit limit = new RateLimit();
        limit.bitsPerSecond(MEGABYTE_A_SECOND);
        final long start = System.nanoTime() + 1_000 * MS;
        long sent = 0;
        for (long now = start; now < start + 1_000 * MS; now += MS / 4)
        {
            if (!limit.mustWait(now))
            {
                limit.take(500, now);
                sent += 500;
            }
        }
        // A megabyte, and what may go at once: 10 ms of it, and the batch that went beyond.
        assertTrue(990_000 <= sent && sent <= 1_011_000, sent + " bytes");
    }

    @Test
    void shouldPayForALongBatchAfterwards()
    {
        final RateLimit limit = new RateLimit();
        limit.bitsPerSecond(MEGABYTE_A_SECOND);
        final long start = System.nanoTime() + 1_000 * MS;
        assertFalse(limit.mustWait(start));
        limit.take(1_000_000, start);
        assertTrue(limit.mustWait(start + 980 * MS));
        assertFalse(limit.mustWait(start + 990 * MS));
    }

    @Test
    void shouldNotSaveUpWhatNobodySent()
    {
        final RateLimit limit = new RateLimit();
        limit.bitsPerSecond(MEGABYTE_A_SECOND);
        final long later = System.nanoTime() + 100_000 * MS;
        limit.take(30_000, later);
        assertTrue(limit.mustWait(later));
    }

    @Test
    void shouldForgetItsDebtWithTheLimit()
    {
        final RateLimit limit = new RateLimit();
        assertFalse(limit.mustWait());
        limit.take(1_000_000_000);
        assertFalse(limit.mustWait());
        limit.bitsPerSecond(RateLimit.MIN_BITS);
        limit.take(1_000_000_000);
        assertTrue(limit.mustWait());
        limit.bitsPerSecond(RateLimit.NONE);
        assertFalse(limit.mustWait());
        assertEquals(RateLimit.NONE, limit.bitsPerSecond());
        limit.bitsPerSecond(RateLimit.MAX_BITS);
        assertFalse(limit.mustWait());
    }
}
