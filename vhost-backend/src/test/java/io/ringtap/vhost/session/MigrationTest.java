package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.GET_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_STATUS;
import static io.ringtap.vhost.protocol.Request.RESET_DEVICE;
import static io.ringtap.vhost.protocol.Request.SET_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_LOG_BASE;
import static io.ringtap.vhost.protocol.Request.SET_LOG_FD;
import static io.ringtap.vhost.protocol.Request.SET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ADDR;
import static io.ringtap.vhost.session.SessionFixture.LOG_ALL;
import static io.ringtap.vhost.session.SessionFixture.QEMU_FEATURES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.protocol.ProtocolFeature;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The dirty log over the socket, as QEMU speaks of it and as others may. */
class MigrationTest
{
    /** A bit for each page up to the end of the test's guest. */
    private static final int LOG_SIZE = (int)((TestGuest.GUEST_ADDRESS + TestGuest.SIZE) / 4096 / 8);
    private static final String GUEST_ADDRESS = Long.toHexString(TestGuest.GUEST_ADDRESS);

    private final SessionFixture fixture = new SessionFixture(2);
    private final FakeDataPlane dataPlane = fixture.dataPlane;
    private final Fd file = MemFd.create("log", LOG_SIZE);
    private FrontendScript script;
    private int descriptors;

    @BeforeEach
    void run()
    {
        script = fixture.running();
        descriptors = OpenDescriptors.count();
    }

    @AfterEach
    void tearDown()
    {
        script.close();
        fixture.close();
        file.close();
    }

