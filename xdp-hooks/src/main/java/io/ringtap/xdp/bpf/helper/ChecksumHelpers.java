package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import org.agrona.concurrent.UnsafeBuffer;

/** bpf_csum_diff: the one's complement sum of what comes, less the sum of what goes. */
final class ChecksumHelpers
{
    private ChecksumHelpers()
    {
    }

    /** Folded to 16 bits, as the kernel does since 6.13; before, that depended on the architecture. */
    static long difference(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long fromLength = r2 & 0xffff_ffffL;
        final long toLength = r4 & 0xffff_ffffL;
        c.spend(fromLength + toLength);
        long sum = r5 & 0xffff_ffffL;
        if (toLength > 0)
        {
            final UnsafeBuffer to = c.readable(r3, toLength);
            sum = add(sum, sum(to, c.index(), (int)toLength));
        }
        if (fromLength > 0)
        {
            final UnsafeBuffer from = c.readable(r1, fromLength);
            final long gone = sum(from, c.index(), (int)fromLength);
            sum = toLength > 0 ? add(sum, ~gone & 0xffff_ffffL) : ~add(~sum & 0xffff_ffffL, gone) & 0xffff_ffffL;
        }
        final long folded = (sum & 0xffff) + (sum >>> 16);
        return (folded & 0xffff) + (folded >>> 16);
    }

    private static long add(final long a, final long b)
    {
        final long sum = a + b;
        return (sum & 0xffff_ffffL) + (sum >>> 32);
    }

    /** Sum of words of 32 bits with the carries added; the rest counts as if zeroes followed. */
    private static long sum(final UnsafeBuffer buffer, final int index, final int length)
    {
        long sum = 0;
        int i = 0;
        for (; i + 4 <= length; i += 4)
        {
            sum += buffer.getInt(index + i) & 0xffff_ffffL;
        }
        for (int shift = 0; i < length; i++, shift += 8)
        {
            sum += (buffer.getByte(index + i) & 0xffL) << shift;
        }
        final long folded = (sum & 0xffff_ffffL) + (sum >>> 32);
        return (folded & 0xffff_ffffL) + (folded >>> 32);
    }
}
