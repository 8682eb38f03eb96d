package io.ringtap;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A built-in guest that moves from one backend to another under traffic, with its log and the device's state. */
class FrontendMigrationTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final int LOG_BYTES = 1 << 20;
    private static final long PACKED = 1L << NetFeatures.RING_PACKED;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {0, PACKED})
    void shouldGoOnElsewhereWithALogOfWhatWasWritten(final long layout) throws Exception
    {
        Backend backend = backend();
        try (Guest guest = guest(layout); Fd log = MemFd.create("test-log", LOG_BYTES))
        {
            guest.start();
            final Frontend frontend = guest.frontend();
            guest.generate(new PktgenConfig().spec(spec()));
            awaitFrames(guest);
            assertEquals(0, marks(log));
            frontend.logWrites(log, LOG_BYTES);
            awaitFrames(guest);
            frontend.endLogging();
            assertTrue(0 < marks(log), "nothing was logged");
            assertThrows(FrontendException.class, frontend::saveState, "with running rings");
            frontend.stop();
            final byte[] state = frontend.saveState();
            backend.close();
            backend = backend();
            frontend.disconnect();
            frontend.connect();
            assertThrows(FrontendException.class, () -> frontend.loadState(new byte[state.length]));
            frontend.loadState(state);
            frontend.start();
            awaitFrames(guest);
            guest.stopGenerating();
            await(() -> !guest.isGenerating() && guest.inFlight() == 0);
            assertNull(guest.failure());
        }
        finally
        {
            backend.close();
        }
    }

    private static void awaitFrames(final Guest guest)
    {
        final long before = guest.sum(GuestCounter.RETURNED_FRAMES);
        await(() -> guest.sum(GuestCounter.RETURNED_FRAMES) > before + 2000);
    }

    private static int marks(final Fd log)
    {
        int marks = 0;
        try (Mapping mapping = Mapping.shared(log.number(), 0, LOG_BYTES, "log"))
        {
            for (int i = 0; i < LOG_BYTES; i += Long.BYTES)
            {
                marks += Long.bitCount(mapping.buffer().getLong(i));
            }
        }
        return marks;
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
                .protocolFeatures(FrontendConfig.DEFAULT_PROTOCOL_FEATURES | ProtocolFeature.DEVICE_STATE.mask()),
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
