package io.ringtap.sys;

import java.nio.charset.StandardCharsets;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A request of rtnetlink(7) about one interface, while it is put together (linux/netlink.h, linux/rtnetlink.h).
 * <pre>
 *  length (4) | type (2) | flags (2) | sequence (4) | port (4)                                        struct nlmsghdr
 *  family (1) | pad (1) | device type (2) | index (4) | interface flags (4) | change (4)             struct ifinfomsg
 *  [ length (2) | type (2) | value, padded to four ] ...                                               struct rtattr
 * </pre>
 */
final class NetlinkMessage
{
    static final int TYPE_OFFSET = 4;
    static final int FLAGS_OFFSET = 6;
    static final int SEQUENCE_OFFSET = 8;
    static final int HEADER = 16;
    static final int FAMILY_OFFSET = HEADER;
    static final int INDEX_OFFSET = HEADER + 4;
    static final int FIRST_ATTRIBUTE = HEADER + 16;
    static final int ATTRIBUTE_HEADER = 4;

    /** NLA_F_NESTED: the value is a run of attributes. */
    static final int NESTED = 0x8000;
    /** NLA_TYPE_MASK: the type without that flag and NLA_F_NET_BYTEORDER. */
    static final int TYPE_MASK = 0x3fff;

    private static final int CAPACITY = 512;
    private static final int ALIGNMENT = 4;

    private final UnsafeBuffer buffer = Memory.scratch(CAPACITY);
    private int length = FIRST_ATTRIBUTE;

    NetlinkMessage(final int type, final int flags, final int index)
    {
        buffer.putShort(TYPE_OFFSET, (short)type);
        buffer.putShort(FLAGS_OFFSET, (short)flags);
        buffer.putInt(INDEX_OFFSET, index);
    }

    NetlinkMessage add(final int type, final int value)
    {
        final int at = begin(type);
        buffer.putInt(at + ATTRIBUTE_HEADER, value);
        length += Integer.BYTES;
        return end(at);
    }

    NetlinkMessage add(final int type, final byte[] value)
    {
        final int at = begin(type);
        buffer.putBytes(at + ATTRIBUTE_HEADER, value);
        length += value.length;
        return end(at);
    }

    /** A string with its closing zero. */
    NetlinkMessage add(final int type, final String text)
    {
        return add(type, (text + '\0').getBytes(StandardCharsets.UTF_8));
    }

    /** Begins an attribute that holds others. @return what {@link #end(int)} wants. */
    int begin(final int type)
    {
        final int at = length;
        buffer.putShort(at + Short.BYTES, (short)type);
        length += ATTRIBUTE_HEADER;
        return at;
    }

    NetlinkMessage end(final int at)
    {
        buffer.putShort(at, (short)(length - at));
        length = align(length);
        return this;
    }

    /** The finished message. */
    UnsafeBuffer finish(final int sequence)
    {
        buffer.putInt(0, length);
        buffer.putInt(SEQUENCE_OFFSET, sequence);
        return buffer;
    }

    int length()
    {
        return length;
    }

    static int align(final int bytes)
    {
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
