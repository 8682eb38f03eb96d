package io.ringtap.xdp.bpf.elf;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the bytes of one value from text. */
final class BtfWriter
{
    private static final int MAX_TEXT = 1 << 20;
    private static final Pattern STEP = Pattern.compile("\\.?([A-Za-z_][A-Za-z0-9_]*)|\\[(\\d{1,9})\\]");

    private final Btf btf;
    private final byte[] bytes;

    BtfWriter(final Btf btf, final int size)
    {
        this.btf = btf;
        bytes = new byte[size];
    }

    byte[] write(final int type, final String text)
    {
        if (text.length() > MAX_TEXT)
        {
            throw new ObjectException("a value of " + text.length() + " characters, must be " + MAX_TEXT + " at most");
        }
        if (0 == type)
        {
            final byte[] raw = raw(text, bytes.length);
            put(null != raw ? raw : BtfNumbers.parse(text, bytes.length), 0, text);
            return bytes;
        }
        if (isAssignment(text))
        {
            for (final String word : text.split(","))
            {
                final int equals = word.indexOf('=');
                if (equals < 1)
                {
                    throw new ObjectException(word + " has no form field=value");
                }
                assign(type, word.substring(0, equals).strip(), word.substring(equals + 1).strip());
            }
            return bytes;
        }
        store(type, 0, text);
        return bytes;
    }

    private static boolean isAssignment(final String text)
    {
        return text.indexOf('=') > 0;
    }

    /** Follows the path to the part that is meant. */
    private void assign(final int type, final String path, final String text)
    {
        final Matcher step = STEP.matcher(path);
        int at = btf.resolve(type);
        int part = type;
        long bit = 0;
        int bits = 0;
        int from = 0;
        while (from < path.length())
        {
            if (bits > 0 || !step.find(from) || step.start() != from)
            {
                throw new ObjectException(path + " is no path of fields and [indexes]");
            }
            from = step.end();
            if (null != step.group(2))
            {
                final long index = Long.parseLong(step.group(2));
                if (BtfKind.ARRAY != btf.kind(at) || index >= btf.elements(at))
                {
                    throw new ObjectException(path + ": there is no element " + index);
                }
                part = btf.element(at);
                bit += 8 * index * btf.size(part);
            }
            else
            {
                final Field field = field(at, step.group(1), 0, 0);
                if (null == field)
                {
                    throw new ObjectException(path + ": there is no field " + step.group(1) + fields(at));
                }
                part = field.type;
                bit += field.bit;
                bits = field.bits;
            }
            at = btf.resolve(part);
        }
        if (bits > 0)
        {
            bitField(bit, bits, text);
        }
        else
        {
            store(part, (int)(bit / 8), text);
        }
    }

    private record Field(int type, long bit, int bits)
    {
    }

    /** A member by name, also of unnamed structs within; null when there is none. */
    private Field field(final int type, final String name, final long bit, final int depth)
    {
        if (!btf.kind(type).isComposite() || depth > ObjectLimits.TYPE_DEPTH)
        {
            return null;
        }
        for (int i = 0; i < btf.members(type); i++)
        {
            final long at = bit + btf.memberBit(type, i);
            final String member = btf.memberName(type, i);
            if (name.equals(member))
            {
                return new Field(btf.memberType(type, i), at, btf.memberBits(type, i));
            }
            final Field inner = member.isEmpty() ?
                field(btf.resolve(btf.memberType(type, i)), name, at, depth + 1) : null;
            if (null != inner)
            {
                return inner;
            }
        }
        return null;
    }

    private String fields(final int type)
    {
        return btf.kind(type).isComposite() ? names(type) : "; " + btf.kind(type) + " has none";
    }

    private String names(final int type)
    {
        final StringBuilder names = new StringBuilder();
        for (int i = 0; i < Math.min(20, btf.members(type)); i++)
        {
            names.append(names.isEmpty() ? "; it has " : ", ").append(btf.memberName(type, i));
        }
        return names.toString();
    }

