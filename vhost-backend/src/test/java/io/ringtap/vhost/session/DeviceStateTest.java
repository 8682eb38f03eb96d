package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.CHECK_DEVICE_STATE;
import static io.ringtap.vhost.protocol.Request.SET_DEVICE_STATE_FD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.DeviceStateFlyweight;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device's state on its way from one back-end to another, by a front-end that trusts neither. */
class DeviceStateTest
{
    private static final int SAVE = DeviceStateFlyweight.DIRECTION_SAVE;
    private static final int LOAD = DeviceStateFlyweight.DIRECTION_LOAD;
    private static final long TAKEN = 0x100;
    private static final long REFUSED = 0x101;

    private final SessionFixture fixture = new SessionFixture(2);
    private FrontendScript script;
    private int descriptors;

    @BeforeEach
    void stop()
    {
        script = fixture.running();
        fixture.dataPlane.bases[0] = 1298;
        fixture.dataPlane.bases[1] = 64990;
        script.askBase(0);
        script.askBase(1);
        fixture.dataPlane.takeCalls();
        descriptors = OpenDescriptors.count();
    }

    @AfterEach
    void tearDown()
    {
        script.close();
        fixture.close();
    }

    @Test
    @Tag("message.SET_DEVICE_STATE_FD")
    @Tag("message.CHECK_DEVICE_STATE")
    @Tag("protocol.DEVICE_STATE")
    void shouldGoOnElsewhereWhereItWas()
    {
        final byte[] state = save();
        final SessionFixture other = new SessionFixture(2);
        final FrontendScript destination = other.negotiated();
        other.dataPlane.takeCalls();

        assertEquals(0, load(destination, state));

        assertEquals("enable 0, enable 1", other.dataPlane.takeCalls());
        assertEquals(1298, destination.askBase(0));
        assertEquals(64990, destination.askBase(1));
        destination.close();
        other.close();
    }

    /** A migration that fails leaves the source as it was. */
    @Test
    void shouldGoOnWhereItIsAfterSaving()
    {
        save();
        assertEquals(1298, script.askBase(0));
        assertEquals("", fixture.dataPlane.takeCalls());
        fixture.guest.setUpRing(script, 0, 1298);
        assertTrue(fixture.dataPlane.takeCalls().contains("start 0 size 256 base 512"));
        assertEquals(descriptors, OpenDescriptors.count());
    }

    @Test
    void shouldRefuseWhileRingsRun()
    {
        fixture.guest.setUpRing(script, 0, 1298);
        final Fd[] pipe = pipe();
        assertEquals(REFUSED, begin(script, SAVE, 0, pipe[1]));
        assertEquals(0, read(pipe[0]).length);
        pipe[0].close();
    }

    @Test
    void shouldRefuseOtherDirectionsAndPhases()
    {
        for (final int[] wrong : new int[][] {{2, 0}, {-1, 0}, {SAVE, 1}, {LOAD, -1}})
        {
            final Fd[] pipe = pipe();
            assertEquals(REFUSED, begin(script, wrong[0], wrong[1], pipe[1]));
            pipe[0].close();
        }

        assertEquals(descriptors, OpenDescriptors.count());
        assertTrue(0 != check(script));
    }

    @Test
    void shouldHaveNothingToSayOfATransferThatWasNotBegunOrIsOver()
    {
        assertTrue(0 != check(script));
        save();
        assertTrue(0 != check(script));
    }

    @Test
    void shouldRefuseWhatWasChangedOnItsWay()
    {
        final byte[] state = save();
        for (int i = 0; i < state.length; i++)
        {
            final byte[] changed = state.clone();
            changed[i] ^= 0x10;
            assertTrue(0 != load(script, changed), "byte " + i);
        }

        assertEquals("", fixture.dataPlane.takeCalls());
        assertEquals(1298, script.askBase(0));
    }

    @Test
    void shouldRefuseWhatIsNotAllOfItOrMore()
    {
        final byte[] state = save();
        for (int length = 0; length < state.length; length++)
        {
            assertTrue(0 != load(script, Arrays.copyOf(state, length)), length + " bytes");
        }

        assertTrue(0 != load(script, Arrays.copyOf(state, state.length + 1)));
        assertTrue(0 != load(script, new byte[DeviceState.MAX_LENGTH + 1]));
        assertTrue(0 != load(script, new byte[32 * 1024]));
        assertEquals(descriptors, OpenDescriptors.count());
    }

    @Test
    void shouldRefuseNumbersThatDoNotFitThoughTheChecksumDoes()
    {
        final byte[] state = save();
        assertTrue(0 != load(script, with(state, DeviceState.VERSION_OFFSET, 2)));
        assertTrue(0 != load(script, with(state, DeviceState.LENGTH_OFFSET, -1)));
        assertTrue(0 != load(script, with(state, DeviceState.RINGS_OFFSET, 1)));
        assertTrue(0 != load(script, with(state, DeviceState.RINGS_OFFSET, -1)));
        assertTrue(0 != load(script, with(state, DeviceState.FEATURES_OFFSET + 4, 1 << 31)));
        assertEquals("", fixture.dataPlane.takeCalls());
        assertEquals(0, load(script, with(state, DeviceState.HEADER_LENGTH, 7)));
        assertEquals(7, script.askBase(0));
    }

