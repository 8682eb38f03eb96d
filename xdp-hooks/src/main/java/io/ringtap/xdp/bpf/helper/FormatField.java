package io.ringtap.xdp.bpf.helper;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A field of a format, in a number: what it shows and how, and where the format goes on.
 * <pre>
 * 63..32 end   31 long   30 zeroes   29 left   15..8 width   7..0 kind
 * </pre>
 */
final class FormatField
{
    /** There is no such field. */
    static final long INVALID = -1;
    /** %pI4. */
    static final int IPV4 = 1;
    /** %pi4, each byte with three digits. */
    static final int IPV4_PADDED = 2;
    /** %pI6. */
    static final int IPV6 = 3;
    /** %pi6, without colons. */
    static final int IPV6_PLAIN = 4;

    private static final int LONG = 1 << 31;
    private static final int ZEROED = 1 << 30;
    private static final int LEFT = 1 << 29;
    private static final int POINTER_DIGITS = 16;
    private static final int MAX_WIDTH = 99;

    private FormatField()
    {
    }

    /** A field that fills up with zeroes. */
    static long of(final int kind, final int width)
    {
        return ZEROED | width << 8 | kind;
    }

    /** Reads what follows a per cent sign. */
    static long parse(final UnsafeBuffer format, final int first, final int from, final int end)
    {
        int at = from;
        int how = 0;
        while (at < end && isFlag(format.getByte(first + at)))
        {
            how |= '0' == format.getByte(first + at) ? ZEROED : '-' == format.getByte(first + at) ? LEFT : 0;
            at++;
        }
        int width = 0;
        while (at < end && isDigit(format.getByte(first + at)))
        {
            width = Math.min(MAX_WIDTH, 10 * width + format.getByte(first + at) - '0');
            at++;
        }
        if (at < end && 'p' == format.getByte(first + at))
        {
            return pointer(format, first, at + 1, end);
        }
        for (int i = 0; i < 2 && at < end && 'l' == format.getByte(first + at); i++)
        {
            how |= LONG;
            at++;
        }
        if (at == end)
        {
            return INVALID;
        }
        final int kind = format.getByte(first + at);
        final boolean isNumber = 'd' == kind || 'i' == kind || 'u' == kind || 'x' == kind || 'X' == kind;
        if (!isNumber && ((how & LONG) != 0 || 'c' != kind && 's' != kind))
        {
            return INVALID;
        }
        return make(at + 1, how | width << 8 | ('i' == kind ? 'd' : kind));
    }

    private static long pointer(final UnsafeBuffer format, final int first, final int from, final int end)
    {
        final int next = from < end ? format.getByte(first + from) : 0;
        final int last = from + 1 < end ? format.getByte(first + from + 1) : 0;
        if ('i' == next || 'I' == next)
        {
            final boolean isPlain = 'i' == next;
            return '4' == last ? make(from + 2, isPlain ? IPV4_PADDED : IPV4) :
                '6' == last ? make(from + 2, isPlain ? IPV6_PLAIN : IPV6) : INVALID;
        }
        if (('k' == next || 'u' == next) && 's' == last)
        {
            return make(from + 2, 's');
        }
        final boolean isNamed = 'K' == next || 'x' == next || 's' == next || 'S' == next || 'B' == next;
        final boolean isLetter = next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z' || isDigit(next);
        if (isLetter && !isNamed)
        {
            return INVALID;
        }
        return make(from + (isNamed ? 1 : 0), LONG | ZEROED | POINTER_DIGITS << 8 | 'x');
    }

    private static boolean isFlag(final int character)
    {
        return '0' == character || '-' == character || '+' == character || ' ' == character;
    }

    private static boolean isDigit(final int character)
    {
        return character >= '0' && character <= '9';
    }

    private static long make(final int end, final int field)
    {
        return (long)end << 32 | field & 0xffff_ffffL;
    }

    static int end(final long field)
    {
        return (int)(field >>> 32);
    }

    static int kind(final long field)
    {
        return (int)field & 0xff;
    }

    static int width(final long field)
    {
        return (int)field >> 8 & 0xff;
    }

    static boolean isLong(final long field)
    {
        return ((int)field & LONG) != 0;
    }

    static boolean isZeroed(final long field)
    {
        return ((int)field & ZEROED) != 0 && ((int)field & LEFT) == 0;
    }

    static boolean isLeft(final long field)
    {
        return ((int)field & LEFT) != 0;
    }
}