    /** The messages as recorded with QEMU 10: the rings go on all the while. */
    @Test
    @Tag("message.SET_LOG_BASE")
    @Tag("protocol.LOG_SHMFD")
    @Tag("virtio.LOG_ALL")
    void shouldLogAsQemuWantsItAndStopWhenItCancels()
    {
        logBase(LOG_SIZE, 0);
        assertEquals("", dataPlane.takeCalls(), "nothing is logged before LOG_ALL");
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL)));
        script.askU64(GET_STATUS);
        for (int ring = 0; ring < 2; ring++)
        {
            assertEquals(0, script.acked(SET_VRING_ADDR, address(ring, 1)));
        }

        assertEquals("log, log ring 0 at " + GUEST_ADDRESS + ", log ring 1 at " + GUEST_ADDRESS,
            dataPlane.takeCalls());
        assertNotNull(dataPlane.running[0]);
        assertTrue(dataPlane.log.mark(TestGuest.GUEST_ADDRESS + TestGuest.SIZE - 1, 1));
        assertEquals(1, marks());

        script.send(SET_FEATURES, Payloads.u64(QEMU_FEATURES));
        script.askU64(GET_STATUS);
        script.send(SET_VRING_ADDR, address(0, 0)).send(SET_VRING_ADDR, address(1, 0)).silence();

        assertEquals("log none, log ring 0 at ffffffffffffffff, " +
            "log ring 1 at ffffffffffffffff", dataPlane.takeCalls());
        assertNotNull(dataPlane.running[1]);
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
        assertEquals(descriptors, OpenDescriptors.count());
    }

    /** Rings that start while a migration runs: QEMU sends LOG_ALL first, then the rings, then the log. */
    @Test
    void shouldCountAllAsWrittenWhenTheLogComesLate()
    {
        script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
        assertEquals("", dataPlane.takeCalls());

        logBase(LOG_SIZE, 0);

        assertEquals("log", dataPlane.takeCalls());
        assertEquals(TestGuest.SIZE / 4096, marks());
    }

    @Test
    void shouldMarkNothingByItselfWhenNoRingRanWithoutTheLog()
    {
        script.askBase(0);
        script.askBase(1);
        script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
        logBase(LOG_SIZE, 0);
        assertEquals(0, marks());
    }

    @Test
    void shouldMoveToANewLogUnderWay()
    {
        logBase(LOG_SIZE, 0);
        script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
        final DirtyLog first = dataPlane.log;
        dataPlane.takeCalls();

        logBase(LOG_SIZE, 0);

        assertEquals("log", dataPlane.takeCalls());
        assertTrue(first != dataPlane.log);
        assertEquals(1, logMappings());
        assertEquals(0, marks());
    }

    @Test
    @Tag("message.SET_LOG_FD")
    void shouldTellTheFrontEndsDescriptorOfWritesWheneverItComes()
    {
        try (EventFd told = EventFd.create())
        {
            script.send(SET_LOG_FD, Payloads.NONE, told.number());
            assertEquals("", dataPlane.takeCalls());
            logBase(LOG_SIZE, 0);
            script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
            assertEquals("log told", dataPlane.takeCalls());
            dataPlane.logSignal.signal();
            assertEquals(1, told.drain());

            assertEquals(0, script.acked(SET_LOG_FD, Payloads.NONE, told.number()));

            assertEquals("log told", dataPlane.takeCalls());
            assertEquals(descriptors + 2, OpenDescriptors.count(), "ours and the one that took its place");
        }
    }

    /** QEMU does not look into the answer to SET_LOG_BASE: a migration without its log must fail where it does look. */
    @Test
    void shouldRefuseLogAllWhenTheLogWasRefused()
    {
        assertEquals(1, answer(script, Payloads.log(LOG_SIZE, 4096), file.number()));
        assertTrue(0 != script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL)));
        assertEquals("", dataPlane.takeCalls());

        logBase(LOG_SIZE, 0);
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL)));
        assertEquals("log", dataPlane.takeCalls());
    }

    @Test
    void shouldKeepTheLogWhenItsSuccessorIsRefused()
    {
        logBase(LOG_SIZE, 0);
        script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
        dataPlane.takeCalls();
        assertEquals(1, answer(script, Payloads.log(-1, 0), file.number()));
        assertEquals(1, answer(script, Payloads.log(0, 0), file.number()));
        assertEquals(1, answer(script, Payloads.log(LOG_SIZE, -1), file.number()));
        assertEquals(1, answer(script, Payloads.log(LOG_SIZE, 0), fixture.guest.event.number()));
        assertEquals("", dataPlane.takeCalls());
        assertTrue(dataPlane.log.mark(TestGuest.GUEST_ADDRESS, 1));
        assertEquals(1, marks());
        assertEquals(1, logMappings());
    }

    @Test
    void shouldStopLoggingWhenTheDeviceIsReset()
    {
        logBase(LOG_SIZE, 0);
        script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
        script.send(RESET_DEVICE, Payloads.NONE);
        assertTrue(dataPlane.takeCalls().contains("log none"));
        assertNull(dataPlane.log);
    }

    @Test
    void shouldLetGoOfTheLogWhenTheFrontEndGoes()
    {
        logBase(LOG_SIZE, 0);
        script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL));
        assertEquals(1, logMappings());
        script.hangUp();
        assertEquals(0, logMappings());
    }

    /** rust-vmm's front-ends read an answer only if they asked; all that negotiate LOG_SHMFD get just one. */
    @Test
    void shouldAnswerOnceWhetherAskedOrNot()
    {
        assertEquals(0, answer(script, Payloads.log(LOG_SIZE, 0), file.number()));
        assertEquals(0, script.acked(SET_LOG_BASE, Payloads.log(LOG_SIZE, 0), file.number()));
        script.silence();
    }

    @Test
    void shouldNeitherOfferNorTakeALogThatCannotBeShared()
    {
        final SessionFixture other = new SessionFixture(2,
            new SessionContext().protocolFeatures(ProtocolFeature.REPLY_ACK.mask()));
        final FrontendScript bare = other.connect();
        assertEquals(0, bare.askU64(GET_FEATURES) & LOG_ALL);
        bare.send(SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.REPLY_ACK.mask()));
        bare.send(SET_LOG_BASE, Payloads.log(LOG_SIZE, 0), file.number()).silence();
        assertTrue(0 != bare.acked(SET_LOG_BASE, Payloads.log(LOG_SIZE, 0), file.number()));
        assertTrue(0 != bare.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | LOG_ALL)));
        bare.close();
        other.close();
    }

    private void logBase(final long size, final long offset)
    {
        assertEquals(0, answer(script, Payloads.log(size, offset), file.number()));
    }

    private static long answer(final FrontendScript from, final byte[] payload, final int descriptor)
    {
        from.send(SET_LOG_BASE, payload, descriptor);
        final ByteBuffer answer = from.reply(SET_LOG_BASE.code());
        assertEquals(8, answer.remaining());
        return answer.getLong();
    }

    private int marks()
    {
        int marks = 0;
        try (Mapping mapping = Mapping.shared(file.number(), 0, LOG_SIZE, "log"))
        {
            for (int i = 0; i < LOG_SIZE; i++)
            {
                marks += Integer.bitCount(mapping.buffer().getByte(i) & 0xFF);
            }
        }

        return marks;
    }

    private static byte[] address(final int ring, final int flags)
    {
        return TestGuest.address(ring, TestGuest.ringAddress(ring), flags);
    }

    private static int logMappings()
    {
        return OpenDescriptors.mappings("/memfd:log ");
    }
}