    @Test
    void shouldRefuseAStateOfMoreRingsThanThereAre()
    {
        final SessionFixture larger = new SessionFixture(4);
        final FrontendScript source = larger.negotiated();
        final byte[] state = save(source);
        assertTrue(0 != load(script, state));
        source.close();
        larger.close();
    }

    @Test
    void shouldSurviveAnyBytes()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final byte[] state = save();
        for (int i = 0; i < 500; i++)
        {
            final byte[] bytes = random.nextBoolean() ? state.clone() : new byte[random.nextInt(300)];
            for (int j = random.nextInt(4); j >= 0 && bytes.length > 0; j--)
            {
                bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            }

            load(script, bytes);
            assertTrue(fixture.agent.isConnected(), "seed " + seed);
        }

        assertEquals(0, fixture.count(SessionCounter.SESSION_FAILURES), "seed " + seed);
        assertEquals(descriptors, OpenDescriptors.count(), "seed " + seed);
    }

    @Test
    void shouldSayThatItFailedWhenTheChannelIsNone()
    {
        final Fd[] pipe = pipe();
        pipe[0].close();
        assertEquals(REFUSED, begin(script, SAVE, 0, pipe[1]));
        assertTrue(0 != check(script));
    }

    /** The front-end closes its end before it asks; one that does not gets no answer to wait for but an error. */
    @Test
    void shouldNotWaitForAnEndThatDoesNotCome()
    {
        final Fd[] pipe = pipe();
        assertEquals(TAKEN, begin(script, LOAD, 0, pipe[0]));
        assertTrue(0 != check(script));
        pipe[1].close();
        assertEquals(descriptors, OpenDescriptors.count());
    }

    @Test
    void shouldForgetATransferThatNobodyAsksAfter()
    {
        final Fd[] pipe = pipe();
        assertEquals(TAKEN, begin(script, LOAD, 0, pipe[0]));
        script.hangUp();
        assertFalse(fixture.agent.isConnected());
        assertEquals(-Errno.EPIPE, Syscalls.write(pipe[1].number(), Memory.scratch(1), 0, 1));
        pipe[1].close();
    }

    private byte[] save()
    {
        return save(script);
    }

    private static byte[] save(final FrontendScript from)
    {
        final Fd[] pipe = pipe();
        assertEquals(TAKEN, begin(from, SAVE, 0, pipe[1]));
        final byte[] state = read(pipe[0]);
        pipe[0].close();
        assertEquals(0, check(from));
        return state;
    }

    private static long load(final FrontendScript into, final byte[] state)
    {
        final Fd[] pipe = pipe();
        assertEquals(TAKEN, begin(into, LOAD, 0, pipe[0]));
        if (state.length > 0)
        {
            final UnsafeBuffer bytes = Memory.scratch(state.length);
            bytes.putBytes(0, state);
            assertEquals(state.length, Syscalls.write(pipe[1].number(), bytes, 0, state.length));
        }

        pipe[1].close();
        return check(into);
    }

    /** Ours is closed when it was sent. */
    private static long begin(final FrontendScript with, final int direction, final int phase, final Fd end)
    {
        with.send(SET_DEVICE_STATE_FD, Payloads.state(direction, phase), end.number());
        end.close();
        return with.u64(SET_DEVICE_STATE_FD.code());
    }

    private static long check(final FrontendScript with)
    {
        return with.askU64(CHECK_DEVICE_STATE);
    }

    private static byte[] read(final Fd from)
    {
        final UnsafeBuffer bytes = Memory.scratch(64 * 1024);
        final int length = Syscalls.read(from.number(), bytes, 0, bytes.capacity());
        final byte[] read = new byte[Math.max(0, length)];
        bytes.getBytes(0, read);
        assertEquals(0, 0 == read.length ? 0 : Syscalls.read(from.number(), bytes, 0, 1), "the end");
        return read;
    }

    private static byte[] with(final byte[] state, final int offset, final int value)
    {
        final byte[] changed = state.clone();
        final CRC32 crc = new CRC32();
        Payloads.buffer(state.length).put(changed).putInt(offset, value).rewind().get(changed);
        crc.update(changed, 0, changed.length - DeviceState.CRC_LENGTH);
        Payloads.buffer(state.length).put(changed)
            .putInt(changed.length - DeviceState.CRC_LENGTH, (int)crc.getValue()).rewind().get(changed);
        return changed;
    }

    private static Fd[] pipe()
    {
        final Fd[] ends = new Fd[2];
        Syscalls.pipe(ends, Fcntl.O_NONBLOCK);
        return ends;
    }
}
