package io.ringtap;

import io.ringtap.vhost.dataplane.Watched;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Who looks after the workers: frees one that stands still, and leaves alone one that sleeps or moves. */
class StallWatchTest
{
    private final StallWatch watch = new StallWatch();
    private final Idler idler = new Idler();

    @AfterEach
    void end()
    {
        watch.remove(idler);
    }

    @Test
    void shouldFreeWhatStandsStill()
    {
        watch.add(idler, "nic");
        assertEquals(StallWatch.BUSY_PERIOD_MS, watch.look(StallWatch.PERIOD_MS));
        assertEquals(0, idler.freed, "nobody knows yet whether it moves");
        for (int i = 0; i < StallWatch.FREED_AFTER; i++)
        {
            watch.look(StallWatch.BUSY_PERIOD_MS);
        }
        assertEquals(1, idler.freed);
        idler.cycles++;
        watch.look(StallWatch.BUSY_PERIOD_MS);
        assertEquals(1, idler.freed, "it moves");
    }

    @Test
    void shouldLeaveASleeperAlone()
    {
        watch.add(idler, "nic");
        idler.isAsleep = true;
        for (long ms = 0; ms < 2 * StallWatch.TOLD_AFTER_MS; ms += StallWatch.PERIOD_MS)
        {
            assertEquals(StallWatch.PERIOD_MS, watch.look(StallWatch.PERIOD_MS));
        }
        assertEquals(0, idler.freed);
    }

    /** Stands still unless it is moved. */
    private static final class Idler implements Watched
    {
        private volatile long cycles;
        private volatile boolean isAsleep;
        private volatile int freed;

        @Override
        public String roleName()
        {
            return "idler";
        }

        @Override
        public long cycles()
        {
            return cycles;
        }

        @Override
        public boolean isAsleep()
        {
            return isAsleep;
        }

        @Override
        public void unblock()
        {
            freed++;
        }
    }
}
