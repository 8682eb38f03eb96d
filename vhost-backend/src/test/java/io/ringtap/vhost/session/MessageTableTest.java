package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;

import io.ringtap.sys.MemFd;
import io.ringtap.vhost.protocol.Payload;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Reply;
import io.ringtap.vhost.protocol.Request;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every row of the table in every variant, at once and byte by byte, with need_reply and without: what is answered,
 * that a refused message changes nothing, that no descriptor stays.
 */
class MessageTableTest
{
    private static final int RINGS = 2;
    private static int cases;

    private SessionFixture fixture;
    private FrontendScript script;
    private MessageState state;
    private int descriptors;
    private String what;

    @AfterAll
    static void count()
    {
        System.out.println("message table: " + cases + " cases of " + Request.values().length + " messages");
    }

    @AfterEach
    void leave()
    {
        if (null != fixture)
        {
            script.close();
            fixture.close();
            fixture = null;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerAsItsRowSays(final Request request)
    {
        for (final MessageVariant variant : MessageVariant.values())
        {
            if (variant.appliesTo(request))
            {
                send(request, variant, true, false);
                send(request, variant, false, false);
                if (MessageVariant.LONGEST != variant)
                {
                    send(request, variant, true, true);
                    send(request, variant, false, true);
                }
            }
        }
    }

    private void send(
        final Request request, final MessageVariant variant, final boolean isAsking, final boolean isInPieces)
    {
        cases++;
        what = request + " " + variant + (isAsking ? ", need_reply" : "") + (isInPieces ? ", byte by byte" : "");
        enter(MessageVariant.WRONG_STATE == variant ? MessageState.wrong(request) : MessageState.right(request));
        if (MessageVariant.NOT_NEGOTIATED == variant)
        {
            script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.REPLY_ACK.mask()));
        }

        final long refused = fixture.count(SessionCounter.REFUSED_MESSAGES);
        final byte[] payload = variant.payload(request, payload(request, variant));
        final int flags = FrontendScript.VERSION | (isAsking ? FrontendScript.NEED_REPLY : 0) |
            (MessageVariant.MARKED_AS_REPLY == variant ? FrontendScript.REPLY : 0);
        deliver(FrontendScript.message(request.code(), flags, payload),
            attached(request, variant.descriptors(request, right(request))), isInPieces);

        final boolean isOwn = isOwn(request, variant);
        if (request.isHandled() && MessageVariant.RIGHT == variant)
        {
            assertDone(request, isOwn, isAsking);
            assertEquals(refused, fixture.count(SessionCounter.REFUSED_MESSAGES), what);
            leave();
        }
        else
        {
            assertRefused(request, isOwn, isAsking);
            assertEquals(refused + 1, fixture.count(SessionCounter.REFUSED_MESSAGES), what);
            if (MessageVariant.NOT_NEGOTIATED == variant)
            {
                leave();
            }
        }
    }

    /** Refused messages leave everything as it was, so that one session takes many of them. */
    private void enter(final MessageState wanted)
    {
        if (null != fixture && state != wanted)
        {
            leave();
        }

        if (null == fixture)
        {
            fixture = new SessionFixture(RINGS);
            // SET_INFLIGHT_FD takes sealed memory only; others do not mind.
            MemFd.seal(fixture.guest.memory.number(), MemFd.F_SEAL_SHRINK);
            state = wanted;
            script = wanted.enter(fixture);
            fixture.dataPlane.takeCalls();
            descriptors = OpenDescriptors.count();
        }
    }

    private void deliver(final byte[] message, final int[] attached, final boolean isInPieces)
    {
        if (!isInPieces)
        {
            script.writeAll(message, attached);
            script.settle();
            return;
        }

        for (int i = 0; i < message.length; i++)
        {
            script.silence();
            script.writeAll(new byte[]{message[i]}, 0 == i ? attached : new int[0]);
            script.settle();
        }
    }

    private void assertDone(final Request request, final boolean isOwn, final boolean isAsking)
    {
        if (isOwn || isAsking)
        {
            final ByteBuffer reply = answer(request);
            assertEquals(replyLength(request), reply.remaining(), what);
            assertTrue(request.reply().isOwn() || 0 == reply.getLong(), what);
        }

        script.silence();
        assertTrue(fixture.agent.isConnected(), what);
        assertEquals(descriptors + kept(request), OpenDescriptors.count(), what);
    }

