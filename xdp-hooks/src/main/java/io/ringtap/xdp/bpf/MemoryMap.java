package io.ringtap.xdp.bpf;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Plain memory of a program without a frame: an array of one entry that no lookup finds. */
final class MemoryMap extends BpfMap
{
    private final UnsafeBuffer values;

    MemoryMap(final String name, final byte[] bytes)
    {
        super(name, MapKind.ARRAY, 4, bytes.length, 1, false);
        final int length = Math.max(Long.BYTES, bytes.length);
        values = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, Long.BYTES), 0, length);
        values.putBytes(0, bytes);
    }

    @Override
    public UnsafeBuffer values()
    {
        return values;
    }

    @Override
    public int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return MISSING;
    }

    @Override
    public int update(
        final BpfContext context,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        return -1;
    }

    @Override
    public int delete(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return -1;
    }

    @Override
    public BpfMap scratch()
    {
        return new MemoryMap(name(), new byte[valueSize()]);
    }
}
