package io.ringtap;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Backends that come and go under a guest whose queues never rest; the guest ends if a chain comes back twice. */
class InflightRestartTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final long PACKED = 1L << NetFeatures.RING_PACKED;
    private static final long IN_ORDER = 1L << NetFeatures.IN_ORDER;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {0, PACKED, IN_ORDER, PACKED | IN_ORDER})
    void shouldGoOnWhereTheLastOneEnded(final long layout) throws Exception
    {
        Backend backend = backend();
        try (Guest guest = guest(layout))
        {
            guest.start();
            assertNotNull(guest.frontend().inflightFile());
            guest.generate(new PktgenConfig().spec(spec()));
            for (int i = 0; i < 5; i++)
            {
                final long before = guest.sum(GuestCounter.RETURNED_FRAMES);
                await(() -> guest.sum(GuestCounter.RETURNED_FRAMES) > before + 2000);
                backend.close();
                await(guest::isPeerGone);
                backend = backend();
                guest.frontend().reconnect();
            }
            guest.stopGenerating();
            await(() -> !guest.isGenerating() && guest.inFlight() == 0);
            assertNull(guest.failure());
            assertEquals(0, guest.sum(GuestCounter.RECEIVE_FAULTS));
        }
        finally
        {
            backend.close();
        }
    }

    private Backend backend()
    {
        return Backend.launch(BackendConfig.builder().socketPath(directory.resolve("s").toString())
            .port(PortKind.NULL, null).conclude());
    }

    private Guest guest(final long layout) throws Exception
    {
        return new Guest(
            new FrontendConfig().socketPath(directory.resolve("s").toString()).timeoutMs(30_000)
                .features(FrontendConfig.DEFAULT_FEATURES | layout)
                .protocolFeatures(
                    FrontendConfig.DEFAULT_PROTOCOL_FEATURES | ProtocolFeature.INFLIGHT_SHMFD.mask()),
            new GuestConfig().addresses(new GuestAddresses(
                MacAddress.parse("52:54:00:00:00:02"), InetAddress.getByName("198.18.7.2"), null)));
    }

    private static FrameSpec spec() throws Exception
    {
        return new FrameSpec(MacAddress.parse("52:54:00:00:00:02"), MacAddress.parse("52:54:00:00:00:03"),
            InetAddress.getByName("198.18.7.2"), InetAddress.getByName("198.18.7.3"), false, 10_000, 9,
            ChecksumMode.FULL);
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "nothing happened");
            LockSupport.parkNanos(1_000_000);
        }
    }
}
