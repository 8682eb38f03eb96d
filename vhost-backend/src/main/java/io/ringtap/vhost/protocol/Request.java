package io.ringtap.vhost.protocol;

import static io.ringtap.vhost.protocol.RingRule.ALL_STOPPED;
import static io.ringtap.vhost.protocol.RingRule.ANY;
import static io.ringtap.vhost.protocol.RingRule.THIS_STOPPED;

/**
 * The table of what a front-end may ask: a row each, read before any handler runs. A row that is refused says why; it
 * is still known, so its payload is skipped, its descriptors are closed and it is answered in its own way.
 */
public enum Request
{
    GET_FEATURES(1, Payload.NONE, Descriptors.NONE, null, Reply.U64, ANY),
    SET_FEATURES(2, Payload.U64, Descriptors.NONE, null, Reply.ACK_IF_ASKED, ANY),
    SET_OWNER(3, Payload.NONE, Descriptors.NONE, null, Reply.ACK_IF_ASKED, ANY),
    RESET_OWNER(4, Payload.NONE, Descriptors.NONE, null, Reply.ACK_IF_ASKED, ANY),
    SET_MEM_TABLE(5, Payload.MEMORY_REGIONS, Descriptors.PER_REGION, null, Reply.ACK_IF_ASKED, ANY),
    SET_LOG_BASE(6, Payload.LOG, Descriptors.ONE, ProtocolFeature.LOG_SHMFD, Reply.LOG_WHEN_SHARED, ANY),
    SET_LOG_FD(7, Payload.NONE, Descriptors.ONE, null, Reply.ACK_IF_ASKED, ANY),
    SET_VRING_NUM(8, Payload.VRING_STATE, Descriptors.NONE, null, Reply.ACK_IF_ASKED, THIS_STOPPED),
    SET_VRING_ADDR(9, Payload.VRING_ADDRESS, Descriptors.NONE, null, Reply.ACK_IF_ASKED, ANY),
    SET_VRING_BASE(10, Payload.VRING_STATE, Descriptors.NONE, null, Reply.ACK_IF_ASKED, THIS_STOPPED),
    GET_VRING_BASE(11, Payload.VRING_STATE, Descriptors.NONE, null, Reply.VRING_STATE, ANY),
    SET_VRING_KICK(12, Payload.VRING_DESCRIPTOR, Descriptors.OPTIONAL, null, Reply.ACK_IF_ASKED, ANY),
    SET_VRING_CALL(13, Payload.VRING_DESCRIPTOR, Descriptors.OPTIONAL, null, Reply.ACK_IF_ASKED, ANY),
    SET_VRING_ERR(14, Payload.VRING_DESCRIPTOR, Descriptors.OPTIONAL, null, Reply.ACK_IF_ASKED, ANY),
    GET_PROTOCOL_FEATURES(15, Payload.NONE, Descriptors.NONE, null, Reply.U64, ANY),
    SET_PROTOCOL_FEATURES(16, Payload.U64, Descriptors.NONE, null, Reply.ACK_IF_ASKED, ANY),
    /** Belongs to MQ, but is answered without it too: a front-end that asks waits. */
    GET_QUEUE_NUM(17, Payload.NONE, Descriptors.NONE, null, Reply.U64, ANY),
    /** Belongs to the virtio feature bit 30, which is always offered; QEMU sends it before any SET_FEATURES. */
    SET_VRING_ENABLE(18, Payload.VRING_STATE, Descriptors.NONE, null, Reply.ACK_IF_ASKED, ANY),
    SEND_RARP(19, Payload.U64, Descriptors.NONE, ProtocolFeature.RARP, Reply.ACK_IF_ASKED, ANY),
    NET_SET_MTU(20, Payload.U64, Descriptors.NONE, ProtocolFeature.NET_MTU, Reply.ACK_IF_ASKED, ANY),
    SET_BACKEND_REQ_FD(21, Payload.NONE, Descriptors.ONE, ProtocolFeature.BACKEND_REQ, Reply.ACK_IF_ASKED, ANY),
    IOTLB_MSG(22, Payload.IOTLB, Descriptors.NONE, null, Reply.ACK_ALWAYS, ANY),
    SET_VRING_ENDIAN(23, Payload.VRING_STATE, Descriptors.NONE, ProtocolFeature.CROSS_ENDIAN, Reply.ACK_IF_ASKED, ANY,
        "a legacy big-endian guest cannot share memory with this host"),
    GET_CONFIG(24, Payload.CONFIG, Descriptors.NONE, ProtocolFeature.CONFIG, Reply.CONFIG, ANY),
    SET_CONFIG(25, Payload.CONFIG, Descriptors.NONE, ProtocolFeature.CONFIG, Reply.ACK_IF_ASKED, ANY),
    CREATE_CRYPTO_SESSION(26, Payload.CRYPTO_SESSION, Descriptors.NONE, ProtocolFeature.CRYPTO_SESSION,
        Reply.CRYPTO_SESSION, ANY, Why.NOT_NET),
    CLOSE_CRYPTO_SESSION(27, Payload.U64, Descriptors.NONE, ProtocolFeature.CRYPTO_SESSION, Reply.ACK_IF_ASKED, ANY,
        Why.NOT_NET),
    POSTCOPY_ADVISE(28, Payload.NONE, Descriptors.NONE, ProtocolFeature.PAGEFAULT, Reply.DESCRIPTOR, ANY, Why.POSTCOPY),
    POSTCOPY_LISTEN(29, Payload.NONE, Descriptors.NONE, ProtocolFeature.PAGEFAULT, Reply.ACK_IF_ASKED, ANY,
        Why.POSTCOPY),
    POSTCOPY_END(30, Payload.NONE, Descriptors.NONE, ProtocolFeature.PAGEFAULT, Reply.ACK_ALWAYS, ANY, Why.POSTCOPY),
    GET_INFLIGHT_FD(31, Payload.INFLIGHT, Descriptors.NONE, ProtocolFeature.INFLIGHT_SHMFD, Reply.INFLIGHT, ANY),
    SET_INFLIGHT_FD(32, Payload.INFLIGHT, Descriptors.ONE, ProtocolFeature.INFLIGHT_SHMFD, Reply.ACK_IF_ASKED,
        ALL_STOPPED),
    GPU_SET_SOCKET(33, Payload.NONE, Descriptors.ONE, null, Reply.ACK_IF_ASKED, ANY, Why.NOT_NET),
    RESET_DEVICE(34, Payload.NONE, Descriptors.NONE, ProtocolFeature.RESET_DEVICE, Reply.ACK_IF_ASKED, ANY),
    VRING_KICK(35, Payload.VRING_STATE, Descriptors.NONE, ProtocolFeature.INBAND_NOTIFICATIONS, Reply.ACK_IF_ASKED,
        ANY),
    GET_MAX_MEM_SLOTS(36, Payload.NONE, Descriptors.NONE, ProtocolFeature.CONFIGURE_MEM_SLOTS, Reply.U64, ANY),
    ADD_MEM_REG(37, Payload.MEMORY_REGION, Descriptors.ONE, ProtocolFeature.CONFIGURE_MEM_SLOTS, Reply.ACK_IF_ASKED,
        ANY),
    REM_MEM_REG(38, Payload.MEMORY_REGION, Descriptors.IGNORED, ProtocolFeature.CONFIGURE_MEM_SLOTS,
        Reply.ACK_IF_ASKED, ANY),
    SET_STATUS(39, Payload.U64, Descriptors.NONE, ProtocolFeature.STATUS, Reply.ACK_IF_ASKED, ANY),
    GET_STATUS(40, Payload.NONE, Descriptors.NONE, ProtocolFeature.STATUS, Reply.U64, ANY),
    GET_SHARED_OBJECT(41, Payload.SHARED_OBJECT, Descriptors.NONE, ProtocolFeature.SHARED_OBJECT, Reply.SHARED_OBJECT,
        ANY, Why.NOT_NET),
    SET_DEVICE_STATE_FD(42, Payload.DEVICE_STATE, Descriptors.ONE, ProtocolFeature.DEVICE_STATE, Reply.TRANSFER,
        ALL_STOPPED),
    CHECK_DEVICE_STATE(43, Payload.NONE, Descriptors.NONE, ProtocolFeature.DEVICE_STATE, Reply.RESULT, ALL_STOPPED),
    GET_SHMEM_CONFIG(44, Payload.NONE, Descriptors.NONE, ProtocolFeature.SHMEM, Reply.SHMEM_CONFIG, ANY, Why.NOT_NET),
    GET_VRING_BASE_SKIP_DRAIN(45, Payload.VRING_STATE, Descriptors.NONE, ProtocolFeature.GET_VRING_BASE_SKIP_DRAIN,
        Reply.VRING_STATE, ANY);

