package io.ringtap.xdp.bpf;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Maps for tests: constants, arrays with a place for each queue, and a list of keys that is searched. */
final class TestMap extends BpfMap
{
    private final UnsafeBuffer values;
    private final UnsafeBuffer keys;
    private final int queues;
    private final ProgramCode[] programs;
    private int used;

    /** Values that programs may only read. */
    TestMap(final String name, final byte[] constants)
    {
        super(name, MapKind.ARRAY, 4, constants.length, 1, true);
        values = memory(constants.length);
        values.putBytes(0, constants);
        keys = null;
        queues = 0;
        programs = null;
    }

    /** An array, or one for each queue, or a list of keys. */
    TestMap(final String name, final MapKind kind, final int keySize, final int entries, final int queues)
    {
        super(name, kind, keySize, 8, entries, false);
        values = MapKind.PROG_ARRAY == kind ? null : memory(8 * entries * Math.max(1, queues));
        keys = MapKind.HASH == kind ? memory(keySize * entries) : null;
        programs = MapKind.PROG_ARRAY == kind ? new ProgramCode[entries] : null;
        this.queues = queues;
    }

    private static UnsafeBuffer memory(final int length)
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, 8), 0, length);
    }

    void program(final int index, final ProgramCode code)
    {
        programs[index] = code;
    }

    @Override
    public UnsafeBuffer values()
    {
        return values;
    }

    @Override
    public int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        if (null == keys)
        {
            final int index = key.getInt(keyIndex);
            return index < 0 || index >= maxEntries() ? MISSING :
                index * stride() + context.queue() * queueStride();
        }
        for (int i = 0; i < used; i++)
        {
            int same = 0;
            while (same < keySize() && keys.getByte(i * keySize() + same) == key.getByte(keyIndex + same))
            {
                same++;
            }
            if (same == keySize())
            {
                return 8 * i;
            }
        }
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
        int offset = lookup(context, key, keyIndex);
        if (MISSING == offset)
        {
            if (null == keys || used == maxEntries())
            {
                return -7;
            }
            keys.putBytes(used * keySize(), key, keyIndex, keySize());
            offset = 8 * used++;
        }
        values.putBytes(offset, value, valueIndex, 8);
        return 0;
    }

    @Override
    public int delete(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return -2;
    }

    @Override
    public int stride()
    {
        return null == keys && null == programs ? 8 : 0;
    }

    @Override
    public int queueStride()
    {
        return queues > 0 ? 8 * maxEntries() : 0;
    }

    @Override
    public ProgramCode program(final int index)
    {
        return null == programs || index < 0 || index >= programs.length ? null : programs[index];
    }
}
