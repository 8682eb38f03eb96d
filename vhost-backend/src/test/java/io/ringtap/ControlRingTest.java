package io.ringtap;

import io.ringtap.frontend.ControlDriver;
import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.vhost.control.Commands;
import io.ringtap.vhost.control.ControlCommand;
import io.ringtap.vhost.protocol.ConfigFlyweight;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.session.SessionCounter;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The control queue of a whole, running backend, as a driver uses and abuses it. */
class ControlRingTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final int PAIRS = 2;
    private static final int RX = 0;
    private static final int ADDRESS = 1;
    private static final int ANNOUNCE = 3;
    private static final int MANY = 4;
    private static final int OFFLOADS = 5;
    private static final int FRAME = 12 + 64;
    private static final long PACKED = 1L << NetFeatures.RING_PACKED;
    private static final long IN_ORDER = 1L << NetFeatures.IN_ORDER;
    private static final long MULTIPLE = 1L << NetFeatures.MQ;
    private static final long EXTRA = NetFeatures.CONTROL | 1L << NetFeatures.RSS | 1L << NetFeatures.STATUS |
        1L << NetFeatures.SPEED_DUPLEX;
    private static final long MAC = 0x0605_0403_0202L;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {0, PACKED, IN_ORDER, PACKED | IN_ORDER})
    @Tag("virtio.CTRL_VQ")
    void shouldAnswerOnRingsOfEachKind(final long layout)
    {
        try (Backend backend = backend(EXTRA); Frontend frontend = started(layout, 0))
        {
            final ControlDriver control = frontend.control();
            assertEquals(2 * PAIRS, control.ring().index());
            for (int i = 0; i < 200; i++)
            {
                assertEquals(ControlDriver.OK, control.send(RX, 0, Commands.on(i % 2 == 0)));
                assertEquals(ControlDriver.OK, control.send(MANY, 0, Commands.number(1 + i % 2)));
                assertEquals(ControlDriver.ERROR, control.send(MANY, 0, Commands.number(3)));
                assertEquals(ControlDriver.OK, control.send(OFFLOADS, 0, Commands.offloads(0)));
            }
            frontend.stop();
            frontend.start();
            assertEquals(ControlDriver.OK, control.send(RX, 0, Commands.on(true)));
            assertCarries(frontend);
            assertEquals(801, backend.session().counters().get(SessionCounter.CONTROL_COMMANDS));
            assertEquals(200, backend.session().counters().get(SessionCounter.CONTROL_REFUSALS));
        }
    }

    /** Who has not negotiated many pairs finds the control queue behind the first. */
    @ParameterizedTest
    @ValueSource(longs = {0, PACKED})
    void shouldServeADriverOfOnePairBehindThat(final long layout)
    {
        try (Backend backend = backend(EXTRA);
            Frontend frontend = frontend(layout, MULTIPLE | 1L << NetFeatures.RSS, 1))
        {
            frontend.connect();
            frontend.start();
            assertEquals(2, frontend.control().ring().index());
            assertEquals(ControlDriver.OK, frontend.control().send(RX, 0, Commands.on(true)));
            assertEquals(ControlDriver.ERROR, frontend.control().send(MANY, 0, Commands.number(1)));
            assertEquals(2, backend.workers().size());
        }
        try (Backend backend = backend(EXTRA); Frontend frontend = started(layout, 0))
        {
            assertEquals(ControlDriver.OK, frontend.control().send(MANY, 0, Commands.number(2)));
            assertEquals(2, backend.workers().size());
        }
    }

    @Test
    void shouldNotOfferItUnlessAsked()
    {
        try (Backend backend = backend(0); Frontend frontend = started(0, 0))
        {
            assertNull(frontend.control());
            assertEquals(2, backend.workers().size());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, PACKED})
    void shouldGiveChainsBackThatAreNoCommands(final long layout)
    {
        try (Backend backend = backend(EXTRA); Frontend frontend = started(layout, 0))
        {
            final ControlDriver control = frontend.control();
            final long at = control.address(control.buffer());
            final long far = at + 20 * 1024;
            final long[] two = {at, far};
            assertEquals(0, control.chain(two, new int[]{2, 1}, 2, 0), "nowhere to answer");
            assertEquals(1, control.chain(two, new int[]{1, 1}, 1, 1), "half a header");
            assertEquals(1, control.chain(new long[]{far}, new int[]{1}, 0, 1), "nothing to read");
            assertEquals(0, control.chain(new long[]{at}, new int[]{3}, 1, 0), "only to read");
            assertEquals(1, control.chain(two, new int[]{16 * 1024 + 3, 1}, 1, 1), "too long");
            assertEquals(ControlDriver.ERROR, frontend.memory().buffer().getByte(control.buffer() + 20 * 1024));
            assertEquals(0, control.chain(new long[]{0x10, far}, new int[]{3, 1}, 1, 1), "no memory");
            assertEquals(0, control.chain(new long[]{at, 0x10}, new int[]{3, 1}, 1, 1), "an answer to nowhere");
            assertEquals(1, control.chain(two, new int[]{3, 100}, 1, 1), "more room than an answer needs");
            assertFalse(control.ring().hasError());
            assertEquals(ControlDriver.OK, control.send(RX, 0, Commands.on(true)));
            assertEquals(ControlDriver.ERROR, control.send(ANNOUNCE, 0, new byte[0]), "nobody asked for it");
            assertCarries(frontend);
            assertTrue(backend.session().isConnected());
        }
    }

    /** In one piece, and byte by byte. */
    @Test
    void shouldTakeACommandInAnyPieces()
    {
        try (Backend backend = backend(EXTRA); Frontend frontend = started(0, 0))
        {
            final ControlDriver control = frontend.control();
            final byte[] command = {MANY, 0, 2, 0};
            final int at = control.buffer();
            frontend.memory().buffer().putBytes(at, command);
            for (int pieces = 1; pieces <= command.length; pieces++)
            {
                final long[] addresses = new long[pieces + 1];
                final int[] lengths = new int[pieces + 1];
                for (int i = 0; i < pieces; i++)
                {
                    addresses[i] = control.address(at + i);
                    lengths[i] = i == pieces - 1 ? command.length - i : 1;
                }
                addresses[pieces] = control.address(at + 100);
                lengths[pieces] = 1;
                frontend.memory().buffer().putByte(at + 100, (byte)ControlDriver.NO_ACK);
                assertEquals(1, control.chain(addresses, lengths, pieces, 1));
                assertEquals(ControlDriver.OK, frontend.memory().buffer().getByte(at + 100));
            }
            assertTrue(backend.session().isConnected());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, PACKED})
    void shouldStopTheControlRingAloneWhenItIsBroken(final long layout)
    {
        try (Backend backend = backend(EXTRA); Frontend frontend = started(layout, 0))
        {
            final ControlDriver control = frontend.control();
            final DriverRing ring = control.ring().ring();
            if (0 == layout)
            {
                // An available index that is further ahead than the ring is long.
                final int index = (int)(ring.driverAddress() - control.address(0)) + 2;
                frontend.memory().buffer().putShort(index, (short)1000);
            }
            else
            {
                // A chain without an end.
                for (int i = 0; i < ring.size(); i++)
                {
                    ring.pokeDescriptor(i, control.address(control.buffer()), 2, 1 | 1 << 7, 0);
                }
            }
            control.ring().kick().signal();
            await(() -> control.ring().hasError(), "the front-end is not told");
            assertCarries(frontend);
            assertTrue(backend.session().isConnected());
            frontend.stop();
        }
    }

    @Test
    @Tag("virtio.CTRL_MAC_ADDR")
    void shouldTellTheFrontEndOfTheAddressThatTheDriverSets()
    {
        try (Backend backend = backend(EXTRA); Frontend frontend = started(0, 0))
        {
            assertEquals(ControlDriver.OK, frontend.control().send(ADDRESS, 1, Commands.address(MAC)));
            assertEquals(MAC, config(frontend) & 0xFFFF_FFFF_FFFFL);
            assertTrue(backend.session().isConnected());
        }
    }

    @Test
    @Tag("virtio.GUEST_ANNOUNCE")
    void shouldAskTheGuestToAnnounceItselfUntilItDid()
    {
        try (Backend backend = backend(EXTRA); Frontend frontend = started(0, 0))
        {
            assertEquals(1, config(frontend) >>> 48);
            final long before = backend.session().counters().get(SessionCounter.BACKEND_MESSAGES);
            frontend.connection().command(Request.SEND_RARP, MAC, true);
            assertEquals(3, config(frontend) >>> 48);
            assertEquals(ControlDriver.OK, frontend.control().send(ANNOUNCE, 0, new byte[0]));
            assertEquals(1, config(frontend) >>> 48);
            assertEquals(ControlDriver.ERROR, frontend.control().send(ANNOUNCE, 0, new byte[0]));
            assertNotEquals(before, backend.session().counters().get(SessionCounter.BACKEND_MESSAGES), "it was told");
        }
    }

    @Test
    void shouldServeARingThatNobodyKicks()
    {
        try (Backend backend = backend(EXTRA);
            Frontend frontend = new Frontend(config(0, 0, PAIRS).hasNotifications(false)))
        {
            frontend.connect();
            frontend.start();
            assertEquals(ControlDriver.OK, frontend.control().send(RX, 0, Commands.on(true)));
            LockSupport.parkNanos(20_000_000);
            assertEquals(ControlDriver.OK, frontend.control().send(RX, 0, Commands.on(false)));
            assertTrue(backend.session().isConnected());
        }
    }

    @Test
    void shouldBeginAnewWithEachFrontEnd()
    {
        try (Backend backend = backend(EXTRA))
        {
            for (int i = 0; i < 3; i++)
            {
                try (Frontend frontend = started(0 == i % 2 ? PACKED : 0, 0))
                {
                    assertEquals(ControlDriver.OK, frontend.control().send(MANY, 0, Commands.number(2)));
                    assertCarries(frontend);
                }
                await(() -> !backend.session().isConnected(), "the session goes on");
            }
        }
    }

    /** Whatever a driver sends, the device answers and the other rings go on. */
    @ParameterizedTest
    @ValueSource(longs = {0, PACKED})
    void shouldSurviveAnyCommands(final long layout)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        int done = 0;
        try (Backend backend = backend(EXTRA); Frontend frontend = started(layout, 0))
        {
            final ControlDriver control = frontend.control();
            for (int i = 0; i < 500; i++)
            {
                final byte[] data = new byte[random.nextInt(random.nextBoolean() ? 12 : 400)];
                random.nextBytes(data);
                final ControlCommand[] all = ControlCommand.values();
                final ControlCommand command = all[random.nextInt(all.length)];
                final int result = random.nextInt(3) == 0 ?
                    control.send(random.nextInt(256), random.nextInt(256), data) :
                    control.send(command.group(), command.number(), data);
                assertTrue(result == ControlDriver.OK || result == ControlDriver.ERROR, "seed " + seed);
                done += result == ControlDriver.OK ? 1 : 0;
            }
            assertFalse(control.ring().hasError(), "seed " + seed);
            assertEquals(ControlDriver.OK, control.send(MANY, 0, Commands.number(PAIRS)), "seed " + seed);
            assertCarries(frontend);
            assertTrue(backend.session().isConnected(), "seed " + seed);
        }
        System.out.println("control ring, seed " + seed + ": " + done + " of 500 random commands were ones");
    }

    /** The first pair sends, and gets its buffers back. */
    private static void assertCarries(final Frontend frontend)
    {
        final DriverRing ring = frontend.ring(1).ring();
        final int frame = frontend.control().buffer();
        frontend.memory().buffer().setMemory(frame, FRAME, (byte)0);
        for (int i = 0; i < 32; i++)
        {
            assertTrue(ring.add(frontend.memory().guestAddress(frame), FRAME, false) >= 0);
        }
        if (ring.publish() && null != frontend.ring(1).kick())
        {
            frontend.ring(1).kick().signal();
        }
        await(() ->
        {
            while (DriverRing.NONE != ring.poll())
            {
                // Until all are back.
            }
            return ring.free() == ring.size();
        }, "the data ring gives nothing back");
        assertFalse(frontend.ring(1).hasError());
    }

    private static void await(final BooleanSupplier condition, final String complaint)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, complaint);
            LockSupport.parkNanos(50_000);
        }
    }

    /** The first eight bytes of the config space: address and status. */
    private static long config(final Frontend frontend)
    {
        final ConfigFlyweight message = new ConfigFlyweight();
        message.wrap(frontend.connection().buffer(), frontend.connection().payload());
        message.configOffset(0).size(8).flags(0);
        final int length = ConfigFlyweight.HEADER_LENGTH + 8;
        frontend.connection().ask(Request.GET_CONFIG, length, length);
        return frontend.connection().buffer().getLong(message.bytesOffset(), LITTLE_ENDIAN);
    }

    private Backend backend(final long extra)
    {
        return Backend.launch(BackendConfig.builder().socketPath(directory.resolve("s").toString()).queues(PAIRS)
            .port(PortKind.NULL, null).extraFeatures(extra).conclude());
    }

    private Frontend started(final long layout, final long without)
    {
        final Frontend frontend = frontend(layout, without, PAIRS);
        frontend.connect();
        frontend.start();
        return frontend;
    }

    private Frontend frontend(final long layout, final long without, final int pairs)
    {
        return new Frontend(config(layout, without, pairs));
    }

    private FrontendConfig config(final long layout, final long without, final int pairs)
    {
        return new FrontendConfig().socketPath(directory.resolve("s").toString()).queuePairs(pairs).ringSize(64)
            .protocolFeatures(FrontendConfig.DEFAULT_PROTOCOL_FEATURES | ProtocolFeature.CONFIG.mask())
            .features((FrontendConfig.DEFAULT_FEATURES | EXTRA | layout) & ~without).timeoutMs(30_000);
    }
}