    private void assertRefused(final Request request, final boolean isOwn, final boolean isAsking)
    {
        if (isOwn || isAsking)
        {
            final ByteBuffer reply = script.reply(request.code());
            if (Reply.EMPTY == request.reply().failure())
            {
                assertEquals(0, reply.remaining(), what);
            }
            else
            {
                assertTrue(0 != reply.getLong(), () -> what + " was acked as done");
            }
        }

        script.silence();
        assertEquals("", fixture.dataPlane.takeCalls(), what);
        assertEquals(descriptors, OpenDescriptors.count(), what);
        assertTrue(fixture.agent.isConnected(), what);
        assertEquals(SessionFixture.OFFERED, script.askU64(Request.GET_FEATURES), what);
    }

    /** Events where a request brings one, else memory. */
    private int[] attached(final Request request, final int count)
    {
        final int[] numbers = new int[count];
        Arrays.fill(numbers, switch (request)
        {
            case SET_VRING_KICK, SET_VRING_CALL, SET_VRING_ERR, SET_LOG_FD -> fixture.guest.event.number();
            default -> fixture.guest.memory.number();
        });
        return numbers;
    }

    /** Answered whether asked or not; the one that depends is SET_LOG_BASE. */
    private static boolean isOwn(final Request request, final MessageVariant variant)
    {
        return request.reply().isOwn() ||
            Request.SET_LOG_BASE == request && MessageVariant.NOT_NEGOTIATED != variant;
    }

    /** Bytes of the answer to a right message. */
    private static int replyLength(final Request request)
    {
        return Request.GET_INFLIGHT_FD == request || Request.GET_CONFIG == request ? 20 : 8;
    }

    /** The answer to a right message; a descriptor that belongs to it is not kept. */
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
        return switch (request)
        {
            case SET_BACKEND_REQ_FD, SET_VRING_ERR, SET_LOG_FD, SET_DEVICE_STATE_FD -> 1;
            default -> 0;
        };
    }

    private byte[] payload(final Request request, final MessageVariant variant)
    {
        final boolean isWrong = MessageVariant.WRONG_STATE == variant;
        return switch (request)
        {
            case SET_FEATURES -> Payloads.u64(SessionFixture.QEMU_FEATURES ^ (isWrong ? 1 : 0));
            case SET_PROTOCOL_FEATURES -> Payloads.u64(Session.SUPPORTED_PROTOCOL_FEATURES);
            case SET_MEM_TABLE -> fixture.guest.table();
            case GET_CONFIG, SET_CONFIG -> Payloads.buffer(20).putInt(0).putInt(8)
                .putInt(Request.SET_CONFIG == request ? 1 : 0).putLong(0).array();
            case GET_INFLIGHT_FD -> Payloads.buffer(20).putLong(0).putLong(0).putShort((short)2).putShort((short)256)
                .array();
            case SET_INFLIGHT_FD -> Payloads.buffer(20).putLong(0x4000).putLong(0).putShort((short)2)
                .putShort((short)256).array();
            case SET_VRING_NUM -> Payloads.state(0, 128);
            case SET_VRING_ADDR -> TestGuest.address(0);
            case SET_LOG_BASE -> Payloads.log(4096, 0);
            case IOTLB_MSG -> Payloads.buffer(32).putLong(0).putLong(4096).putLong(TestGuest.FRONTEND_ADDRESS)
                .put((byte)3).put((byte)2).array();
            // In: nothing is read before CHECK_DEVICE_STATE.
            case SET_DEVICE_STATE_FD -> Payloads.state(1, 0);
            case NET_SET_MTU -> Payloads.u64(1500);
            case ADD_MEM_REG -> Payloads.region(0x1_0000_0000L, 0x10000, 0x7e00_0000_0000L, 0);
            case REM_MEM_REG -> MessageState.EXTRA_REGION;
            default -> Payloads.zeros(Payload.CONFIG == request.payload() ? 20 : request.payload().minLength());
        };
    }
}
