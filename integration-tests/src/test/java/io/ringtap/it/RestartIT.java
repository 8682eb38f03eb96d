package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.NetnsThread;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * SIGKILL of the backend at any moment under load in both directions, over and over, with a front-end that tracks what
 * is in flight: no descriptor is lost, none comes back twice. The kills of the build are few;
 * {@code -Dringtap.it.kills=200} makes them many.
 */
class RestartIT
{
    private static final int KILLS = Integer.getInteger("ringtap.it.kills", 20);
    private static final int LAYOUTS = 4;
    private static final int RING = 256;
    private static final int TAKEOVERS = 3;
    /** A TAP that the backend makes, and that goes with its last descriptor. */
    private static final String MADE = "rt-made0";
    private static final int ENOUGH = 300;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Lab lab;
    private Path socket;
    private volatile boolean isEnding;

    @BeforeEach
    void open()
    {
        Provision.kit();
        lab = Lab.open(RestartIT.class);
        socket = lab.socket("vhost.sock");
        lab.netns().addTap(Wire.TAP, false);
        Wire.raise(lab.netns());
        lab.netns().check("ip", "neigh", "replace", Wire.GUEST, "lladdr", QemuGuest.MAC, "dev", Wire.TAP);
    }

    @AfterEach
    void takeDown()
    {
        isEnding = true;
        lab.close();
    }

    @ParameterizedTest
    @CsvSource({"split, 1", "packed, 2", "split in order, 3", "packed in order, 4"})
    void shouldLoseAndRepeatNoDescriptorWhenTheBackendIsKilled(final String layout, final long seed) throws Exception
    {
        final int kills = KILLS / LAYOUTS;
        final Random random = new Random(seed);
        Ringtap backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        try (Frontend frontend = connected(layout); DescriptorLedger ledger = new DescriptorLedger(frontend))
        {
            frontend.start();
            assertNotNull(frontend.inflightFile());
            ledger.start();
            final Thread host = new Thread(this::flood, "host");
            host.start();
            final List<Long> outages = new ArrayList<>();
            awaitTraffic(ledger, seed, 0);
            for (int kill = 1; kill <= kills; kill++)
            {
                LockSupport.parkNanos(random.nextInt(80_000_000));
                backend.kill();
                final long killedNs = System.nanoTime();
                backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
                frontend.reconnect();
                awaitTraffic(ledger, seed, kill);
                outages.add((System.nanoTime() - killedNs) / 1_000_000);
                assertFalse(frontend.ring(0).hasError() || frontend.ring(1).hasError(), "a ring is broken");
            }
            final boolean isAllBack = ledger.end(LIMIT);
            isEnding = true;
            host.join(LIMIT.toMillis());
            assertNull(ledger.fault());
            assertTrue(isAllBack, "what was sent is not all back: " + ledger);
            outages.sort(null);
            Progress.say(layout + ", seed " + seed + ": " + kills + " kills, " + ledger + ", none lost or repeated; " +
                "ms from SIGKILL to " + ENOUGH + " chains each way, process start included: " + outages);
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

    /** Datagrams to the guest as fast as the kernel takes them, from a socket inside the namespace. */
    private void flood()
    {
        try (DatagramSocket sender = NetnsThread.call(lab.netns(), () -> new DatagramSocket()))
        {
            final byte[] payload = new byte[200];
            final DatagramPacket packet = new DatagramPacket(payload, payload.length,
                new InetSocketAddress(InetAddress.getByName(Wire.GUEST), 9));
            while (!isEnding)
            {
                send(sender, packet);
            }
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void send(final DatagramSocket sender, final DatagramPacket packet)
    {
        try
        {
            for (int i = 0; i < 20; i++)
            {
                sender.send(packet);
            }
        }
        catch (final IOException ex)
        {
            // The TAP has no carrier while nobody serves it.
            LockSupport.parkNanos(1_000_000);
        }
        LockSupport.parkNanos(200_000);
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
