package io.ringtap.hostile;

import io.ringtap.hostile.RawFrontend.Message;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.session.SessionCounter;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static io.ringtap.hostile.HostileBed.await;
import static io.ringtap.hostile.RawFrontend.GUEST;
import static io.ringtap.hostile.RawFrontend.SIZE;
import static io.ringtap.hostile.RawFrontend.USER;
import static io.ringtap.hostile.RawFrontend.longs;
import static io.ringtap.hostile.RawFrontend.message;
import static io.ringtap.hostile.RawFrontend.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/**
 * Front-ends that say and hand over what they should not, against a running process: a session is lost at most, the
 * next front-end is served, a neighbour notices nothing, and nothing of what was handed over is kept.
 */
class FrontendAttackTest
{
    private static final HostileSetting SETTING = HostileSetting.SPLIT;
    private static final long FEATURES = 1L << 32 | 1L << 30 | 1L << 15;
    private static final int CONNECTIONS = 1000;
    private static final int NEIGHBOUR_EVERY = 16;

    private HostileBed bed;
    private int cases;

    @BeforeEach
    void open()
    {
        bed = new HostileBed(SETTING);
    }

    @AfterEach
    void close()
    {
        System.out.println("hostile front-end: " + cases + " cases");
        serveTheNext();
        assertEquals(0, bed.attacked().session().counters().get(SessionCounter.SESSION_FAILURES), "faults of ours");
        bed.close();
    }

    @Test
    void shouldTakeNoDescriptorForWhatItIsNot()
    {
        final Request[] requests = {Request.SET_VRING_KICK, Request.SET_VRING_CALL, Request.SET_VRING_ERR,
            Request.ADD_MEM_REG, Request.SET_MEM_TABLE, Request.SET_BACKEND_REQ_FD, Request.SET_LOG_BASE,
            Request.SET_LOG_FD, Request.SET_INFLIGHT_FD, Request.SET_DEVICE_STATE_FD};
        for (final Request request : requests)
        {
            for (final WrongDescriptor wrong : WrongDescriptor.ALL)
            {
                final List<AutoCloseable> opened = new ArrayList<>();
                run(request + " with " + wrong.name(), (frontend) ->
                {
                    frontend.negotiate(FEATURES);
                    final long ack = frontend.acked(request, payload(request), wrong.make().applyAsInt(opened));
                    switch (request)
                    {
                        case SET_VRING_KICK -> assertNotEquals(0, ack);
                        case SET_VRING_CALL, SET_VRING_ERR -> assertEquals(wrong.isEvent(), 0 == ack);
                        case ADD_MEM_REG, SET_MEM_TABLE -> assertEquals(wrong.isRoom(), 0 == ack);
                        default ->
                        {
                            // Refused or of no use; what counts is what comes after.
                        }
                    }
                });
                CloseHelper.closeAll(opened);
            }
        }
    }

    private static byte[] payload(final Request request)
    {
        return switch (request)
        {
            case ADD_MEM_REG -> longs(0, GUEST, SIZE, USER, 0);
            case SET_MEM_TABLE -> longs(1, GUEST, SIZE, USER, 0);
            case SET_VRING_KICK, SET_VRING_CALL, SET_VRING_ERR -> longs(0);
            case SET_LOG_BASE -> longs(SIZE, 0);
            case SET_INFLIGHT_FD -> longs(4096, 0, 2 | 64 << 16);
            case SET_DEVICE_STATE_FD -> state(1, 0);
            default -> new byte[0];
        };
    }

    @Test
    void shouldRefuseRegionsThatCannotBe()
    {
        final long top = Long.MIN_VALUE;
        final long[][] bad = {
            {GUEST, 0, USER, 0}, {GUEST, -1, USER, 0}, {GUEST, top, USER, 0}, {GUEST, Long.MAX_VALUE, USER, 0},
            {GUEST, SIZE + 1, USER, 0}, {GUEST, SIZE, USER, 1}, {GUEST, SIZE, USER, 4096}, {GUEST, SIZE, USER, -1},
            {GUEST, SIZE, USER, -4096}, {GUEST, SIZE, USER, top}, {GUEST, SIZE, USER, Long.MAX_VALUE},
            {GUEST, 4096, USER, SIZE}, {GUEST, 4096, USER, SIZE - 4095}, {-1, SIZE, USER, 0}, {-SIZE, SIZE, USER, 0},
            {-4096, SIZE, USER, 0}, {GUEST, SIZE, -1, 0}, {GUEST, SIZE, -SIZE, 0}, {GUEST, SIZE, -4096, 0},
            {-SIZE + 1, SIZE, -SIZE + 1, 0}, {GUEST, 1L << 40, USER, 0}, {GUEST, 1L << 62, USER, 1L << 62},
            {GUEST, SIZE, USER, 1L << 63 | SIZE}};
        for (final long[] region : bad)
        {
            final byte[] single = longs(0, region[0], region[1], region[2], region[3]);
            final byte[] table = longs(1, region[0], region[1], region[2], region[3]);
            run("region " + Arrays.toString(region), (frontend) ->
            {
                frontend.negotiate(FEATURES);
                assertNotEquals(0, frontend.acked(Request.ADD_MEM_REG, single, frontend.memory.number()));
            });
            run("table of " + Arrays.toString(region), (frontend) ->
            {
                frontend.negotiate(FEATURES);
                assertNotEquals(0, frontend.acked(Request.SET_MEM_TABLE, table, frontend.memory.number()));
            });
        }
    }

