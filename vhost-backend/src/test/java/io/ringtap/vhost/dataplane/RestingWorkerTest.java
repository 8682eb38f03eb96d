package io.ringtap.vhost.dataplane;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A worker whose guest wastes its time. */
class RestingWorkerTest
{
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
    private static final byte[] NO_FRAME = new byte[3];
    private static final int TURNS = 1_000_000;
    private static final int FRAMES = 1_000;

    private final Random random = new Random(1);

    @Test
    void shouldRestAfterChainsWithoutFrames()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            int turns = 0;
            while (0 == w.count(WorkerCounter.RESTED) && turns++ < TURNS)
            {
                w.send(NO_FRAME);
                w.worker.doWork();
                w.transmit.poll();
            }
            assertEquals(1, w.count(WorkerCounter.RESTED));
            assertTrue(1 < w.count(WorkerCounter.DROP_SHORT), "the first costs nothing");
            assertTrue(w.port.sent.isEmpty());
        }
    }

    @Test
    void shouldLeaveBothRingsAloneWhileItRests()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.lend(1526);
            w.rates.fruitless().spent(HOUR_NS, System.nanoTime());
            w.send(Frames.random(random, 1000));
            w.port.arrive(Frames.random(random, 1000));
            w.work();
            assertTrue(w.port.sent.isEmpty());
            assertEquals(0, w.count(WorkerCounter.HOST_FRAMES));
            assertTrue(w.worker.arm(), "it may sleep although both sides have something");
            w.worker.disarm();
            assertEquals(1, w.worker.sleepMs(), "and looks again soon");
        }
    }

    /** Who kicks and kicks wakes nobody: what is kicked for would not be looked at. */
    @Test
    void shouldSleepThroughKicksWhileItRests()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC); EventFd kick = EventFd.create())
        {
            w.worker.transmitRing().kick(Fd.of(Syscalls.dup(kick.number()).release()));
            kick.signal();
            w.worker.park();
            assertEquals(1, w.count(WorkerCounter.WOKEN));
            w.rates.fruitless().spent(HOUR_NS, System.nanoTime());
            w.worker.doWork();
            kick.signal();
            w.worker.park();
            assertEquals(2, w.count(WorkerCounter.PARKED));
            assertEquals(1, w.count(WorkerCounter.WOKEN));
            w.worker.wakeUp();
            w.worker.doWork();
            w.worker.park();
            assertEquals(3, w.count(WorkerCounter.PARKED));
        }
    }

    /** A frame that waits for buffers is no reason to look at them again and again. */
    @Test
    void shouldRestWithAFrameInItsHands()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            w.port.arrive(Frames.random(random, 1000));
            w.work();
            assertEquals(1, w.count(WorkerCounter.RECEIVE_STARVED));
            w.rates.fruitless().spent(HOUR_NS, System.nanoTime());
            w.lend(1526);
            w.work();
            assertEquals(0, w.count(WorkerCounter.HOST_FRAMES));
            assertTrue(w.worker.arm(), "it may sleep although there is a buffer");
            w.worker.disarm();
        }
    }

    @Test
    void shouldNeverRestForAGuestThatErrsNow()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC))
        {
            for (int i = 0; i < FRAMES; i++)
            {
                w.send(Frames.random(random, 1000));
                w.lend(1526);
                w.port.arrive(Frames.random(random, 1000));
                w.work();
                w.transmit.poll();
                w.receive.poll();
            }
            assertEquals(FRAMES, w.port.sent.size());
            assertEquals(FRAMES, w.count(WorkerCounter.HOST_FRAMES));
            assertEquals(0, w.count(WorkerCounter.RESTED));
            assertFalse(w.rates.fruitless().mustRest());
        }
    }
}
