package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.MapVisit;

/** Helpers that call the program back. Each call takes fuel, so that every loop ends. */
final class LoopHelpers
{
    private static final int MAX_LOOPS = 1 << 23;

    private LoopHelpers()
    {
    }

    static long loop(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long count = r1 & 0xffff_ffffL;
        if (0 != r4)
        {
            return BpfErrno.EINVAL;
        }
        if (count > MAX_LOOPS)
        {
            // The kernel puts the loop into the program, and there the number has 32 bits.
            return BpfErrno.E2BIG & 0xffff_ffffL;
        }
        for (long i = 0; i < count; i++)
        {
            if (0 != c.call(r2, i, r3, 0, 0, 0))
            {
                return i + 1;
            }
        }
        return count;
    }

    static long forEach(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return 0 == r4 ? MapVisit.forEach(c, r1, r2, r3) : BpfErrno.EINVAL;
    }
}