    /** The highest code of this version of the protocol. */
    public static final int MAX_CODE = 45;

    private static final Request[] BY_CODE = new Request[MAX_CODE + 1];

    static
    {
        for (final Request request : values())
        {
            BY_CODE[request.code] = request;
        }
    }

    private final int code;
    private final Payload payload;
    private final Descriptors descriptors;
    private final ProtocolFeature needs;
    private final Reply reply;
    private final RingRule ringRule;
    private final String refusal;

    Request(
        final int code,
        final Payload payload,
        final Descriptors descriptors,
        final ProtocolFeature needs,
        final Reply reply,
        final RingRule ringRule)
    {
        this(code, payload, descriptors, needs, reply, ringRule, null);
    }

    Request(
        final int code,
        final Payload payload,
        final Descriptors descriptors,
        final ProtocolFeature needs,
        final Reply reply,
        final RingRule ringRule,
        final String refusal)
    {
        this.code = code;
        this.payload = payload;
        this.descriptors = descriptors;
        this.needs = needs;
        this.reply = reply;
        this.ringRule = ringRule;
        this.refusal = refusal;
    }

    /** The row of a code from the wire; null for one that is not in the table. */
    public static Request byCode(final int code)
    {
        return 0 < code && code <= MAX_CODE ? BY_CODE[code] : null;
    }

    public int code()
    {
        return code;
    }

    public Payload payload()
    {
        return payload;
    }

    public Descriptors descriptors()
    {
        return descriptors;
    }

    /** The protocol feature to negotiate first; null when there is none. */
    public ProtocolFeature needs()
    {
        return needs;
    }

    public Reply reply()
    {
        return reply;
    }

    public RingRule ringRule()
    {
        return ringRule;
    }

    /** Handled, or else refused for the reason of {@link #refusal()}. */
    public boolean isHandled()
    {
        return null == refusal;
    }

    /** Why the request is refused; null when it is handled. */
    public String refusal()
    {
        return refusal;
    }

    /** Reasons that more than one row has. */
    private static final class Why
    {
        private static final String NOT_NET = "not a matter of a net device";
        private static final String POSTCOPY = "postcopy migration is not offered";
    }
}
