package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.GET_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_VRING_BASE;
import static io.ringtap.vhost.protocol.Request.IOTLB_MSG;
import static io.ringtap.vhost.protocol.Request.SET_BACKEND_REQ_FD;
import static io.ringtap.vhost.protocol.Request.SET_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_MEM_TABLE;
import static io.ringtap.vhost.protocol.Request.SET_PROTOCOL_FEATURES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.Iotlb;
import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.ProtocolFeature;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guest's IOMMU over the socket, and our questions over the other one. */
class TranslationsTest
{
    private static final long ACCESS_PLATFORM = 1L << 33;
    private static final long FEATURES = SessionFixture.QEMU_FEATURES | ACCESS_PLATFORM;
    private static final long IOVA = 0xfff0_0000L;
    private static final int UPDATE = 2;
    private static final int INVALIDATE = 3;

    private final SessionFixture fixture = new SessionFixture(2);
    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer bytes = Memory.scratch(256);
    private final FdList none = new FdList();
    private FrontendScript script;
    private Fd channel;

    @BeforeEach
    void negotiate()
    {
        script = fixture.negotiated();
        assertTrue(0 != (script.askU64(GET_FEATURES) & ACCESS_PLATFORM));
        final Fd[] ends = SessionFixture.socketPair();
        channel = ends[0];
        assertEquals(0, script.acked(SET_BACKEND_REQ_FD, Payloads.NONE, ends[1].number()));
        ends[1].close();
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(FEATURES)));
        assertEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number()));
        fixture.dataPlane.takeCalls();
    }

    @AfterEach
    void tearDown()
    {
        channel.close();
        script.close();
        fixture.close();
    }

    @Test
    @Tag("message.IOTLB_MSG")
    @Tag("virtio.ACCESS_PLATFORM")
    void shouldTakeTranslationsAndTakeThemBack()
    {
        assertEquals(0, tell(IOVA, 4096, TestGuest.FRONTEND_ADDRESS, 3, UPDATE));
        assertEquals("translated", fixture.dataPlane.takeCalls());
        assertEquals(0, tell(IOVA, 4096, TestGuest.FRONTEND_ADDRESS + 4096, 3, UPDATE));
        assertEquals("translated, lost", fixture.dataPlane.takeCalls(), "workers may remember the old one");
        assertEquals(0, tell(0, -1, 0, 0, INVALIDATE));
        assertEquals("translated, lost", fixture.dataPlane.takeCalls());
        assertEquals(2, fixture.count(SessionCounter.IOTLB_UPDATES));
    }

    @Test
    void shouldRefuseWhatIsNoTranslation()
    {
        assertTrue(0 != tell(IOVA, 4096, 0x1234, 3, UPDATE), "not in the memory");
        assertTrue(0 != tell(IOVA, 0, TestGuest.FRONTEND_ADDRESS, 3, UPDATE));
        assertTrue(0 != tell(IOVA, 4096, TestGuest.FRONTEND_ADDRESS, 0, UPDATE));
        for (final int type : new int[] {0, 1, 4, 255})
        {
            assertTrue(0 != tell(IOVA, 4096, TestGuest.FRONTEND_ADDRESS, 3, type));
        }

        assertEquals("", fixture.dataPlane.takeCalls());
    }

    @Test
    @Tag("backend.IOTLB_MSG")
    void shouldAskForAPageOnceAndWaitForNobody()
    {
        final Iotlb.Answer first = miss(IOVA + 0x2345);
        assertEquals(Iotlb.Answer.AWAITED, first);
        assertEquals(Iotlb.Answer.AWAITED, miss(IOVA + 0x2000));
        script.settle();
        assertQuestion(IOVA + 0x2000, 1);
        assertSilence();
        assertEquals(SessionFixture.OFFERED, script.askU64(GET_FEATURES), "the session goes on");

        assertEquals(0, tell(IOVA + 0x2000, 4096, TestGuest.FRONTEND_ADDRESS, 3, UPDATE));
        answer(0);
        assertEquals("translated", fixture.dataPlane.takeCalls());
    }

    @Test
    void shouldTellWorkersOfAPageThatThereIsNot()
    {
        miss(IOVA);
        script.settle();
        assertQuestion(IOVA, 1);
        answer(1);
        assertEquals("translated", fixture.dataPlane.takeCalls());
        assertEquals(Iotlb.Answer.REFUSED, miss(IOVA));
    }

    @Test
    void shouldRefusePagesWhenNobodyCanBeAsked()
    {
        channel.close();
        miss(IOVA);
        script.settle();
        assertEquals("translated", fixture.dataPlane.takeCalls());
        assertEquals(Iotlb.Answer.REFUSED, miss(IOVA));
        assertTrue(fixture.agent.isConnected());
    }

    @Test
    void shouldLiveWithAChannelThatIsNone()
    {
        assertEquals(0, script.acked(SET_BACKEND_REQ_FD, Payloads.NONE, fixture.guest.memory.number()));
        miss(IOVA);
        script.settle();
        assertEquals(Iotlb.Answer.REFUSED, miss(IOVA));
        assertTrue(fixture.agent.isConnected());
    }

    @Test
    void shouldLiveWithAnswersThatNobodyAskedFor()
    {
        miss(IOVA);
        script.settle();
        assertQuestion(IOVA, 1);
        answer(0);
        answer(0);
        miss(IOVA + 4096);
        script.settle();
        assertTrue(fixture.agent.isConnected());
        assertFalse(fixture.count(SessionCounter.SESSION_FAILURES) > 0);
    }

    /** QEMU does not tell what the guest takes back while the device is stopped, and begins with SET_FEATURES. */
    @Test
    void shouldForgetAllWhenTheDeviceBeginsAnew()
    {
        assertEquals(0, tell(TestGuest.FRONTEND_ADDRESS, 4 << 12, TestGuest.FRONTEND_ADDRESS, 3, UPDATE));
        fixture.guest.setUpRing(script, 0, 0);
        script.settle();
        assertEquals("translated, kick 0, start 0 size 256 base 0, call 0", fixture.dataPlane.takeCalls());
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(FEATURES)));
        assertEquals("", fixture.dataPlane.takeCalls(), "what runs hears what is taken back");
        script.ask(GET_VRING_BASE, Payloads.state(0, 0));
        fixture.dataPlane.takeCalls();
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(FEATURES)));
        assertEquals("translated, lost", fixture.dataPlane.takeCalls());
        assertEquals(Iotlb.Answer.AWAITED, miss(TestGuest.FRONTEND_ADDRESS), "it is asked for again");
    }

    @Test
    void shouldSeeMemoryPlainlyAgainWithoutTheFeature()
    {
        assertTrue(fixture.dataPlane.isTranslated());
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(SessionFixture.QEMU_FEATURES)));
        assertFalse(fixture.dataPlane.isTranslated());
    }

    /** crosvm with a protected guest: the feature, and nobody to ask. */
    @Test
    void shouldTakeAddressesAsTheyAreFromAFrontEndThatCannotBeAsked()
    {
        final SessionFixture other = new SessionFixture(2);
        final FrontendScript plain = other.connect();
        plain.send(SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.REPLY_ACK.mask()));
        assertEquals(0, plain.acked(SET_FEATURES, Payloads.u64(FEATURES)));
        assertEquals(0, plain.acked(SET_MEM_TABLE, other.guest.table(), other.guest.memory.number()));
        assertFalse(other.dataPlane.isTranslated());
        other.guest.setUpRing(plain, 0, 0);
        assertEquals(256, other.dataPlane.running[0].size());
        plain.close();
        other.close();
    }

    private Iotlb.Answer miss(final long iova)
    {
        return fixture.dataPlane.miss(iova);
    }

    private long tell(final long iova, final long size, final long frontendAddress, final int permission,
        final int type)
    {
        final ByteBuffer payload = Payloads.buffer(32).putLong(iova).putLong(size).putLong(frontendAddress)
            .put((byte)permission).put((byte)type);
        return script.acked(IOTLB_MSG, payload.array());
    }

    private void assertQuestion(final long iova, final int permission)
    {
        assertEquals(44, transport.receive(channel.number(), bytes, 0, 44, none));
        assertEquals(BackendRequest.IOTLB_MSG.code(), bytes.getInt(0));
        assertEquals(1 | 8, bytes.getInt(4));
        assertEquals(32, bytes.getInt(8));
        assertEquals(iova, bytes.getLong(12));
        assertEquals(permission, bytes.getByte(36));
        assertEquals(1, bytes.getByte(37));
    }

    private void assertSilence()
    {
        assertEquals(-Errno.EAGAIN, transport.receive(channel.number(), bytes, 0, 44, none));
    }

    private void answer(final long result)
    {
        bytes.putInt(0, BackendRequest.IOTLB_MSG.code());
        bytes.putInt(4, 1 | 4);
        bytes.putInt(8, 8);
        bytes.putLong(12, result);
        assertEquals(20, transport.send(channel.number(), bytes, 0, 20, null, 0));
        script.settle();
    }
}
