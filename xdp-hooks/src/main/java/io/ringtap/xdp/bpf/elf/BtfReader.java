package io.ringtap.xdp.bpf.elf;

import org.agrona.DirectBuffer;

import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one value from bytes into a tree. */
final class BtfReader
{
    /** Parts of a tree: a page of numbers, and far less than what forged types could unfold to. */
    private static final int MAX_PARTS = 1 << 20;
    private static final int MAX_HEX = 4096;

    private final Btf btf;
    private final DirectBuffer buffer;
    private final int end;
    private int parts;

    BtfReader(final Btf btf, final DirectBuffer buffer, final int end)
    {
        this.btf = btf;
        this.buffer = buffer;
        this.end = end;
    }

    /** Bytes in hex, apart; no more than anybody reads. */
    static String hex(final DirectBuffer buffer, final int index, final int length)
    {
        final int shown = Math.min(length, MAX_HEX);
        final StringBuilder text = new StringBuilder(3 * shown);
        for (int i = 0; i < shown; i++)
        {
            final int value = buffer.getByte(index + i) & 0xff;
            text.append(0 == i ? "" : " ").append(Character.forDigit(value >>> 4, 16))
                .append(Character.forDigit(value & 0xf, 16));
        }
        return text.append(shown < length ? " and " + (length - shown) + " bytes more" : "").toString();
    }

    Object read(final int type, final int index)
    {
        return read(type, index, 0);
    }

    private Object read(final int type, final int index, final int depth)
    {
        final int at = btf.resolve(type);
        final int size = btf.size(at);
        if (++parts > MAX_PARTS || depth > ObjectLimits.TYPE_DEPTH || size > end - index)
        {
            throw new ObjectException(".BTF: type " + type + " " + btf.name(type) +
                " cannot be shown: it has too many parts, or parts beyond its end");
        }
        return switch (btf.kind(at))
        {
            case INT -> integer(at, index, size, BtfNumbers.isBigEndian(btf, type));
            case ENUM, ENUM64 -> constant(at, number(index, size, btf.isSigned(at), false));
            case PTR -> "0x" + Long.toHexString(buffer.getLong(index, ByteOrder.LITTLE_ENDIAN));
            case FLOAT -> floating(index, size);
            case ARRAY -> array(at, index, size, depth);
            case STRUCT, UNION -> struct(at, index, depth);
            default -> hex(buffer, index, size);
        };
    }

    private Object integer(final int type, final int index, final int size, final boolean isBigEndian)
    {
        if (btf.isBool(type) && 1 == size)
        {
            return 0 != buffer.getByte(index);
        }
        return BtfNumbers.isNumber(size) ? number(index, size, btf.isSigned(type), isBigEndian) :
            hex(buffer, index, size);
    }

    private Number number(final int index, final int size, final boolean isSigned, final boolean isBigEndian)
    {
        final ByteOrder order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        switch (size)
        {
            case 1 ->
            {
                return isSigned ? buffer.getByte(index) : buffer.getByte(index) & 0xffL;
            }
            case 2 ->
            {
                return isSigned ? buffer.getShort(index, order) : buffer.getShort(index, order) & 0xffffL;
            }
            case 4 ->
            {
                return isSigned ? buffer.getInt(index, order) : buffer.getInt(index, order) & 0xffff_ffffL;
            }
            default ->
            {
                return unsigned(buffer.getLong(index, order), isSigned);
            }
        }
    }

    private static Number unsigned(final long value, final boolean isSigned)
    {
        return value >= 0 || isSigned ? (Number)value : new BigInteger(Long.toUnsignedString(value));
    }

    private Object floating(final int index, final int size)
    {
        return switch (size)
        {
            case 4 -> (double)buffer.getFloat(index, ByteOrder.LITTLE_ENDIAN);
            case 8 -> buffer.getDouble(index, ByteOrder.LITTLE_ENDIAN);
            default -> hex(buffer, index, size);
        };
    }

    /** The name that the number has; the number when it has none. */
    private Object constant(final int type, final Number value)
    {
        for (int i = 0; i < btf.members(type); i++)
        {
            if (btf.constant(type, i) == value.longValue())
            {
                return btf.memberName(type, i);
            }
        }
        return value;
    }

    private Object array(final int type, final int index, final int size, final int depth)
    {
        final int element = btf.element(type);
        final int each = btf.size(element);
        if (1 == each && btf.isChar(btf.resolve(element)))
        {
            final String text = text(index, size);
            if (null != text)
            {
                return text;
            }
        }
        final List<Object> all = new ArrayList<>();
        for (int i = 0; each > 0 && i < size / each; i++)
        {
            all.add(read(element, index + i * each, depth + 1));
        }
        return all;
    }

    /** Characters that end in zeros; null when these are others. */
    private String text(final int index, final int size)
    {
        int length = 0;
        while (length < size && buffer.getByte(index + length) >= ' ' && buffer.getByte(index + length) < 0x7f)
        {
            length++;
        }
        for (int i = length; i < size; i++)
        {
            if (0 != buffer.getByte(index + i))
            {
                return null;
            }
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(index, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private Map<String, Object> struct(final int type, final int index, final int depth)
    {
        final Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < btf.members(type); i++)
        {
            final String name = btf.memberName(type, i);
            final int member = btf.memberType(type, i);
            final long bit = btf.memberBit(type, i);
            if (bit / 8 > end - index)
            {
                throw new ObjectException(".BTF: member " + name + " of type " + type + " is beyond its end");
            }
            final int bits = btf.memberBits(type, i);
            if (bits > 0)
            {
                members.put(name, bitField(index, bit, bits, btf.isSigned(btf.resolve(member))));
                parts++;
                continue;
            }
            final Object value = read(member, index + (int)(bit / 8), depth + 1);
            if (name.isEmpty() && value instanceof Map<?, ?> inner)
            {
                // Members of unnamed structs are named as if they were the outer one's, as in C.
                inner.forEach((key, each) -> members.put((String)key, each));
            }
            else if (!name.isEmpty())
            {
                members.put(name, value);
            }
        }
        return members;
    }

    private Object bitField(final int index, final long bit, final int bits, final boolean isSigned)
    {
        if (bits > Long.SIZE || index + (bit + bits + 7) / 8 > end)
        {
            throw new ObjectException(".BTF: a field of " + bits + " bits at bit " + bit + " is beyond its end");
        }
        long value = 0;
        for (int i = bits - 1; i >= 0; i--)
        {
            final long at = bit + i;
            value = value << 1 | buffer.getByte(index + (int)(at / 8)) >>> at % 8 & 1;
        }
        final int unused = Long.SIZE - bits;
        return isSigned ? (Number)(value << unused >> unused) : unsigned(value, false);
    }
}
