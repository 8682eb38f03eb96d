package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a front-end is told without asking, kicks that come as messages, and the config space. */
class BackendChannelTest
{
    private static final int NEED_REPLY = 9;
    private static final int PLAIN = 1;

    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer buffer = Memory.scratch(4096);
    private final FdList strays = new FdList();
    private SessionFixture fixture;
    private FrontendScript script;
    private Fd channel;

    @BeforeEach
    void setUp()
    {
        fixture = new SessionFixture(2);
        script = fixture.negotiated();
        script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(Session.SUPPORTED_PROTOCOL_FEATURES));
        script.send(Request.SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number());
        final Fd[] ends = SessionFixture.socketPair();
        channel = ends[0];
        try (Fd theirs = ends[1])
        {
            assertEquals(0, script.acked(Request.SET_BACKEND_REQ_FD, Payloads.NONE, theirs.number()));
        }
    }

    @AfterEach
    void tearDown()
    {
        script.close();
        if (channel.isOpen())
        {
            channel.close();
        }
        fixture.close();
    }

    @Test
    @Tag("message.VRING_KICK")
    @Tag("protocol.INBAND_NOTIFICATIONS")
    void shouldStartAndKickARingByMessages()
    {
        setUpRing(0);
        assertEquals(0, script.acked(Request.VRING_KICK, Payloads.state(0, 0)));
        assertTrue(fixture.dataPlane.takeCalls().endsWith("kick 0, call 0, error 0, start 0 size 256 base 0"));
        assertEquals(0, fixture.dataPlane.kicks(0));
        assertEquals(0, script.acked(Request.VRING_KICK, Payloads.state(0, 0)));
        assertEquals(1, fixture.dataPlane.kicks(0));
        assertNotEquals(0, script.acked(Request.VRING_KICK, Payloads.state(0, 1)));
        assertEquals(0, fixture.dataPlane.kicks(0));
    }

    @Test
    void shouldNotStartARingThatIsNotSetUp()
    {
        assertNotEquals(0, script.acked(Request.VRING_KICK, Payloads.state(1, 0)));
        assertEquals(null, fixture.dataPlane.running[1]);
    }

    @Test
    @Tag("backend.VRING_CALL")
    @Tag("backend.VRING_ERR")
    void shouldTellOfCallsAndErrors()
    {
        run(0);
        fixture.dataPlane.signalCall(0);
        fixture.dataPlane.signalCall(0);
        script.settle();
        assertMessage(BackendRequest.VRING_CALL, PLAIN, 0);
        fixture.dataPlane.signalError(0);
        script.settle();
        assertMessage(BackendRequest.VRING_ERR, NEED_REPLY, 0);
        assertSilence();
        answer(BackendRequest.VRING_ERR, 0);
        assertEquals(2, fixture.count(SessionCounter.BACKEND_MESSAGES));
        answer(BackendRequest.VRING_ERR, 0);
        fixture.dataPlane.signalCall(0);
        script.settle();
        assertEquals(2, fixture.count(SessionCounter.BACKEND_MESSAGES), "an answer that was nobody's ends the channel");
        assertEquals(SessionFixture.OFFERED, script.askU64(Request.GET_FEATURES));
    }

    @Test
    void shouldCountWhatTheFrontEndRefuses()
    {
        run(0);
        fixture.dataPlane.signalError(0);
        script.settle();
        assertMessage(BackendRequest.VRING_ERR, NEED_REPLY, 0);
        answer(BackendRequest.VRING_ERR, 7);
        assertEquals(1, fixture.count(SessionCounter.BACKEND_REFUSALS));
        fixture.dataPlane.signalCall(0);
        script.settle();
        assertMessage(BackendRequest.VRING_CALL, PLAIN, 0);
    }

    @Test
    void shouldPreferADescriptorOfTheFrontEnd()
    {
        run(0);
        script.send(Request.SET_VRING_CALL, Payloads.withDescriptor(0), fixture.guest.event.number());
        fixture.guest.event.drain();
        fixture.dataPlane.signalCall(0);
        script.settle();
        assertSilence();
        assertEquals(1, fixture.guest.event.drain());
    }

    @Test
    void shouldSayNothingWhileEveryRingIsStopped()
    {
        run(0);
        script.askBase(0);
        fixture.dataPlane.signalCall(0);
        fixture.dataPlane.isLinkUp = false;
        fixture.agent.configMayHaveChanged();
        script.settle();
        assertSilence();
        assertEquals(0, script.acked(Request.VRING_KICK, Payloads.state(0, 0)));
        assertMessage(BackendRequest.VRING_CALL, PLAIN, 0);
        assertMessage(BackendRequest.CONFIG_CHANGE_MSG, NEED_REPLY, -1);
        assertSilence();
    }

    @Test
    @Tag("backend.CONFIG_CHANGE_MSG")
    void shouldTellOnceThatTheConfigSpaceChanged()
    {
        run(0);
        fixture.agent.configMayHaveChanged();
        script.settle();
        assertSilence();
        fixture.dataPlane.isLinkUp = false;
        fixture.agent.configMayHaveChanged();
        script.settle();
        assertMessage(BackendRequest.CONFIG_CHANGE_MSG, NEED_REPLY, -1);
        answer(BackendRequest.CONFIG_CHANGE_MSG, 0);
        fixture.dataPlane.mtu = 9000;
        fixture.agent.configMayHaveChanged();
        script.settle();
        assertMessage(BackendRequest.CONFIG_CHANGE_MSG, NEED_REPLY, -1);
        final ByteBuffer config = config(6, 6);
        assertEquals(0, config.getShort(), "link down");
        assertEquals(1, config.getShort(), "pairs");
        assertEquals(9000, config.getShort());
    }

    @Test
    void shouldNeverWaitForAFrontEndThatDoesNotReadOrAnswer()
    {
        run(0);
        run(1);
        for (int i = 0; i < 3000; i++)
        {
            fixture.dataPlane.signalCall(i & 1);
            fixture.dataPlane.signalError(i & 1);
            script.settle();
        }
        assertEquals(SessionFixture.OFFERED, script.askU64(Request.GET_FEATURES));
        int told = 0;
        while (null != read())
        {
            told++;
            script.settle();
        }
        assertEquals(told, fixture.count(SessionCounter.BACKEND_MESSAGES));
        fixture.dataPlane.signalCall(1);
        script.settle();
        assertMessage(BackendRequest.VRING_CALL, PLAIN, 1);
    }

    @Test
    void shouldServeOnWhenTheChannelIsGone()
    {
        run(0);
        channel.close();
        for (int i = 0; i < 3; i++)
        {
            fixture.dataPlane.signalCall(0);
            fixture.dataPlane.signalError(0);
            script.settle();
        }
        assertEquals(0, fixture.count(SessionCounter.BACKEND_MESSAGES));
        assertEquals(SessionFixture.OFFERED, script.askU64(Request.GET_FEATURES));
    }

    @Test
    void shouldServeOnWhenTheChannelIsNoSocket()
    {
        assertEquals(0, script.acked(Request.SET_BACKEND_REQ_FD, Payloads.NONE, fixture.guest.memory.number()));
        setUpRing(0);
        assertEquals(0, script.acked(Request.VRING_KICK, Payloads.state(0, 0)));
        fixture.dataPlane.signalCall(0);
        fixture.dataPlane.signalError(0);
        script.settle();
        assertEquals(0, fixture.count(SessionCounter.BACKEND_MESSAGES));
        assertEquals(SessionFixture.OFFERED, script.askU64(Request.GET_FEATURES));
    }

    @ParameterizedTest
    @CsvSource({"REPLY_ACK", "BACKEND_REQ"})
    void shouldCloseWhenInbandNotificationsComeWithoutWhatTheyNeed(final ProtocolFeature lacking)
    {
        script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(SessionFixture.protocolFeatures(
            ProtocolFeature.REPLY_ACK, ProtocolFeature.BACKEND_REQ, ProtocolFeature.INBAND_NOTIFICATIONS) &
            ~lacking.mask()));
        assertTrue(script.isClosedByPeer());
    }

    @Test
    @Tag("message.GET_CONFIG")
    @Tag("protocol.CONFIG")
    @Tag("virtio.MAC")
    @Tag("virtio.STATUS")
    @Tag("virtio.SPEED_DUPLEX")
    void shouldShowTheConfigSpace()
    {
        final ByteBuffer config = config(0, 24);
        assertEquals(0x0001_5634_1200_5452L, config.getLong(), "mac and status");
        assertEquals(1, config.getShort());
        assertEquals(1500, config.getShort());
        assertEquals(10_000, config.getInt());
        assertEquals(1, config.get());
        assertEquals(40, config.get(), "bytes of a hash's key");
        assertEquals(128, config.getShort(), "entries of a table of queues");
        assertEquals(0x3F, config.getInt(), "kinds that are hashed");
        assertEquals(256 - 24, config(24, 256 - 24).remaining());
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0, 257, 257", "256, 1, 1", "-1, 1, 1", "0, -1, 4", "0, 8, 7", "4, 8, 9"})
    void shouldRefuseConfigBytesThatAreNotThere(final int offset, final int size, final int bytes)
    {
        assertEquals(0, script.ask(Request.GET_CONFIG, message(offset, size, 0, new byte[bytes])).remaining());
        assertNotEquals(0, script.acked(Request.SET_CONFIG, message(offset, size, 1, new byte[bytes])));
    }

    @Test
    @Tag("message.SET_CONFIG")
    void shouldLetOnlyAMigrationWriteTheConfigSpace()
    {
        assertNotEquals(0, script.acked(Request.SET_CONFIG, message(0, 6, 0, new byte[6])));
        assertEquals(0, script.acked(Request.SET_CONFIG, message(1, 2, 1, new byte[]{1, 2})));
        assertEquals(0x0001_5634_1202_0152L, config(0, 24).getLong());
    }

    private ByteBuffer config(final int offset, final int size)
    {
        final ByteBuffer reply = script.ask(Request.GET_CONFIG, message(offset, size, 0, new byte[size]));
        assertEquals(12 + size, reply.remaining());
        assertEquals(offset, reply.getInt());
        assertEquals(size, reply.getInt());
        assertEquals(0, reply.getInt());
        return reply.slice().order(reply.order());
    }

    private static byte[] message(final int offset, final int size, final int flags, final byte[] bytes)
    {
        return Payloads.buffer(12 + bytes.length).putInt(offset).putInt(size).putInt(flags).put(bytes).array();
    }

    private void setUpRing(final int ring)
    {
        script.send(Request.SET_VRING_NUM, Payloads.state(ring, TestGuest.RING_SIZE))
            .send(Request.SET_VRING_BASE, Payloads.state(ring, 0))
            .send(Request.SET_VRING_ADDR, TestGuest.address(ring));
    }

    private void run(final int ring)
    {
        setUpRing(ring);
        assertEquals(0, script.acked(Request.VRING_KICK, Payloads.state(ring, 0)));
        while (null != read())
        {
            // Whatever the start told.
        }
    }

    private void assertMessage(final BackendRequest request, final int flags, final int ring)
    {
        final ByteBuffer message = read();
        assertTrue(null != message, "nothing was told");
        assertEquals(request.code(), message.getInt());
        assertEquals(flags, message.getInt());
        assertEquals(ring < 0 ? 0 : 8, message.getInt());
        if (ring >= 0)
        {
            assertEquals(ring, message.getInt());
            assertEquals(0, message.getInt());
        }
    }

    private void assertSilence()
    {
        assertEquals(null, read());
    }

    private void answer(final BackendRequest request, final long... results)
    {
        for (final long result : results)
        {
            buffer.putBytes(0, Payloads.buffer(20).putInt(request.code()).putInt(5).putInt(8).putLong(result).array());
            transport.send(channel.number(), buffer, 0, 20, null, 0);
            script.settle();
        }
    }

    /** The next message, null when there is none. */
    private ByteBuffer read()
    {
        if (12 != transport.receive(channel.number(), buffer, 0, 12, strays))
        {
            return null;
        }
        final int size = buffer.getInt(8);
        if (size > 0)
        {
            assertEquals(size, transport.receive(channel.number(), buffer, 12, size, strays));
        }
        final byte[] bytes = new byte[12 + size];
        buffer.getBytes(0, bytes);
        return Payloads.buffer(bytes.length).put(bytes).flip();
    }
}
