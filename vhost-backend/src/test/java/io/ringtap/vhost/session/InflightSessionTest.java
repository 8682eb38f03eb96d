package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.Fd;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory that outlives us: asked for, given back, refused, and where rings find it. */
class InflightSessionTest
{
    private static final int PART = 16 + 16 * 256 + 48;

    private SessionFixture fixture;
    private FrontendScript script;

    @BeforeEach
    void setUp()
    {
        fixture = new SessionFixture(2);
        script = fixture.negotiated();
        script.send(Request.SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number());
    }

    @AfterEach
    void tearDown()
    {
        script.close();
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 24})
    @Tag("message.GET_INFLIGHT_FD")
    @Tag("protocol.INFLIGHT_SHMFD")
    void shouldGiveARegionInTheLengthThatWasAskedIn(final int length)
    {
        final int before = OpenDescriptors.count();
        try (Fd file = region(length))
        {
            assertEquals(2L * PART, Syscalls.fstat(file.number()).size());
            assertTrue(MemFd.isSealedAgainstShrink(file.number()));
        }
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void shouldTrackRingsThatStartAfterIt()
    {
        fixture.dataPlane.takeCalls();
        fixture.guest.setUpRing(script, 0, 7);
        assertTrue(fixture.dataPlane.takeCalls().contains("start 0 size 256 base 7,"));
        script.askBase(0);
        region(20).close();
        fixture.guest.setUpRing(script, 0, 7);
        assertTrue(fixture.dataPlane.takeCalls().contains("start 0 size 256 base 7 tracked,"));
    }

    @Test
    @Tag("message.SET_INFLIGHT_FD")
    @Tag("protocol.INFLIGHT_SHMFD")
    void shouldTakeARegionBack()
    {
        final int before = OpenDescriptors.count();
        try (Fd file = region(24))
        {
            assertEquals(0, script.acked(Request.SET_INFLIGHT_FD, inflight(24, 2L * PART, 0, 2, 256), file.number()));
            fixture.guest.setUpRing(script, 1, 0);
            assertEquals(TestGuest.RING_SIZE, fixture.dataPlane.running[1].inflight().ringSize());
        }
        assertNotEquals(before, OpenDescriptors.count());
    }

    @ParameterizedTest
    @CsvSource({"0, 256", "3, 256", "65535, 256", "2, 0", "2, 32769", "2, 65535"})
    void shouldRefuseARegionForRingsThatCannotBe(final int rings, final int size)
    {
        final int before = OpenDescriptors.count();
        assertEquals(0, script.ask(Request.GET_INFLIGHT_FD, inflight(20, 0, 0, rings, size)).remaining());
        try (Fd file = MemFd.create("region", 1 << 20))
        {
            MemFd.seal(file.number(), MemFd.F_SEAL_SHRINK);
            assertNotEquals(0,
                script.acked(Request.SET_INFLIGHT_FD, inflight(20, 1 << 20, 0, rings, size), file.number()));
        }
        assertEquals(before, OpenDescriptors.count());
    }

    @ParameterizedTest
    @CsvSource({"8319, 0, true", "8320, 64, true", "8320, 9, true", "-1, 0, true", "8320, -64, true",
        "9223372036854775807, 0, true", "0, 0, true", "8320, 0, false"})
    void shouldRefuseARegionThatItsFileDoesNotHold(final long size, final long offset, final boolean isSealed)
    {
        final int before = OpenDescriptors.count();
        try (Fd file = MemFd.create("region", 8320))
        {
            if (isSealed)
            {
                MemFd.seal(file.number(), MemFd.F_SEAL_SHRINK);
            }
            assertNotEquals(0,
                script.acked(Request.SET_INFLIGHT_FD, inflight(24, size, offset, 2, 256), file.number()));
        }
        assertEquals(before, OpenDescriptors.count());
        fixture.guest.setUpRing(script, 0, 0);
        assertNull(fixture.dataPlane.running[0].inflight());
    }

    @Test
    void shouldNotExchangeTheRegionOfARunningRing()
    {
        region(20).close();
        fixture.guest.setUpRing(script, 0, 0);
        final Object tracked = fixture.dataPlane.running[0].inflight();
        try (Fd file = region(20))
        {
            assertNotEquals(0,
                script.acked(Request.SET_INFLIGHT_FD, inflight(20, 2L * PART, 0, 2, 256), file.number()));
        }
        fixture.guest.setUpRing(script, 1, 0);
        assertEquals(tracked, fixture.dataPlane.running[1].inflight());
    }

    @Test
    void shouldNotStartARingThatDoesNotFitItsPart()
    {
        script.expectDescriptor().ask(Request.GET_INFLIGHT_FD, inflight(20, 0, 0, 2, 128));
        script.takeDescriptor().close();
        fixture.guest.setUpRing(script, 0, 0);
        assertNull(fixture.dataPlane.running[0]);
    }

    @Test
    @Tag("message.GET_VRING_BASE_SKIP_DRAIN")
    @Tag("protocol.GET_VRING_BASE_SKIP_DRAIN")
    @Tag("protocol.GET_VRING_BASE_INFLIGHT")
    void shouldSuspendInsteadOfDrainingWhenAsked()
    {
        region(20).close();
        fixture.guest.setUpRing(script, 0, 0);
        fixture.dataPlane.bases[0] = 77;
        fixture.dataPlane.takeCalls();
        final ByteBuffer base = script.ask(Request.GET_VRING_BASE_SKIP_DRAIN, Payloads.state(0, 0));
        assertEquals(0, base.getInt());
        assertEquals(77, base.getInt());
        assertEquals("suspend 0", fixture.dataPlane.takeCalls());
    }

    @Test
    @Tag("protocol.GET_VRING_BASE_SKIP_DRAIN")
    void shouldCloseWhenSkipDrainComesWithoutWhatItNeeds()
    {
        script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(SessionFixture.protocolFeatures(
            ProtocolFeature.REPLY_ACK, ProtocolFeature.INFLIGHT_SHMFD, ProtocolFeature.GET_VRING_BASE_SKIP_DRAIN)));
        assertTrue(script.isClosedByPeer());
    }

    private Fd region(final int length)
    {
        final ByteBuffer reply =
            script.expectDescriptor().ask(Request.GET_INFLIGHT_FD, inflight(length, 0, 0, 2, 256));
        assertEquals(length, reply.remaining());
        assertEquals(2L * PART, reply.getLong());
        assertEquals(0, reply.getLong());
        assertEquals(2, reply.getShort());
        assertEquals(256, reply.getShort());
        return script.takeDescriptor();
    }

    private static byte[] inflight(
        final int length, final long size, final long offset, final int rings, final int ringSize)
    {
        return Payloads.buffer(length).putLong(size).putLong(offset).putShort((short)rings).putShort((short)ringSize)
            .array();
    }
}
