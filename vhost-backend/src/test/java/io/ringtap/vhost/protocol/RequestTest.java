package io.ringtap.vhost.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables against the document. */
class RequestTest
{
    @Test
    void shouldHaveARowForEveryCode()
    {
        for (int code = 1; code <= 45; code++)
        {
            assertEquals(code, Request.byCode(code).code());
        }

        assertEquals(45, Request.values().length);
    }

    @ParameterizedTest
    @CsvSource({"0", "46", "-1", "2147483647", "-2147483648"})
    void shouldHaveNoRowForOtherCodes(final int code)
    {
        assertNull(Request.byCode(code));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayWhyARowIsRefused(final Request request)
    {
        assertEquals(request.isHandled(), null == request.refusal());
        assertNotNull(request.reply());
        assertTrue(request.payload().minLength() <= request.payload().maxLength());
        assertTrue(request.payload().maxLength() <= MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH);
        assertTrue(request.descriptors().max() <= MessageHeaderFlyweight.MAX_DESCRIPTORS);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.INCLUDE, names = {"GET_CONFIG", "IOTLB_MSG", "GET_VRING_BASE", "GET_FEATURES",
        "GET_PROTOCOL_FEATURES", "GET_QUEUE_NUM", "GET_INFLIGHT_FD", "POSTCOPY_ADVISE", "POSTCOPY_END", "GET_STATUS",
        "GET_MAX_MEM_SLOTS", "CREATE_CRYPTO_SESSION", "GET_SHARED_OBJECT", "SET_DEVICE_STATE_FD", "CHECK_DEVICE_STATE",
        "GET_SHMEM_CONFIG", "GET_VRING_BASE_SKIP_DRAIN"})
    void shouldAnswerTheseWhetherAskedOrNot(final Request request)
    {
        assertTrue(request.reply().isOwn());
    }

    @Test
    void shouldAnswerNoOtherUnasked()
    {
        assertEquals(17, Stream.of(Request.values()).filter(request -> request.reply().isOwn()).count());
    }

    @ParameterizedTest
    @CsvSource({"GET_FEATURES,0,0,0", "SET_FEATURES,8,8,0", "SET_MEM_TABLE,8,264,8", "SET_LOG_BASE,16,16,1",
        "SET_LOG_FD,0,0,1", "SET_VRING_NUM,8,8,0", "SET_VRING_ADDR,40,40,0", "SET_VRING_KICK,8,8,1",
        "SET_BACKEND_REQ_FD,0,0,1", "IOTLB_MSG,32,32,0", "GET_CONFIG,12,4096,0", "GET_INFLIGHT_FD,20,24,0",
        "SET_INFLIGHT_FD,20,24,1", "ADD_MEM_REG,40,40,1", "REM_MEM_REG,40,40,1", "GET_SHARED_OBJECT,16,16,0",
        "SET_DEVICE_STATE_FD,8,8,1", "GET_VRING_BASE_SKIP_DRAIN,8,8,0"})
    void shouldRuleLengthsAndDescriptors(
        final Request request, final int minLength, final int maxLength, final int maxDescriptors)
    {
        assertEquals(minLength, request.payload().minLength());
        assertEquals(maxLength, request.payload().maxLength());
        assertEquals(maxDescriptors, request.descriptors().max());
    }

    @Test
    void shouldNumberProtocolFeaturesByTheirBits()
    {
        for (final ProtocolFeature feature : ProtocolFeature.values())
        {
            assertEquals(feature.ordinal(), feature.bit());
        }

        assertEquals(24, ProtocolFeature.values().length);
        assertEquals(0x10cbf, ProtocolFeature.mask(ProtocolFeature.MQ, ProtocolFeature.LOG_SHMFD, ProtocolFeature.RARP,
            ProtocolFeature.REPLY_ACK, ProtocolFeature.NET_MTU, ProtocolFeature.BACKEND_REQ,
            ProtocolFeature.CRYPTO_SESSION, ProtocolFeature.BACKEND_SEND_FD, ProtocolFeature.HOST_NOTIFIER,
            ProtocolFeature.STATUS));
        assertEquals("MQ REPLY_ACK bit40", ProtocolFeature.names(1L << 40 | 0x9));
        assertEquals("none", ProtocolFeature.names(0));
        assertFalse(ProtocolFeature.CONFIG.isIn(0x9));
    }

    @Test
    void shouldNumberBackendRequests()
    {
        final Set<Integer> codes = Stream.of(BackendRequest.values())
            .map(BackendRequest::code).collect(Collectors.toCollection(TreeSet::new));

        assertEquals(Set.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), codes);
        assertEquals(32, BackendRequest.IOTLB_MSG.payload().maxLength());
    }

    @Test
    void shouldWriteRulesForPeople()
    {
        assertEquals("8", Payload.U64.lengthRule());
        assertEquals("8..264", Payload.MEMORY_REGIONS.lengthRule());
        assertEquals("1", Descriptors.ONE.rule());
        assertEquals("0..8", Descriptors.PER_REGION.rule());
    }
}
