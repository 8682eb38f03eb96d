package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.map.BpfErrno;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The formats that the kernel's bpf_trace_printk and bpf_snprintf know, written without allocating: %% %c %s %d %i %u
 * %x %X with l and ll, width and zeroes; %p and its kernel forms as a number; %pI4 %pi4 %pI6 %pi6 as addresses.
 */
final class BpfFormat
{
    /** Most bytes of a format. */
    static final int MAX_FORMAT = 512;

    private static final int MAX_WIDTH = 64;
    private static final int MAX_TEXT = 512;

    private BpfFormat()
    {
    }

    /** Length of a format that ends in 0 within so many bytes; EINVAL when it does not. */
    static int length(final BpfContext c, final long address, final long most)
    {
        final int limit = (int)Math.min(MAX_FORMAT, most & 0xffff_ffffL);
        for (int i = 0; i < limit; i++)
        {
            if (0 == c.readable(address + i, 1).getByte(c.index()))
            {
                return i;
            }
        }
        return BpfErrno.EINVAL;
    }

    /**
     * Writes a format with its arguments.
     *
     * @param arguments memory of {@code count} numbers of 8 bytes from {@code index} on.
     * @param limit     bytes that may be written; the rest is only counted.
     * @return how many bytes there are, or EINVAL when the format is none or wants more arguments.
     */
    static int write(
        final BpfContext c,
        final long address,
        final int length,
        final UnsafeBuffer arguments,
        final int index,
        final int count,
        final UnsafeBuffer target,
        final int start,
        final int limit)
    {
        final UnsafeBuffer format = c.readable(address, length);
        final int first = c.index();
        int written = 0;
        int used = 0;
        int i = 0;
        while (i < length)
        {
            final int character = format.getByte(first + i++);
            if (character < ' ' && !(character >= '\t' && character <= '\r') || 127 == character)
            {
                return BpfErrno.EINVAL;
            }
            if ('%' != character || i < length && '%' == format.getByte(first + i))
            {
                i += '%' == character ? 1 : 0;
                written = put(target, start, limit, written, character);
                continue;
            }
            final long field = FormatField.parse(format, first, i, length);
            if (FormatField.INVALID == field || used == count)
            {
                return BpfErrno.EINVAL;
            }
            i = FormatField.end(field);
            final long argument = arguments.getLong(index + 8 * used++);
            written = field(c, field, argument, target, start, limit, written);
        }
        return written;
    }

    private static int field(
        final BpfContext c,
        final long field,
        final long argument,
        final UnsafeBuffer target,
        final int start,
        final int limit,
        final int written)
    {
        return switch (FormatField.kind(field))
        {
            case 'c' -> put(target, start, limit, written, (int)argument);
            case 's' -> text(c, argument, target, start, limit, written);
            case FormatField.IPV4, FormatField.IPV4_PADDED, FormatField.IPV6, FormatField.IPV6_PLAIN ->
                internet(c, field, argument, target, start, limit, written);
            default -> number(field, argument, target, start, limit, written);
        };
    }

    private static int put(
        final UnsafeBuffer target, final int start, final int limit, final int written, final int character)
    {
        if (written < limit)
        {
            target.putByte(start + written, (byte)character);
        }
        return written + 1;
    }

    /** A string of the program; nothing where there is none. */
    private static int text(
        final BpfContext c,
        final long address,
        final UnsafeBuffer target,
        final int start,
        final int limit,
        final int before)
    {
        int written = before;
        for (int i = 0; i < MAX_TEXT && c.isReadable(address + i, 1); i++)
        {
            final int character = c.readable(address + i, 1).getByte(c.index());
            if (0 == character)
            {
                break;
            }
            written = put(target, start, limit, written, character);
        }
        return written;
    }

    /** An address of the Internet, in network order in the program's memory. */
    private static int internet(
        final BpfContext c,
        final long field,
        final long address,
        final UnsafeBuffer target,
        final int start,
        final int limit,
        final int before)
    {
        final int kind = FormatField.kind(field);
        final boolean isShort = FormatField.IPV4 == kind || FormatField.IPV4_PADDED == kind;
        final int bytes = isShort ? 4 : 16;
        int written = before;
        for (int i = 0; i < bytes && c.isReadable(address, bytes); i++)
        {
            final int value = c.readable(address + i, 1).getByte(c.index()) & 0xff;
            if (i > 0 && (isShort || FormatField.IPV6 == kind && (i & 1) == 0))
            {
                written = put(target, start, limit, written, isShort ? '.' : ':');
            }
            final int width = isShort ? FormatField.IPV4_PADDED == kind ? 3 : 0 : 2;
            written = number(
                FormatField.of(isShort ? 'u' : 'x', width), value, target, start, limit, written);
        }
        return written;
    }

    private static int number(
        final long field,
        final long argument,
        final UnsafeBuffer target,
        final int start,
        final int limit,
        final int before)
    {
        final int kind = FormatField.kind(field);
        final boolean isDecimal = 'd' == kind || 'u' == kind;
        final long value = FormatField.isLong(field) ? argument :
            'd' == kind ? (int)argument : argument & 0xffff_ffffL;
        final boolean isNegative = 'd' == kind && value < 0;
        final long magnitude = isNegative ? -value : value;
        final int base = isDecimal ? 10 : 16;
        int digits = 1;
        for (long rest = Long.divideUnsigned(magnitude, base); 0 != rest; rest = Long.divideUnsigned(rest, base))
        {
            digits++;
        }
        final int padding = Math.min(MAX_WIDTH, FormatField.width(field)) - digits - (isNegative ? 1 : 0);
        int written = before;
        if (!FormatField.isLeft(field) && !FormatField.isZeroed(field))
        {
            written = pad(target, start, limit, written, ' ', padding);
        }
        if (isNegative)
        {
            written = put(target, start, limit, written, '-');
        }
        if (FormatField.isZeroed(field))
        {
            written = pad(target, start, limit, written, '0', padding);
        }
        written += digits;
        long rest = magnitude;
        for (int i = 1; i <= digits; i++)
        {
            final int digit = (int)Long.remainderUnsigned(rest, base);
            rest = Long.divideUnsigned(rest, base);
            put(target, start, limit, written - i, digit < 10 ? '0' + digit : ('X' == kind ? 'A' : 'a') + digit - 10);
        }
        return FormatField.isLeft(field) ? pad(target, start, limit, written, ' ', padding) : written;
    }

    private static int pad(
        final UnsafeBuffer target,
        final int start,
        final int limit,
        final int before,
        final int character,
        final int count)
    {
        int written = before;
        for (int i = 0; i < count; i++)
        {
            written = put(target, start, limit, written, character);
        }
        return written;
    }
}
