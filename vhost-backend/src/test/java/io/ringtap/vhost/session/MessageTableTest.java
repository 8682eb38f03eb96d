package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;

import io.ringtap.vhost.protocol.Descriptors;
import io.ringtap.vhost.protocol.Payload;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Reply;
import io.ringtap.vhost.protocol.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every row of the table, sent right and wrong: what is answered, that nothing changed, that no descriptor stayed. */
class MessageTableTest
{
    private static final int RINGS = 2;
    private static final byte[] EXTRA_REGION = Payloads.region(0x2_0000_0000L, 0x10000, 0x7d00_0000_0000L, 0);

    private SessionFixture fixture;
    private FrontendScript script;
    private int descriptors;

    @BeforeEach
    void setUp()
    {
        fixture = new SessionFixture(RINGS);
        script = fixture.running();
        assertEquals(0, script.acked(Request.ADD_MEM_REG, EXTRA_REGION, fixture.guest.memory.number()));
        fixture.dataPlane.takeCalls();
        descriptors = OpenDescriptors.count();
    }

    @AfterEach
    void tearDown()
    {
        script.close();
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldHandleWhatIsWellFormed(final Request request)
    {
        if (request.isHandled() && Request.SET_VRING_NUM != request && Request.SET_VRING_BASE != request &&
            Request.SET_INFLIGHT_FD != request)
        {
            final long refused = fixture.count(SessionCounter.REFUSED_MESSAGES);
            send(request, FrontendScript.NEED_REPLY, payload(request), right(request));
            final ByteBuffer reply = answer(request);
            assertEquals(Request.GET_INFLIGHT_FD == request ? 20 : 8, reply.remaining());
            assertTrue(request.reply().isOwn() || 0 == reply.getLong());
            script.silence();
            assertEquals(refused, fixture.count(SessionCounter.REFUSED_MESSAGES));
        }
        else
        {
            assertRefused(request, payload(request), right(request));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStaySilentWhenNobodyAsked(final Request request)
    {
        send(request, 0, payload(request), right(request));
        if (request.reply().isOwn())
        {
            answer(request);
        }

        script.silence();
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAShortPayload(final Request request)
    {
        if (request.payload().minLength() > 0)
        {
            assertRefused(request, Arrays.copyOf(payload(request), request.payload().minLength() - 1), right(request));
            assertRefused(request, Payloads.NONE, right(request));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseALongPayload(final Request request)
    {
        if (request.payload().maxLength() < 4096)
        {
            final byte[] payload = payload(request);
            assertRefused(request, Arrays.copyOf(payload, request.payload().maxLength() + 1), right(request));
            assertRefused(request, Arrays.copyOf(payload, 4096), right(request));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAMissingDescriptor(final Request request)
    {
        if (right(request) > 0 && Descriptors.IGNORED != request.descriptors())
        {
            assertRefused(request, payload(request), 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseTooManyDescriptors(final Request request)
    {
        assertRefused(request, payload(request), request.descriptors().max() + 1);
        assertRefused(request, payload(request), 16);
        assertRefused(request, payload(request), 17);
        assertRefused(request, payload(request), 64);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseARingThatDoesNotExist(final Request request)
    {
        for (final int ring : new int[]{RINGS, 255, 256, Integer.MAX_VALUE, -1})
        {
            final byte[] payload = payload(request);
            final ByteBuffer fields = Payloads.buffer(payload.length).put(payload);
            switch (request.payload())
            {
                case VRING_STATE, VRING_ADDRESS -> assertRefused(request, fields.putInt(0, ring).array(), 0);
                case VRING_DESCRIPTOR ->
                {
                    // Only the low byte is the index; 256 and above would set the flag or nothing.
                    assertRefused(request, fields.putLong(0, RINGS).array(), 1);
                    assertRefused(request, fields.putLong(0, 255).array(), 1);
                }
                default ->
                {
                    return;
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsMarkedAsAReply(final Request request)
    {
        sendRaw(request, FrontendScript.VERSION | FrontendScript.REPLY | FrontendScript.NEED_REPLY,
            payload(request), right(request));
        assertFailure(request);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatWasNotNegotiated(final Request request)
    {
        if (null != request.needs())
        {
            script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.REPLY_ACK.mask()));
            assertRefused(request, payload(request), right(request));
        }
    }

    /** Byte by byte; the descriptors come with the first. */
    @ParameterizedTest
    @EnumSource
    void shouldPutPiecesTogether(final Request request)
    {
        final byte[] message = FrontendScript.message(
            request.code(), FrontendScript.VERSION | FrontendScript.NEED_REPLY, payload(request));
        final int[] attached = attached(right(request));
        for (int i = 0; i < message.length; i++)
        {
            script.silence();
            script.write(new byte[]{message[i]}, 0 == i ? attached : new int[0]);
            script.settle();
        }

        answer(request);
        script.silence();
        assertEquals(descriptors + kept(request), OpenDescriptors.count());
    }

    /** The reply to a well-formed message; a descriptor that belongs to it is not kept. */
    private ByteBuffer answer(final Request request)
    {
        if (Request.GET_INFLIGHT_FD != request)
        {
            return script.reply(request.code());
        }

        final ByteBuffer reply = script.expectDescriptor().reply(request.code());
        script.takeDescriptor().close();
        return reply;
    }

    private void assertRefused(final Request request, final byte[] payload, final int count)
    {
        send(request, FrontendScript.NEED_REPLY, payload, count);
        assertFailure(request);

        send(request, 0, payload, count);
        if (request.reply().isOwn())
        {
            assertFailure(request);
        }
        else
        {
            script.silence();
            assertUnchanged();
        }
    }

    private void assertFailure(final Request request)
    {
        final ByteBuffer reply = script.reply(request.code());
        if (Reply.EMPTY == request.reply().failure())
        {
            assertEquals(0, reply.remaining());
        }
        else
        {
            assertTrue(0 != reply.getLong(), "acked as done");
        }

        script.silence();
        assertUnchanged();
    }

    private void assertUnchanged()
    {
        assertEquals("", fixture.dataPlane.takeCalls());
        assertEquals(descriptors, OpenDescriptors.count());
        assertTrue(fixture.agent.isConnected());
        assertEquals(SessionFixture.OFFERED, script.askU64(Request.GET_FEATURES));
    }

    private void send(final Request request, final int flags, final byte[] payload, final int count)
    {
        sendRaw(request, FrontendScript.VERSION | flags, payload, count);
    }

    private void sendRaw(final Request request, final int flags, final byte[] payload, final int count)
    {
        script.writeAll(FrontendScript.message(request.code(), flags, payload), attached(count));
        script.settle();
    }

    private int[] attached(final int count)
    {
        final int[] numbers = new int[count];
        Arrays.fill(numbers, fixture.guest.memory.number());
        return numbers;
    }

    /** As many descriptors as make the message right. */
    private static int right(final Request request)
    {
        return switch (request.descriptors())
        {
            case NONE -> 0;
            case ONE, OPTIONAL, PER_REGION, IGNORED -> 1;
        };
    }

    /** Descriptors that a well-formed message leaves open here: one that replaces another leaves none. */
    private static int kept(final Request request)
    {
        return Request.SET_BACKEND_REQ_FD == request || Request.SET_VRING_ERR == request ? 1 : 0;
    }

    private byte[] payload(final Request request)
    {
        return switch (request)
        {
            case SET_FEATURES -> Payloads.u64(SessionFixture.QEMU_FEATURES);
            case SET_PROTOCOL_FEATURES -> Payloads.u64(Session.SUPPORTED_PROTOCOL_FEATURES);
            case SET_MEM_TABLE -> fixture.guest.table();
            case GET_INFLIGHT_FD -> Payloads.buffer(20).putLong(0).putLong(0).putShort((short)2).putShort((short)256)
                .array();
            case SET_VRING_NUM -> Payloads.state(0, 128);
            case SET_VRING_ADDR -> TestGuest.address(0);
            case NET_SET_MTU -> Payloads.u64(1500);
            case ADD_MEM_REG -> Payloads.region(0x1_0000_0000L, 0x10000, 0x7e00_0000_0000L, 0);
            case REM_MEM_REG -> EXTRA_REGION;
            default -> Payloads.zeros(Payload.CONFIG == request.payload() ? 20 : request.payload().minLength());
        };
    }
}
