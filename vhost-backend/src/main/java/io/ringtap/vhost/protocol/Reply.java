package io.ringtap.vhost.protocol;

/**
 * How a request is answered, and how it is told that it failed. A request with an answer of its own gets it whether
 * need_reply is set or not, and never a second one; a front-end that waits for it would hang without, so a failure that
 * the answer cannot express is an empty one (size 0), which every front-end takes for an error.
 */
public enum Reply
{
    /** A u64, 0 or not, when the request has need_reply and REPLY_ACK was negotiated. */
    ACK_IF_ASKED("u64 ack, if asked", false, Reply.ACK_FAILED),
    /** The same, always. */
    ACK_ALWAYS("u64 ack, always", true, Reply.ACK_FAILED),
    U64("u64", true, Reply.EMPTY),
    VRING_STATE("vring state", true, Reply.EMPTY),
    CONFIG("config, same size", true, Reply.EMPTY),
    INFLIGHT("inflight and a descriptor", true, Reply.EMPTY),
    /** SET_LOG_BASE has an answer of its own only with LOG_SHMFD. */
    LOG_WHEN_SHARED("u64 ack, if asked; with LOG_SHMFD a reply of its own", false, Reply.ACK_FAILED),
    DESCRIPTOR("empty, with a descriptor", true, Reply.EMPTY),
    CRYPTO_SESSION("crypto session", true, Reply.EMPTY),
    SHARED_OBJECT("a descriptor if found", true, Reply.EMPTY),
    /** Bits 0-7 an error, bit 8 no descriptor comes back. */
    TRANSFER("u64: error and no-descriptor flag", true, Reply.NO_DESCRIPTOR | Reply.ACK_FAILED),
    /** A result that is always given: 0 or an error. */
    RESULT("u64 result", true, Reply.ACK_FAILED),
    SHMEM_CONFIG("shmem config", true, Reply.EMPTY);

    /** The answer that says that a request failed. */
    public static final long ACK_FAILED = 1;

    /** {@link #TRANSFER}: the front-end's own descriptor is used. */
    public static final long NO_DESCRIPTOR = 0x100;

    /** {@link #failure()} of an answer that tells of it by having no payload. */
    public static final long EMPTY = -1;

    private final String label;
    private final boolean isOwn;
    private final long failure;

    Reply(final String label, final boolean isOwn, final long failure)
    {
        this.label = label;
        this.isOwn = isOwn;
        this.failure = failure;
    }

    public String label()
    {
        return label;
    }

    /** Always answered, whatever need_reply says. */
    public boolean isOwn()
    {
        return isOwn;
    }

    /** The u64 that tells of a failure, or {@link #EMPTY} for an answer without payload. */
    public long failure()
    {
        return failure;
    }
}
