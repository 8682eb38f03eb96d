package io.ringtap.xdp.bpf.elf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A range of a file's bytes, little endian: each access is held against its end. */
final class FileBytes
{
    private final ByteBuffer bytes;
    /** What the range is, for messages. */
    private final String name;

    FileBytes(final byte[] bytes, final String name)
    {
        this(ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN), name);
    }

    private FileBytes(final ByteBuffer bytes, final String name)
    {
        this.bytes = bytes;
        this.name = name;
    }

    int length()
    {
        return bytes.limit();
    }

    int u8(final long at)
    {
        return bytes.get(index(at, 1)) & 0xff;
    }

    int u16(final long at)
    {
        return bytes.getShort(index(at, 2)) & 0xffff;
    }

    int i32(final long at)
    {
        return bytes.getInt(index(at, 4));
    }

    long u32(final long at)
    {
        return i32(at) & 0xffff_ffffL;
    }

    /** Eight bytes; the file's own numbers of this width mean lengths and places, and none of them is that large. */
    long u63(final long at)
    {
        final long value = i64(at);
        if (value < 0)
        {
            throw new ObjectException(name + ": 0x" + Long.toHexString(value) + " at " + at + " is beyond any file");
        }
        return value;
    }

    long i64(final long at)
    {
        return bytes.getLong(index(at, 8));
    }

    /** A part of it. */
    FileBytes slice(final long at, final long length, final String part)
    {
        if (length < 0 || at < 0 || at > length() || length > length() - at)
        {
            throw new ObjectException(part + ": " + length + " bytes at " + at + " are not in the " + length() +
                " bytes of " + name);
        }
        return new FileBytes(bytes.slice((int)at, (int)length).order(ByteOrder.LITTLE_ENDIAN), part);
    }

    byte[] copy()
    {
        final byte[] copy = new byte[length()];
        bytes.get(0, copy);
        return copy;
    }

    /** Text that ends in a zero byte, of at most {@code limit} bytes; control characters become spaces. */
    String text(final long at, final int limit)
    {
        final int start = index(at, 1);
        int end = start;
        while (end < length() && bytes.get(end) != 0 && end - start <= limit)
        {
            end++;
        }
        if (end == length() || end - start > limit)
        {
            throw new ObjectException(name + ": the name at " + at + " does not end within " + limit + " bytes");
        }
        return text(start, end);
    }

    /** The same, but cut where it is longer. */
    String cut(final long at, final int limit)
    {
        final int start = index(at, 1);
        int end = start;
        while (end < length() && bytes.get(end) != 0 && end - start < limit)
        {
            end++;
        }
        return text(start, end);
    }

    private String text(final int start, final int end)
    {
        final byte[] copy = new byte[end - start];
        bytes.get(start, copy);
        return new String(copy, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    }

    private int index(final long at, final int width)
    {
        if (at < 0 || at > length() - width)
        {
            throw new ObjectException(name + ": " + width + " bytes at " + at + " are not in its " + length());
        }
        return (int)at;
    }
}
