package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.PortMap;
import org.agrona.concurrent.UnsafeBuffer;

/** Helpers that name where a frame goes when the program returns XDP_REDIRECT. */
final class RedirectHelpers
{
    /** To all ports of the map. */
    static final int BROADCAST = 1 << 3;
    /** But the one that the frame came from. */
    static final int EXCLUDE_INGRESS = 1 << 4;

    /** Actions that the low bits of the flags may name for what is not in the map: ABORTED to TX. */
    private static final int FALLBACK = 3;

    private RedirectHelpers()
    {
    }

    static long redirect(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        if (0 != r2 || (int)r1 < 0)
        {
            return XdpVerdict.ABORTED;
        }
        c.frame().redirect((int)r1);
        return XdpVerdict.REDIRECT;
    }

    /**
     * A CPUMAP's frames stay with their queue, which goes on with them as if they were passed: queues here have
     * threads of their own already. A frame has one target, so broadcasts are refused as the kernel refuses unknown
     * flags.
     */
    static long redirectMap(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = c.map(r1);
        if (!(map instanceof PortMap ports))
        {
            throw c.refuse("that map has no ports", r1);
        }
        if ((r3 & ~(long)FALLBACK) != 0)
        {
            return XdpVerdict.ABORTED;
        }
        final UnsafeBuffer key = c.writable(c.scratchOfCaller(), Integer.BYTES);
        key.putInt(c.index(), (int)r2);
        final int port = ports.port(key, c.index());
        if (PortMap.NONE == port)
        {
            return r3;
        }
        if (MapKind.CPUMAP == map.kind())
        {
            return XdpVerdict.PASS;
        }
        c.frame().redirect(port);
        return XdpVerdict.REDIRECT;
    }
}
