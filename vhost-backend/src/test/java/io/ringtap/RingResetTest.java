package io.ringtap;

import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Single rings taken from a whole, running backend and given back, other rings going on. */
class RingResetTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final int SIZE = 128;
    private static final int FRAME = 12 + 64;
    private static final int TRANSMIT = 1;
    private static final int OTHER_TRANSMIT = 3;
    private static final long RING_RESET = NetFeatures.bit(NetFeatures.RING_RESET);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {0, 1L << NetFeatures.RING_PACKED, 1L << NetFeatures.IN_ORDER,
        1L << NetFeatures.RING_PACKED | 1L << NetFeatures.IN_ORDER})
    @Tag("virtio.RING_RESET")
    void shouldForgetEverythingOfARingThatIsReset(final long layout)
    {
        try (Backend backend = backend(RING_RESET); Frontend frontend = frontend(layout))
        {
            frontend.connect();
            frontend.start();
            final int frame = frontend.memory().allocate(FRAME, 64);
            long sent = 0;
            for (final int size : new int[]{SIZE, 16, 64, 1, SIZE, 32})
            {
                frontend.resetRing(TRANSMIT, size);
                final DriverRing ring = frontend.ring(TRANSMIT).ring();
                assertEquals(size, ring.size());
                for (int turn = 0; turn < 5; turn++)
                {
                    sent += send(frontend, TRANSMIT, frame) + send(frontend, OTHER_TRANSMIT, frame);
                }
                // Some are in the device's hands, or on their way there, when the next reset comes.
                for (int i = 0; i < size / 2; i++)
                {
                    ring.add(frontend.memory().guestAddress(frame), FRAME, false);
                }
                ring.publish();
            }
            assertFalse(frontend.ring(TRANSMIT).hasError());
            assertFalse(frontend.ring(OTHER_TRANSMIT).hasError());
            final long judged = backend.workers().stream()
                .mapToLong(worker -> worker.counters().get(WorkerCounter.GUEST_FRAMES)).sum();
            assertTrue(judged >= sent, judged + " of " + sent);
        }
    }

    @Test
    void shouldNotOfferItUnlessAsked()
    {
        try (Backend backend = backend(0); Frontend frontend = frontend(0))
        {
            frontend.connect();
            assertFalse(frontend.has(NetFeatures.RING_RESET));
            assertEquals(2, backend.workers().size());
        }
    }

    /** Fills the ring and waits until all of it came back. */
    private static int send(final Frontend frontend, final int index, final int frame)
    {
        final DriverRing ring = frontend.ring(index).ring();
        final int free = ring.free();
        for (int i = 0; i < free; i++)
        {
            assertTrue(ring.add(frontend.memory().guestAddress(frame), FRAME, false) >= 0);
        }
        if (ring.publish())
        {
            frontend.ring(index).kick().signal();
        }
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (ring.free() < ring.size())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "ring " + index + " gives nothing back");
            if (ring.poll() == DriverRing.NONE)
            {
                LockSupport.parkNanos(50_000);
            }
        }
        return free;
    }

    private Backend backend(final long extra)
    {
        return Backend.launch(BackendConfig.builder().socketPath(directory.resolve("s").toString()).queues(2)
            .port(PortKind.NULL, null).extraFeatures(extra).conclude());
    }

    private Frontend frontend(final long layout)
    {
        return new Frontend(new FrontendConfig().socketPath(directory.resolve("s").toString()).queuePairs(2)
            .ringSize(SIZE).features(FrontendConfig.DEFAULT_FEATURES | RING_RESET | layout).timeoutMs(30_000));
    }
}
