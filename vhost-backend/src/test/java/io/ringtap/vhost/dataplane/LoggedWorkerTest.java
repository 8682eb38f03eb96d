package io.ringtap.vhost.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import io.ringtap.sys.EventFd;
import io.ringtap.vhost.virtio.LoggedPages;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingCounter;
import io.ringtap.vhost.virtio.Virtqueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker in a migration: whatever reaches the guest's memory is marked in the log. */
class LoggedWorkerTest
{
    private static final int TURNS = 40;
    private static final long PACKED = 1L << NetFeatures.RING_PACKED;
    private static final long IN_ORDER = 1L << NetFeatures.IN_ORDER;

    @ParameterizedTest
    @ValueSource(longs = { 0, PACKED, IN_ORDER, PACKED | IN_ORDER })
    @Tag("virtio.LOG_ALL")
    @Tag("message.SET_LOG_FD")
    void shouldMarkEveryPageThatTrafficWrites(final long layout)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | layout);
            LoggedPages pages = new LoggedPages(w.guest, WorkerFixture.GUEST);
            EventFd told = EventFd.create())
        {
            log(w, pages, told);
            int written = 0;
            for (int turn = 0; turn < TURNS; turn++)
            {
                final int frames = 1 + random.nextInt(20);
                for (int i = 0; i < frames; i++)
                {
                    w.lend(random.nextInt(4) == 0 ? 65_600 : 1526);
                    w.port.arrive(Frames.random(random, 14 + random.nextInt(1500)));
                    w.send(Frames.random(random, 14 + random.nextInt(9000)));
                }
                pages.before();
                w.work();
                w.worker.arm();
                w.worker.disarm();
                assertTrue(pages.unmarked().isEmpty(), () -> "seed " + seed + ": not marked " + pages.unmarked());
                assertTrue(told.drain() > 0);
                written += pages.written().cardinality();
                drain(w);
            }
            assertTrue(written > TURNS);
            assertEquals(0, w.worker.ringCounters().get(0).get(RingCounter.LOG_OUTSIDE));
        }
    }

    @Test
    void shouldStopMarkingAndTellingWhenTheMigrationIsOver()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC);
            LoggedPages pages = new LoggedPages(w.guest, WorkerFixture.GUEST);
            EventFd told = EventFd.create())
        {
            log(w, pages, told);
            w.worker.receiveRing().log(null, null);
            w.worker.transmitRing().log(null, null);
            w.lend(1526);
            w.port.arrive(Frames.random(new Random(1), 60));
            w.send(Frames.random(new Random(2), 60));
            pages.before();
            w.work();
            assertFalse(pages.written().isEmpty());
            assertTrue(pages.marked().isEmpty());
            assertEquals(0, told.drain());
        }
    }

    @Test
    void shouldGoOnMarkingWhenTheRingIsStartedAgain()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC);
            LoggedPages pages = new LoggedPages(w.guest, WorkerFixture.GUEST))
        {
            log(w, pages, null);
            final int base = w.worker.receiveRing().stop(false);
            w.worker.receiveRing().start(w.setup(0, w.receive, base), w.memory);
            w.lend(1526);
            w.port.arrive(Frames.random(new Random(1), 60));
            pages.before();
            w.work();
            assertTrue(pages.unmarked().isEmpty());
            assertFalse(pages.written().isEmpty());
        }
    }

    @Test
    void shouldMarkBuffersOfARingThatIsNotLoggedItself()
    {
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC);
            LoggedPages pages = new LoggedPages(w.guest, WorkerFixture.GUEST))
        {
            log(w, pages, null);
            w.worker.receiveRing().logTo(Virtqueue.RING_NOT_LOGGED);
            final int at = w.lend(1526);
            w.port.arrive(Frames.random(new Random(1), 60));
            pages.before();
            w.work();
            assertEquals(1, pages.marked().cardinality());
            assertTrue(pages.marked().get(at / 4096));
        }
    }

    private static void log(final WorkerFixture w, final LoggedPages pages, final EventFd told)
    {
        w.worker.receiveRing().logTo(w.receive.deviceAddress());
        w.worker.transmitRing().logTo(w.transmit.deviceAddress());
        w.worker.receiveRing().log(pages.log(), told);
        w.worker.transmitRing().log(pages.log(), told);
    }

    private static void drain(final WorkerFixture w)
    {
        while (w.receive.poll() >= 0)
        {
            assertTrue(w.receive.usedLength() > 0);
        }
        while (w.transmit.poll() >= 0)
        {
            assertEquals(0, w.transmit.usedLength());
        }
    }
}
