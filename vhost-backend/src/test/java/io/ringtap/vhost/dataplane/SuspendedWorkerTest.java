package io.ringtap.vhost.dataplane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.virtio.LoggedPages;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device all of whose rings are stopped: the guest may be on its way elsewhere (vhost-user, "suspended state"). */
@Tag("protocol.DEVICE_STATE")
class SuspendedWorkerTest
{
    private static final long PACKED = 1L << NetFeatures.RING_PACKED;

    @ParameterizedTest
    @ValueSource(longs = { 0, PACKED })
    void shouldTouchNothingAndTellNobodyUntilItGoesOn(final long layout)
    {
        final Random random = new Random(layout);
        try (WorkerFixture w = new WorkerFixture(WorkerFixture.BASIC | layout);
            LoggedPages pages = new LoggedPages(w.guest, WorkerFixture.GUEST);
            EventFd late = EventFd.create())
        {
            final int at = w.lend(1526);
            final int receiveBase = w.worker.receiveRing().stop(true);
            final int transmitBase = w.worker.transmitRing().stop(true);
            w.receiveCall.drain();
            w.transmitCall.drain();
            final byte[] toGuest = Frames.random(random, 60);
            final byte[] toHost = Frames.random(random, 60);
            w.port.arrive(toGuest);
            w.send(toHost);

            pages.before();
            w.work();
            w.worker.receiveRing().call(Fd.of(Syscalls.dup(late.number()).release()));
            w.worker.arm();
            w.worker.disarm();
            assertTrue(pages.written().isEmpty(), () -> "written to " + pages.written());
            assertEquals(0, w.receiveCall.drain() + w.transmitCall.drain() + late.drain());
            assertTrue(w.port.sent.isEmpty());

            w.worker.receiveRing().start(w.setup(0, w.receive, receiveBase), w.memory);
            w.worker.transmitRing().start(w.setup(1, w.transmit, transmitBase), w.memory);
            w.work();
            assertArrayEquals(toHost, w.port.sent.get(0));
            assertArrayEquals(toGuest, w.read(at + WorkerFixture.HEADER, 60));
        }
    }
}
