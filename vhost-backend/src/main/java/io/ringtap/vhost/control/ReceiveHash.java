package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.ringtap.flow.ToeplitzHash;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A hash of frames with the driver's key over the kinds that it wants (virtio 1.x, 5.1.6.5.6.4). Immutable.
 * <pre>
 *  0 types 4 | 4 reserved 8 | 12 key length 1 | 13 key ...
 * </pre>
 */
public final class ReceiveHash
{
    static final int MIN_PAYLOAD = 13;
    static final int MAX_PAYLOAD = MIN_PAYLOAD + ToeplitzHash.KEY_LENGTH;

    private final ToeplitzHash hash;
    private final int types;
    private final byte[] key;

    private ReceiveHash(final int types, final byte[] key)
    {
        hash = new ToeplitzHash(key);
        this.types = types;
        this.key = key;
    }

    /** What is hashed: TYPE_* of {@link ToeplitzHash}. */
    public int types()
    {
        return types;
    }

    /** As {@link ToeplitzHash#of(DirectBuffer, int, int, int)}. */
    public long of(final DirectBuffer buffer, final int frame, final int length)
    {
        return hash.of(buffer, frame, length, types);
    }

    /** MQ_HASH_CONFIG. @return null when it is not one. */
    static ReceiveHash read(final DirectBuffer payload, final int offset, final int length)
    {
        return read(payload.getInt(offset, LITTLE_ENDIAN), payload, offset + MIN_PAYLOAD - 1, offset + length);
    }

    /**
     * Kinds of frames, and a key behind its length that is the last of a command.
     *
     * @param at  where its length is; before the end.
     * @param end of the command.
     * @return null when the driver must not ask for it.
     */
    static ReceiveHash read(final int types, final DirectBuffer payload, final int at, final int end)
    {
        final int keyLength = payload.getByte(at) & 0xFF;
        final boolean isKnown = (types & ~ToeplitzHash.ALL_TYPES) == 0;
        if (!isKnown || keyLength > ToeplitzHash.KEY_LENGTH || at + 1 + keyLength != end ||
            0 == keyLength && 0 != types)
        {
            return null;
        }
        // What a short key does not say is 0.
        final byte[] key = new byte[ToeplitzHash.KEY_LENGTH];
        payload.getBytes(at + 1, key, 0, keyLength);
        return new ReceiveHash(types, key);
    }

    /** Writes the payload of the command that brings it; @return bytes. */
    int save(final MutableDirectBuffer to, final int offset)
    {
        to.putInt(offset, types, LITTLE_ENDIAN);
        to.setMemory(offset + 4, MIN_PAYLOAD - 4, (byte)0);
        saveKey(to, offset + MIN_PAYLOAD - 1);
        return MAX_PAYLOAD;
    }

    /** Writes the key behind its length. */
    void saveKey(final MutableDirectBuffer to, final int offset)
    {
        to.putByte(offset, (byte)key.length);
        to.putBytes(offset + 1, key);
    }
}