    @Test
    void shouldRefuseRegionsThatOverlap()
    {
        final long half = SIZE / 2;
        final long[][] bad = {
            {GUEST, half, USER, 0}, {GUEST, 4096, USER + 2 * SIZE, 0}, {GUEST + half - 1, half, USER + 2 * SIZE, 0},
            {GUEST - half + 1, half, USER + 2 * SIZE, 0}, {GUEST + 2 * SIZE, half, USER, 0},
            {GUEST + 2 * SIZE, half, USER + half - 1, 0}, {GUEST + 2 * SIZE, half, USER - half + 1, 0},
            {GUEST + 4096, 4096, USER + 4096, 0}, {GUEST - 4096, SIZE, USER + 2 * SIZE, 0}};
        for (final long[] region : bad)
        {
            run("a second region " + Arrays.toString(region), (frontend) ->
            {
                frontend.negotiate(FEATURES);
                assertEquals(0, frontend.acked(
                    Request.ADD_MEM_REG, longs(0, GUEST, half, USER, 0), frontend.memory.number()));
                assertNotEquals(0, frontend.acked(Request.ADD_MEM_REG,
                    longs(0, region[0], region[1], region[2], region[3]), frontend.memory.number()));
                assertNotEquals(0, frontend.acked(Request.SET_MEM_TABLE,
                    longs(2, GUEST, half, USER, 0, region[0], region[1], region[2], region[3]),
                    frontend.memory.number(), frontend.memory.number()));
            });
        }
    }

    @Test
    void shouldFillAndEmptyEverySlot()
    {
        final int most = 509;
        run("509 regions and one more, twice", (frontend) ->
        {
            frontend.negotiate(FEATURES);
            for (int round = 0; round < 2; round++)
            {
                for (int i = 0; i <= most; i++)
                {
                    final long at = i * 4096L;
                    assertEquals(i < most, 0 == frontend.acked(Request.ADD_MEM_REG,
                        longs(0, GUEST + at, 4096, USER + at, 0), frontend.memory.number()), "slot " + i);
                }
                for (int i = 0; i < most; i++)
                {
                    final long at = (round == 0 ? i : most - 1 - i) * 4096L;
                    assertEquals(0, frontend.acked(Request.REM_MEM_REG, longs(0, GUEST + at, 4096, USER + at, 0)));
                }
                assertNotEquals(0, frontend.acked(Request.REM_MEM_REG, longs(0, GUEST, 4096, USER, 0)));
            }
        });
    }

    @Test
    void shouldNotBelieveSizesOfLogsAndTrackingMemory()
    {
        final long[] numbers = {
            0, 1, 4095, 4096, SIZE, SIZE + 1L, 1L << 31, 1L << 32, 1L << 62, Long.MAX_VALUE, -1, -SIZE};
        for (final long size : numbers)
        {
            for (final long offset : new long[]{0, 1, -1, Long.MAX_VALUE})
            {
                run("a log of " + size + " at " + offset, (frontend) ->
                {
                    frontend.negotiate(FEATURES);
                    frontend.send(message(Request.SET_LOG_BASE, longs(size, offset), frontend.memory.number()));
                    frontend.send(message(Request.SET_FEATURES, longs(FEATURES | 1L << 26)));
                });
                run("tracking memory of " + size + " at " + offset, (frontend) ->
                {
                    frontend.negotiate(FEATURES);
                    frontend.send(message(Request.SET_INFLIGHT_FD, longs(size, offset, 0xFFFF_FFFFL),
                        frontend.memory.number()));
                    frontend.send(message(Request.GET_INFLIGHT_FD, longs(size, offset, 0xFFFF_FFFFL)));
                });
            }
        }
    }

