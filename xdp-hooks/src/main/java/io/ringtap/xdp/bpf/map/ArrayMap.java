package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * ARRAY and PERCPU_ARRAY: values by index, all of which exist from the beginning and for ever. Updates write in place,
 * so that what is longer than a word may be read half old and half new, as in the kernel.
 */
final class ArrayMap extends StoredMap
{
    /** A double for practice is a copy up to this size: what it holds decides where a program goes. */
    private static final int MAX_SCRATCH = 16 << 20;

    private final ValueArea area;
    private final int stride;
    private final int queueStride;
    private final UnsafeBuffer values;

    /** @param queues 0 for an ARRAY. */
    ArrayMap(final MapSpec spec, final int queues)
    {
        super(spec, queues);
        area = new ValueArea(spec, spec.maxEntries(), queues);
        values = area.memory();
        stride = area.stride();
        queueStride = area.queueStride();
        if (null != spec.content())
        {
            values.putBytes(0, spec.content());
        }
    }

    @Override
    public UnsafeBuffer values()
    {
        return values;
    }

    @Override
    public int stride()
    {
        return stride;
    }

    @Override
    public int queueStride()
    {
        return queueStride;
    }

    @Override
    public int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        final int index = key.getInt(keyIndex);
        return index < 0 || index >= maxEntries() ? MISSING : index * stride + context.queue() * queueStride;
    }

    @Override
    int lookupOn(final int queue, final UnsafeBuffer key, final int keyIndex)
    {
        final int index = key.getInt(keyIndex);
        return index < 0 || index >= maxEntries() ? MISSING : index * stride + queue * queueStride;
    }

    @Override
    int write(
        final int queue,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        // Asked for a lock that is not there, the kernel looks at the index first.
        final boolean isLockMissing = 0 != area.flagError(flags);
        if (isLockMissing && 0 != area.flagError(flags & ~MapFlags.LOCK))
        {
            return BpfErrno.EINVAL;
        }
        final int index = key.getInt(keyIndex);
        if (index < 0 || index >= maxEntries())
        {
            return BpfErrno.E2BIG;
        }
        if ((flags & MapFlags.NOEXIST) != 0)
        {
            return BpfErrno.EEXIST;
        }
        if (isLockMissing)
        {
            return BpfErrno.EINVAL;
        }
        if ((flags & MapFlags.LOCK) != 0)
        {
            return area.putLocked(index, value, valueIndex);
        }
        area.put(index, queue, false, value, valueIndex);
        return 0;
    }

    @Override
    int read(
        final int queue,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        final int index = key.getInt(keyIndex);
        return index < 0 || index >= maxEntries() ?
            BpfErrno.ENOENT :
            area.get(index, queue, value, valueIndex, flags);
    }

    @Override
    int remove(final UnsafeBuffer key, final int keyIndex)
    {
        return BpfErrno.EINVAL;
    }

    @Override
    int queueDistance()
    {
        return queueStride;
    }

    @Override
    int places()
    {
        return maxEntries();
    }

    @Override
    long version(final int place)
    {
        return 0;
    }

    @Override
    int entryAt(final int place, final int n, final UnsafeBuffer key, final int keyIndex)
    {
        if (n > 0)
        {
            return MISSING;
        }
        key.putInt(keyIndex, place);
        return place * stride;
    }

    @Override
    public BpfMap scratch()
    {
        final long entries = Math.max(1, MAX_SCRATCH / Math.max(1, (long)stride * Math.max(1, queues())));
        final ArrayMap twin =
            new ArrayMap(spec().withMaxEntries((int)Math.min(maxEntries(), entries)), queues());
        if (values.capacity() == twin.values.capacity())
        {
            twin.values.putBytes(0, values, 0, values.capacity());
        }
        return twin;
    }
}
