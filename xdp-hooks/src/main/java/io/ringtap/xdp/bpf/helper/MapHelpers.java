package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapVisit;
import org.agrona.concurrent.UnsafeBuffer;

/** Helpers that look into maps and change them. */
final class MapHelpers
{
    private MapHelpers()
    {
    }

    static long lookup(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = c.map(r1);
        final UnsafeBuffer key = c.readable(r2, map.keySize());
        if (null == map.values())
        {
            return map.inner(c, key, c.index());
        }
        final int offset = map.lookup(c, key, c.index());
        return BpfMap.MISSING == offset ? 0 : c.address(r1, offset);
    }

    static long lookupOnQueue(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = c.map(r1);
        final UnsafeBuffer key = c.readable(r2, map.keySize());
        final int offset = MapVisit.lookup(c, r1, key, c.index(), r3 & 0xffff_ffffL);
        return BpfMap.MISSING == offset ? 0 : c.address(r1, offset);
    }

    static long update(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = changeable(c, r1);
        final UnsafeBuffer key = c.readable(r2, map.keySize());
        final int keyIndex = c.index();
        final UnsafeBuffer value = c.readable(r3, map.valueSize());
        if ((r4 & MapFlags.LOCK) != 0 && LockHelpers.isHeld(c))
        {
            return BpfErrno.EBUSY;
        }
        return map.update(c, key, keyIndex, value, c.index(), r4);
    }

    static long delete(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = changeable(c, r1);
        final UnsafeBuffer key = c.readable(r2, map.keySize());
        return map.delete(c, key, c.index());
    }

    /** The kernel's verifier refuses programs that change other maps; here the call does not come back. */
    private static BpfMap changeable(final BpfContext c, final long handle)
    {
        final BpfMap map = c.map(handle);
        if (map.isReadOnly() || null == map.values() || MapKind.RINGBUF == map.kind())
        {
            throw c.refuse("programs do not change the entries of that map", handle);
        }
        return map;
    }
}
