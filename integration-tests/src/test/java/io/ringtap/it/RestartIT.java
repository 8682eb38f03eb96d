package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * SIGKILL of the backend at any moment under load in both directions, over and over, with a front-end that tracks what
 * is in flight: no descriptor is lost, none comes back twice. {@code -Dringtap.it.seed=N} for other moments.
 */
class RestartIT extends KeptTap
{
    private static final long SEED = Long.getLong("ringtap.it.seed", 0);
    private static final int LAYOUTS = 4;
    private static final int RING = 256;
    private static final int TAKEOVERS = 3;
    /** A TAP that the backend makes, and that goes with its last descriptor. */
    private static final String MADE = "rt-made0";
    private static final int ENOUGH = 300;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Datagrams to the guest: as many as the kernel takes. */
    private static final int BURST = 20;
    private static final long BETWEEN_NS = 200_000;
    private static final long GOAL_MS = 1000;

    @ParameterizedTest
    @CsvSource({"split, 1", "packed, 2", "split in order, 3", "packed in order, 4"})
    void shouldLoseAndRepeatNoDescriptorWhenTheBackendIsKilled(final String layout, final long number) throws Exception
    {
        final long seed = SEED * LAYOUTS + number;
        final Random random = new Random(seed);
        Ringtap backend = serve();
        try (Frontend frontend = connected(layout); DescriptorLedger ledger = new DescriptorLedger(frontend);
            HostFlood flood = new HostFlood(lab.netns(), BURST, BETWEEN_NS))
        {
            frontend.start();
            assertNotNull(frontend.inflightFile());
            ledger.start();
            final OutageTimes outages = new OutageTimes(GOAL_MS);
            awaitTraffic(ledger, seed, 0);
            for (int kill = 1; kill <= KILLS / LAYOUTS; kill++)
            {
                pause(random);
                final long killedNs = System.nanoTime();
                backend.kill();
                ledger.mark();
                backend = serve();
                frontend.reconnect();
                awaitTraffic(ledger, seed, kill);
                outages.add(ledger.backNs() - killedNs);
                assertFalse(frontend.ring(0).hasError() || frontend.ring(1).hasError(), "a ring is broken");
            }
            final boolean isAllBack = ledger.end(LIMIT);
            assertNull(ledger.fault());
            assertTrue(isAllBack, "what was sent is not all back: " + ledger);
            Progress.say(layout + ", seed " + seed + ": " + KILLS / LAYOUTS + " kills, " + ledger + " of " +
                flood.sent() + " datagrams, none lost or repeated; from SIGKILL to the first chain back in each " +
                "direction: " + outages);
        }
    }

    @ParameterizedTest
    @CsvSource({"split", "packed in order"})
    void shouldLoseNothingWhenASuccessorTakesOver(final String layout) throws Exception
    {
        final String[] options = {"--tap=" + MADE, "--control=" + lab.socket("control.sock")};
        // Nobody runs yet: it starts as usual, and makes the TAP.
        Ringtap backend = Ringtap.serve(lab, "first", socket, "--takeover", options[0], options[1]);
        Await.until("the TAP", LIMIT, () -> lab.netns().hasInterface(MADE));
        final String index = lab.netns().check("cat", "/sys/class/net/" + MADE + "/ifindex");
        lab.netns().check("ip", "link", "set", MADE, "mtu", "1400");
        try (Frontend frontend = connected(layout); DescriptorLedger ledger = new DescriptorLedger(frontend))
        {
            frontend.start();
            ledger.start();
            final List<Long> outages = new ArrayList<>();
            for (int i = 0; i < TAKEOVERS; i++)
            {
                awaitSent(ledger);
                final Ringtap successor = Ringtap.takeOver(lab, "successor-" + i, backend, options);
                final long endedNs = System.nanoTime();
                frontend.reconnect();
                awaitSent(ledger);
                outages.add((System.nanoTime() - endedNs) / 1_000_000);
                backend = successor;
                assertEquals(index, lab.netns().check("cat", "/sys/class/net/" + MADE + "/ifindex"), "the same TAP");
                assertEquals("1400", lab.netns().check("cat", "/sys/class/net/" + MADE + "/mtu").strip());
            }
            final boolean isAllBack = ledger.end(LIMIT);
            assertNull(ledger.fault());
            assertTrue(isAllBack, "what was sent is not all back: " + ledger);
            Progress.say(layout + ": " + TAKEOVERS + " takeovers, " + ledger + ", the same TAP; ms from the end of " +
                "one to " + ENOUGH + " chains through the next: " + outages);
        }
        assertEquals(0, backend.terminate());
        assertFalse(Files.exists(socket), "the last one removes the socket");
        assertFalse(lab.netns().hasInterface(MADE), "the TAP goes with the last one");
    }

    private static void awaitSent(final DescriptorLedger ledger)
    {
        final long transmitted = ledger.transmitted();
        Await.until(() -> "traffic: " + ledger + ", " + ledger.fault(), LIMIT,
            () -> ledger.transmitted() - transmitted > ENOUGH);
    }

    /** Each ring went round once at least: whatever was in flight at the kill has come back. */
    private static void awaitTraffic(final DescriptorLedger ledger, final long seed, final int kill)
    {
        final long received = ledger.received();
        final long transmitted = ledger.transmitted();
        Await.until(() -> "traffic after kill " + kill + ", seed " + seed + ": " + ledger + ", " + ledger.fault(),
            LIMIT, () ->
            {
                assertNull(ledger.fault(), "seed " + seed + ", kill " + kill);
                return ledger.received() - received > ENOUGH && ledger.transmitted() - transmitted > ENOUGH;
            });
    }

    private Frontend connected(final String layout)
    {
        final Frontend frontend = new Frontend(config(layout));
        frontend.connect();
        return frontend;
    }

    private FrontendConfig config(final String layout)
    {
        return new FrontendConfig()
            .socketPath(socket.toString())
            .ringSize(RING)
            .timeoutMs((int)LIMIT.toMillis())
            .features(FrontendConfig.DEFAULT_FEATURES & ~NetFeatures.bit(NetFeatures.GUEST_TSO4) &
                ~NetFeatures.bit(NetFeatures.GUEST_TSO6) & ~NetFeatures.bit(NetFeatures.GUEST_USO4) &
                ~NetFeatures.bit(NetFeatures.GUEST_USO6) |
                (layout.startsWith("packed") ? NetFeatures.bit(NetFeatures.RING_PACKED) : 0) |
                (layout.endsWith("in order") ? NetFeatures.bit(NetFeatures.IN_ORDER) : 0))
            .protocolFeatures(FrontendConfig.DEFAULT_PROTOCOL_FEATURES | ProtocolFeature.INFLIGHT_SHMFD.mask());
    }
}
