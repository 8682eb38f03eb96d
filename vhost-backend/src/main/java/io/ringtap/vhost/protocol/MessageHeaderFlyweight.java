package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * The header of every message, in both directions on both channels.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                            Request                            |
 *  +---+-+-+-------------------------------------------------------+
 *  |Ver|R|N|                       Zero                            |
 *  +---+-+-+-------------------------------------------------------+
 *  |                   Size of what follows                        |
 *  +---------------------------------------------------------------+
 * </pre>
 * Ver is 1, R marks a reply, N asks for one (need_reply). Bit 0 is on the left.
 */
public final class MessageHeaderFlyweight extends Flyweight
{
    public static final int REQUEST_OFFSET = 0;
    public static final int FLAGS_OFFSET = 4;
    public static final int SIZE_OFFSET = 8;
    public static final int LENGTH = 12;

    public static final int VERSION = 1;
    public static final int VERSION_MASK = 0x3;
    public static final int REPLY = 0x4;
    public static final int NEED_REPLY = 0x8;

    /** A reply's flags, to the bit: QEMU compares the whole word. */
    public static final int REPLY_FLAGS = VERSION | REPLY;

    /** Nothing legal is longer than the 2056 bytes of the shmem config or 12 + 4084 bytes of config space. */
    public static final int MAX_PAYLOAD_LENGTH = 4096;

    /** What one message may carry by the document. */
    public static final int MAX_DESCRIPTORS = 8;

    public MessageHeaderFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public int request()
    {
        return buffer.getInt(offset + REQUEST_OFFSET, LITTLE_ENDIAN);
    }

    public MessageHeaderFlyweight request(final int request)
    {
        buffer.putInt(offset + REQUEST_OFFSET, request, LITTLE_ENDIAN);
        return this;
    }

    public int flags()
    {
        return buffer.getInt(offset + FLAGS_OFFSET, LITTLE_ENDIAN);
    }

    public MessageHeaderFlyweight flags(final int flags)
    {
        buffer.putInt(offset + FLAGS_OFFSET, flags, LITTLE_ENDIAN);
        return this;
    }

    public int version()
    {
        return flags() & VERSION_MASK;
    }

    public boolean isReply()
    {
        return 0 != (flags() & REPLY);
    }

    public boolean needsReply()
    {
        return 0 != (flags() & NEED_REPLY);
    }

    /** The payload's length as it stands there: a u32, so it is judged as a long. */
    public long size()
    {
        return Integer.toUnsignedLong(buffer.getInt(offset + SIZE_OFFSET, LITTLE_ENDIAN));
    }

    public MessageHeaderFlyweight size(final int size)
    {
        buffer.putInt(offset + SIZE_OFFSET, size, LITTLE_ENDIAN);
        return this;
    }
}
