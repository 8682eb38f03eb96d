package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.map.BpfErrno;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Helpers that ask the host's network. There are no routes here: bpf_fib_lookup says that the packet is not forwarded,
 * upon which programs pass it on to whoever has routes. bpf_check_mtu knows the MTU of the frame's own port only.
 */
final class RouteHelpers
{
    /** BPF_FIB_LKUP_RET_NOT_FWDED. */
    static final int NOT_FORWARDED = 4;
    /** BPF_MTU_CHK_RET_FRAG_NEEDED. */
    static final int TOO_LONG = 1;

    /** struct bpf_fib_lookup, whose first byte is the address family. */
    private static final int LOOKUP_LENGTH = 64;
    /** DIRECT, OUTPUT, SKIP_NEIGH, TBID, SRC and MARK. */
    private static final int LOOKUP_FLAGS = 0x3f;
    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int ETHERNET = 14;

    private RouteHelpers()
    {
    }

    static long lookup(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer parameters = c.writable(r2, r3 & 0xffff_ffffL);
        if ((int)r3 < LOOKUP_LENGTH || (r4 & ~(long)LOOKUP_FLAGS) != 0)
        {
            return BpfErrno.EINVAL;
        }
        final int family = parameters.getByte(c.index()) & 0xff;
        return INET == family || INET6 == family ? NOT_FORWARDED : BpfErrno.EAFNOSUPPORT;
    }

    static long checkMtu(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer memory = c.writable(r3, Integer.BYTES);
        final int at = c.index();
        if (0 != r5)
        {
            return BpfErrno.EINVAL;
        }
        if (0 != (int)r2 && (int)r2 != c.ingressInterface())
        {
            return BpfErrno.ENODEV;
        }
        final int asked = memory.getInt(at);
        final long length = (0 == asked ? c.frame().length() : (long)asked + ETHERNET) + (int)r4;
        memory.putInt(at, c.mtu());
        return length > c.mtu() + ETHERNET ? TOO_LONG : 0;
    }
}
