package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A worker that may not go as fast as it could. */
class RatedWorkerTest
{
    /** Hours at the least rate. */
    private static final long DEBT = 1_000_000_000;

    private final Random random = new Random(1);

    @Test
    void shouldLeaveFramesInTheGuestsRingUntilTheyMayGo()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.rates.fromGuest().bitsPerSecond(RateLimit.MIN_BITS);
            w.send(Frames.random(random, 1000));
            w.work();
            assertEquals(1, w.port.sent.size());
            w.rates.fromGuest().take(DEBT);
            w.send(Frames.random(random, 1000));
            w.work();
            w.worker.doWork();
            assertEquals(1, w.port.sent.size());
            assertEquals(1, w.count(WorkerCounter.RATE_LIMITED));
            assertTrue(w.worker.arm(), "it may sleep although there are chains");
            w.worker.disarm();
            assertEquals(1, w.worker.sleepMs(), "and looks again soon");
            w.rates.fromGuest().bitsPerSecond(RateLimit.NONE);
            w.worker.doWork();
            assertEquals(2, w.port.sent.size());
        }
    }

    @Test
    void shouldReadNothingFromThePortUntilTheGuestMayHaveIt()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.lend(1526);
            w.lend(1526);
            w.rates.toGuest().bitsPerSecond(RateLimit.MIN_BITS);
            w.rates.toGuest().take(DEBT);
            w.port.arrive(Frames.random(random, 1000));
            w.work();
            assertEquals(0, w.count(WorkerCounter.HOST_FRAMES));
            assertTrue(w.worker.arm(), "it may sleep although the port has a frame");
            w.worker.disarm();
            w.rates.toGuest().bitsPerSecond(RateLimit.NONE);
            w.worker.doWork();
            assertEquals(1, w.count(WorkerCounter.HOST_FRAMES));
        }
    }
}
