package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.map.BpfErrno;
import org.agrona.concurrent.UnsafeBuffer;

/** Helpers that compare strings and read numbers from them. */
final class TextHelpers
{
    private static final int BASE = 0x1f;
    /** Digits that are looked at: what the kernel copies to its stack, less the end of the string. */
    private static final int MAX_DIGITS = 63;

    private TextHelpers()
    {
    }

    /** Compares a string of known length with one that ends in 0. */
    static long compare(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long length = r2 & 0xffff_ffffL;
        final UnsafeBuffer first = c.readable(r1, length);
        c.spend(length);
        final int firstIndex = c.index();
        for (int i = 0; i < length; i++)
        {
            final int a = first.getByte(firstIndex + i) & 0xff;
            final int b = c.readable(r3 + i, 1).getByte(c.index()) & 0xff;
            if (a != b)
            {
                return a < b ? -1 : 1;
            }
            if (0 == a)
            {
                return 0;
            }
        }
        return 0;
    }

    static long signed(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return parse(c, r1, r2, r3, r4, true);
    }

    static long unsigned(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return parse(c, r1, r2, r3, r4, false);
    }

    private static long parse(
        final BpfContext c,
        final long text,
        final long length,
        final long flags,
        final long result,
        final boolean isSigned)
    {
        final UnsafeBuffer buffer = c.readable(text, length);
        final int start = c.index();
        final int end = start + (int)length;
        final UnsafeBuffer target = c.writable(result, Long.BYTES);
        final int targetIndex = c.index();
        final int base = (int)flags & BASE;
        if (0 == length || (flags & ~(long)BASE) != 0 || 0 != base && 8 != base && 10 != base && 16 != base)
        {
            return BpfErrno.EINVAL;
        }
        int at = start;
        while (at < end && isSpace(buffer.getByte(at)))
        {
            at++;
        }
        c.spend(at - start);
        final boolean isNegative = at < end && '-' == buffer.getByte(at);
        at += isNegative ? 1 : 0;
        final int stop = Math.min(end, at + MAX_DIGITS);
        final int actual = 0 != base ? base : guess(buffer, at, stop);
        final int first = at + (16 == actual && isHexPrefix(buffer, at, stop) ? 2 : 0);
        int behind = first;
        long number = 0;
        boolean overflows = false;
        for (; behind < stop && digit(buffer.getByte(behind)) < actual; behind++)
        {
            final int digit = digit(buffer.getByte(behind));
            overflows |= Long.compareUnsigned(number, Long.divideUnsigned(-1L - digit, actual)) > 0;
            number = number * actual + digit;
        }
        if (overflows)
        {
            return BpfErrno.ERANGE;
        }
        if (behind == first || isNegative && !isSigned)
        {
            return BpfErrno.EINVAL;
        }
        if (isSigned && (isNegative ? -number > 0 : number < 0))
        {
            return BpfErrno.ERANGE;
        }
        target.putLong(targetIndex, isNegative ? -number : number);
        return behind - start;
    }

    /** The base that a number's first characters tell. */
    private static int guess(final UnsafeBuffer buffer, final int at, final int end)
    {
        if (at >= end || '0' != buffer.getByte(at))
        {
            return 10;
        }
        return isHexPrefix(buffer, at, end) && at + 2 < end && digit(buffer.getByte(at + 2)) < 16 ? 16 : 8;
    }

    private static boolean isHexPrefix(final UnsafeBuffer buffer, final int at, final int end)
    {
        return at + 1 < end && '0' == buffer.getByte(at) && 'x' == (buffer.getByte(at + 1) | 0x20);
    }

    private static int digit(final byte character)
    {
        final int lower = character | 0x20;
        if (character >= '0' && character <= '9')
        {
            return character - '0';
        }
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : Integer.MAX_VALUE;
    }

    private static boolean isSpace(final byte character)
    {
        return ' ' == character || character >= '\t' && character <= '\r' || (byte)0xa0 == character;
    }
}
