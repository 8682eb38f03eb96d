package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

/** A map that programs use through helpers of its own, never by keys and values. */
abstract class PlainMap extends BpfMap
{
    private final MapSpec spec;

    PlainMap(final MapSpec spec)
    {
        super(spec.name(), spec.kind(), spec.keySize(), spec.valueSize(), spec.maxEntries(), false);
        this.spec = spec;
    }

    final MapSpec spec()
    {
        return spec;
    }

    @Override
    public final UnsafeBuffer values()
    {
        return null;
    }

    @Override
    public final int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return MISSING;
    }

    @Override
    public final int update(
        final BpfContext context,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        return BpfErrno.EINVAL;
    }

    @Override
    public final int delete(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return BpfErrno.EINVAL;
    }
}
