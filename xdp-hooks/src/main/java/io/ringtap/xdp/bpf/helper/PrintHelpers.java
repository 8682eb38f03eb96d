package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.map.BpfErrno;
import org.agrona.concurrent.UnsafeBuffer;

/** Helpers that write text: into the {@link TraceLog}, and into a program's memory. */
final class PrintHelpers
{
    private static final int MAX_DATA = 12 * Long.BYTES;

    private PrintHelpers()
    {
    }

    /** trace_printk: three numbers in registers. */
    static long print(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long address = c.scratchOfCaller();
        final UnsafeBuffer arguments = c.writable(address, 3 * Long.BYTES);
        final int index = c.index();
        arguments.putLong(index, r3);
        arguments.putLong(index + 8, r4);
        arguments.putLong(index + 16, r5);
        return trace(c, r1, r2, arguments, index, 3);
    }

    /** trace_vprintk: numbers in memory. */
    static long printAll(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer arguments = numbers(c, r3, r4 & 0xffff_ffffL);
        final int index = c.index();
        return (r4 & 7) != 0 || r4 > MAX_DATA ? BpfErrno.EINVAL : trace(c, r1, r2, arguments, index, (int)r4 >> 3);
    }

    /** Numbers in memory; a null pointer will do for none. */
    private static UnsafeBuffer numbers(final BpfContext c, final long address, final long length)
    {
        return c.readable(0 == length ? c.scratchOfCaller() : address, length);
    }

    private static long trace(
        final BpfContext c,
        final long format,
        final long formatLength,
        final UnsafeBuffer arguments,
        final int index,
        final int count)
    {
        final int length = BpfFormat.length(c, format, formatLength);
        if (length < 0)
        {
            return length;
        }
        if (c.practises())
        {
            return length;
        }
        final TraceLog log = TraceLog.shared();
        final int line = log.begin(c.queue(), System.nanoTime());
        if (line < 0)
        {
            return length;
        }
        int written = BpfErrno.EINVAL;
        try
        {
            written = BpfFormat.write(
                c, format, length, arguments, index, count, log.text(), line, TraceLog.LINE_LENGTH);
        }
        finally
        {
            final int shown = Math.max(0, Math.min(written, TraceLog.LINE_LENGTH));
            final boolean endsLine = shown > 0 && '\n' == log.text().getByte(line + shown - 1);
            log.end(endsLine ? shown - 1 : shown);
        }
        return written;
    }

    /** snprintf: the length includes the end of the string, which is always written. */
    static long format(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long size = r2 & 0xffff_ffffL;
        final UnsafeBuffer arguments = numbers(c, r4, r5 & 0xffff_ffffL);
        final int index = c.index();
        final UnsafeBuffer target = c.writable(r1, size);
        final int at = c.index();
        if ((r5 & 7) != 0 || r5 > MAX_DATA)
        {
            return BpfErrno.EINVAL;
        }
        final int length = BpfFormat.length(c, r3, BpfFormat.MAX_FORMAT);
        if (length < 0)
        {
            return length;
        }
        final int written = BpfFormat.write(
            c, r3, length, arguments, index, (int)r5 >> 3, target, at, (int)Math.max(0, size - 1));
        if (written < 0)
        {
            return written;
        }
        if (size > 0)
        {
            target.putByte(at + (int)Math.min(written, size - 1), (byte)0);
        }
        return written + 1;
    }
}