    @Test
    void shouldSurviveMutatedConversations()
    {
        final long first = Long.getLong("ringtap.seed", 1);
        for (long seed = first; seed < first + 160; seed++)
        {
            final Random random = new Random(seed);
            run("seed " + seed, (frontend) ->
            {
                for (final Message each : frontend.conversation(FEATURES))
                {
                    final int times = 0 == random.nextInt(12) ? random.nextInt(3) : 1;
                    for (int i = 0; i < times; i++)
                    {
                        frontend.send(mutated(each, frontend, random), descriptors(each, frontend, random));
                    }
                    frontend.listen();
                }
            });
        }
    }

    private static byte[] mutated(final Message message, final RawFrontend frontend, final Random random)
    {
        byte[] bytes = message.bytes();
        for (int left = 0 == random.nextInt(3) ? 1 + random.nextInt(3) : 0; left > 0; left--)
        {
            final int at = random.nextInt(8) == 0 ? random.nextInt(12) :
                Math.min(bytes.length - 1, 12 + random.nextInt(Math.max(1, bytes.length - 12)));
            bytes[at] = random.nextBoolean() ? (byte)random.nextInt() : (byte)(bytes[at] ^ 1 << random.nextInt(8));
        }
        if (0 == random.nextInt(25))
        {
            bytes = Arrays.copyOf(bytes, random.nextInt(2 * bytes.length));
        }
        return bytes;
    }

    private static int[] descriptors(final Message message, final RawFrontend frontend, final Random random)
    {
        if (0 != random.nextInt(10))
        {
            return message.descriptors();
        }
        final int[] other = new int[random.nextInt(10)];
        for (int i = 0; i < other.length; i++)
        {
            other[i] = switch (random.nextInt(3))
            {
                case 0 -> frontend.memory.number();
                case 1 -> frontend.event.number();
                default -> frontend.socket();
            };
        }
        return other;
    }

    @Test
    void shouldOutlivePeersThatDoNotListenOrHurry()
    {
        run("a peer that never reads", (frontend) ->
        {
            final byte[] question = message(Request.GET_FEATURES, new byte[0]).bytes();
            await(() ->
            {
                frontend.send(question);
                return frontend.isClosedByPeer();
            }, "it may go on for ever");
        });
        run("a byte at a time", (frontend) ->
        {
            for (final Message each : frontend.conversation(FEATURES))
            {
                final byte[] bytes = each.bytes();
                frontend.send(Arrays.copyOf(bytes, 1), each.descriptors());
                for (int i = 1; i < bytes.length; i++)
                {
                    frontend.send(Arrays.copyOfRange(bytes, i, i + 1));
                }
                frontend.listen();
            }
            assertFalse(frontend.isClosedByPeer());
        });
        for (int length = 0; length < 20; length++)
        {
            final int cut = length;
            run("half a message of " + cut + " bytes, and gone", (frontend) -> frontend.send(
                Arrays.copyOf(message(Request.SET_FEATURES, longs(FEATURES)).bytes(), cut)));
        }
        for (int i = 0; i < CONNECTIONS; i++)
        {
            new RawFrontend(bed.path(HostileBed.ATTACKED)).close();
        }
        cases++;
    }

    @Test
    void shouldServeTheFirstOfTwo()
    {
        run("two front-ends on one socket", (first) ->
        {
            first.negotiate(FEATURES);
            for (int i = 0; i < 20; i++)
            {
                try (RawFrontend second = new RawFrontend(bed.path(HostileBed.ATTACKED)))
                {
                    await(second::isClosedByPeer, "the second is kept");
                }
            }
            assertEquals(0, first.acked(Request.SET_FEATURES, longs(FEATURES)));
        });
    }

    /** What a front-end does. */
    private interface Scene
    {
        void play(RawFrontend frontend);
    }

    private void run(final String name, final Scene scene)
    {
        cases++;
        final long disconnects = bed.attacked().session().counters().get(SessionCounter.DISCONNECTS);
        try (RawFrontend frontend = new RawFrontend(bed.path(HostileBed.ATTACKED)))
        {
            scene.play(frontend);
        }
        catch (final AssertionError | RuntimeException failure)
        {
            throw new AssertionError(name, failure);
        }
        await(() -> disconnects < bed.attacked().session().counters().get(SessionCounter.DISCONNECTS) &&
            !bed.attacked().session().isConnected(), name + ": the session does not end");
        if (0 == cases % NEIGHBOUR_EVERY)
        {
            bed.checkNeighbour();
        }
    }

    /** A front-end that behaves is served as if nothing had been. */
    private void serveTheNext()
    {
        bed.checkNeighbour();
        final long before = bed.sent(HostileBed.ATTACKED, 0);
        try (HostileDriver driver = bed.welcomeDriver(SETTING))
        {
            driver.sendGood(HostileDriver.SEND);
            await(() -> before < bed.sent(HostileBed.ATTACKED, 0), "the next front-end is not served");
        }
    }
}
