package io.ringtap.vhost.session;

import java.nio.ByteBuffer;
import java.util.Arrays;

import io.ringtap.vhost.protocol.Descriptors;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import io.ringtap.vhost.protocol.Payload;
import io.ringtap.vhost.protocol.Request;

/** What is wrong with a message, or that nothing is: how the right one is changed. */
enum MessageVariant
{
    RIGHT,
    SHORT,
    EMPTY,
    LONG,
    LONGEST,
    NO_DESCRIPTOR,
    ONE_DESCRIPTOR_MORE,
    /** As many as can be received. */
    DESCRIPTORS_16,
    DESCRIPTORS_17,
    DESCRIPTORS_64,
    RING_BEYOND,
    RING_255,
    RING_256,
    RING_LARGEST,
    RING_NEGATIVE,
    MARKED_AS_REPLY,
    NOT_NEGOTIATED,
    WRONG_STATE;

    private static final int RINGS = 2;
    private static final int LONGEST_LENGTH = MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH;

    /** Whether a message can be wrong in this way. */
    boolean appliesTo(final Request request)
    {
        final Payload payload = request.payload();
        return switch (this)
        {
            case RIGHT, ONE_DESCRIPTOR_MORE, DESCRIPTORS_16, DESCRIPTORS_17, DESCRIPTORS_64, MARKED_AS_REPLY -> true;
            case SHORT, EMPTY -> payload.minLength() > 0;
            case LONG, LONGEST -> payload.maxLength() < LONGEST_LENGTH;
            case NO_DESCRIPTOR -> request.descriptors().max() > 0 && Descriptors.IGNORED != request.descriptors();
            case RING_BEYOND, RING_255 -> payload == Payload.VRING_DESCRIPTOR || hasWideIndex(payload);
            case RING_256, RING_LARGEST, RING_NEGATIVE -> hasWideIndex(payload);
            case NOT_NEGOTIATED -> null != request.needs();
            case WRONG_STATE -> null != MessageState.wrong(request);
        };
    }

    byte[] payload(final Request request, final byte[] right)
    {
        return switch (this)
        {
            case SHORT -> Arrays.copyOf(right, request.payload().minLength() - 1);
            case EMPTY -> Payloads.NONE;
            case LONG -> Arrays.copyOf(right, request.payload().maxLength() + 1);
            case LONGEST -> Arrays.copyOf(right, LONGEST_LENGTH);
            case RING_BEYOND -> withRing(right, RINGS);
            case RING_255 -> withRing(right, 255);
            case RING_256 -> withRing(right, 256);
            case RING_LARGEST -> withRing(right, Integer.MAX_VALUE);
            case RING_NEGATIVE -> withRing(right, -1);
            default -> right;
        };
    }

    int descriptors(final Request request, final int right)
    {
        return switch (this)
        {
            case NO_DESCRIPTOR -> 0;
            case ONE_DESCRIPTOR_MORE -> request.descriptors().max() + 1;
            case DESCRIPTORS_16 -> 16;
            case DESCRIPTORS_17 -> 17;
            case DESCRIPTORS_64 -> 64;
            default -> right;
        };
    }

    /** In a kick, call or error message the index is a byte. */
    private static boolean hasWideIndex(final Payload payload)
    {
        return payload == Payload.VRING_STATE || payload == Payload.VRING_ADDRESS;
    }

    private static byte[] withRing(final byte[] right, final int ring)
    {
        final ByteBuffer fields = Payloads.buffer(right.length).put(right);
        return fields.putInt(0, ring).array();
    }
}