    private void store(final int type, final int index, final String text)
    {
        final int at = btf.resolve(type);
        final int size = btf.size(at);
        final byte[] raw = raw(text, size);
        final boolean isBigEndian = BtfNumbers.isBigEndian(btf, type);
        switch (btf.kind(at))
        {
            // An address is in the order of the frame whatever the program calls its type.
            case INT -> put(null != raw ? raw : integer(at, text, size, isBigEndian), index, text);
            case PTR -> put(null != raw ? raw : BtfNumbers.parse(text, size), index, text);
            case ENUM, ENUM64 -> put(null != raw ? raw : constant(at, text, size), index, text);
            case ARRAY -> put(null != raw ? raw : characters(at, text, size), index, text);
            default ->
            {
                if (null == raw)
                {
                    throw new ObjectException(text + " is no value of " + btf.kind(at) + " " + btf.name(at) +
                        fields(at) + "; give field=value, or all bytes as hex:...");
                }
                put(raw, index, text);
            }
        }
    }

    /** What needs no type: bytes in hex, and addresses of the right length. */
    private static byte[] raw(final String text, final int size)
    {
        final byte[] address = BtfNumbers.address(text, size);
        if (null != address)
        {
            return address;
        }
        final byte[] hex = BtfNumbers.hex(text);
        if (null != hex && hex.length != size)
        {
            throw new ObjectException(text + " has " + hex.length + " bytes, must be " + size);
        }
        return hex;
    }

    private byte[] integer(final int type, final String text, final int size, final boolean isBigEndian)
    {
        if (btf.isBool(type) && ("true".equals(text) || "false".equals(text)))
        {
            return new byte[]{(byte)("true".equals(text) ? 1 : 0)};
        }
        final byte[] value = BtfNumbers.parse(text, size);
        for (int i = 0; isBigEndian && i < size / 2; i++)
        {
            final byte low = value[i];
            value[i] = value[size - 1 - i];
            value[size - 1 - i] = low;
        }
        return value;
    }

    private byte[] constant(final int type, final String text, final int size)
    {
        for (int i = 0; i < btf.members(type); i++)
        {
            if (text.equals(btf.memberName(type, i)))
            {
                return BtfNumbers.parse(String.valueOf(btf.constant(type, i)), size);
            }
        }
        try
        {
            return BtfNumbers.parse(text, size);
        }
        catch (final ObjectException failure)
        {
            throw new ObjectException(failure.getMessage() + names(type));
        }
    }

    private byte[] characters(final int type, final String text, final int size)
    {
        final byte[] value = text.getBytes(StandardCharsets.UTF_8);
        if (1 != btf.size(btf.element(type)) || !btf.isChar(btf.resolve(btf.element(type))) || value.length > size)
        {
            throw new ObjectException(text + " does not fit an array of " + size + " bytes; give [index]=value, or " +
                "all bytes as hex:...");
        }
        return value;
    }

    private void put(final byte[] value, final int index, final String text)
    {
        if (index < 0 || value.length > bytes.length - index)
        {
            throw new ObjectException(text + " at byte " + index + " is out of the value's " + bytes.length);
        }
        System.arraycopy(value, 0, bytes, index, value.length);
    }

    private void bitField(final long bit, final int bits, final String text)
    {
        if (bits > Long.SIZE || bit < 0 || bit + bits > 8L * bytes.length)
        {
            throw new ObjectException("a field of " + bits + " bits at bit " + bit + " is out of the value");
        }
        final byte[] value = BtfNumbers.parse(text, Long.BYTES);
        long number = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--)
        {
            number = number << 8 | value[i] & 0xff;
        }
        if (bits < Long.SIZE && number >> bits != 0 && number >> bits - 1 != -1)
        {
            throw new ObjectException(text + " is no number of " + bits + " bits");
        }
        for (int i = 0; i < bits; i++)
        {
            final int at = (int)((bit + i) / 8);
            final int mask = 1 << (bit + i) % 8;
            bytes[at] = (byte)((number >>> i & 1) != 0 ? bytes[at] | mask : bytes[at] & ~mask);
        }
    }
}
