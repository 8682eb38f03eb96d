package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of a map's values: one a slot, or one a slot and queue. Queues have areas apart from each other, so that
 * they do not write to the same cache lines.
 */
final class ValueArea
{
    private static final int LINE = 64;

    private final UnsafeBuffer memory;
    private final int queues;
    private final int stride;
    private final int queueStride;
    private final ValueLock lock;

    /** @param queues 0 when they share values. */
    ValueArea(final MapSpec spec, final int slots, final int queues)
    {
        this.queues = queues;
        final long entry = Words.align(spec.valueSize(), Long.BYTES);
        final long ofQueue = Words.align(entry * slots, queues > 0 ? LINE : Long.BYTES);
        memory = MapMemory.allocate(spec.name(), slots + " values", ofQueue * Math.max(1, queues));
        stride = (int)entry;
        queueStride = queues > 0 ? (int)ofQueue : 0;
        lock = new ValueLock(spec.valueSize(), spec.lockOffset());
    }

    UnsafeBuffer memory()
    {
        return memory;
    }

    /** How many values a slot has; 0 when queues share one. */
    int queues()
    {
        return queues;
    }

    /** Bytes from one value to the next. */
    int stride()
    {
        return stride;
    }

    /** Bytes from a queue's values to the next queue's; 0 when they share them. */
    int queueStride()
    {
        return queueStride;
    }

    /** Where a queue's value is. */
    int offset(final int slot, final int queue)
    {
        return slot * stride + queue * queueStride;
    }

    /** What is wrong with the flags of an update; 0 when nothing is. */
    int flagError(final long flags)
    {
        if ((flags & ~MapFlags.LOCK) > MapFlags.EXIST || flags < 0)
        {
            return BpfErrno.EINVAL;
        }
        return (flags & MapFlags.LOCK) != 0 && (queues > 0 || !lock.exists()) ? BpfErrno.EINVAL : 0;
    }

    /**
     * Stores what an update brings.
     *
     * @param queue whose value it is; {@link StoredMap#ALL_QUEUES} when one for each queue comes.
     * @param isNew whether the values of other queues become 0.
     */
    void put(final int slot, final int queue, final boolean isNew, final UnsafeBuffer value, final int valueIndex)
    {
        final int at = slot * stride;
        if (0 == queues)
        {
            lock.store(memory, at, value, valueIndex, false);
            return;
        }
        for (int i = 0; i < queues; i++)
        {
            if (StoredMap.ALL_QUEUES == queue)
            {
                lock.store(memory, at + i * queueStride, value, valueIndex + i * stride, false);
            }
            else if (queue == i)
            {
                lock.store(memory, at + i * queueStride, value, valueIndex, false);
            }
            else if (isNew)
            {
                Words.clear(memory, at + i * queueStride, stride);
            }
        }
    }

    /** Stores a value in place under its lock; 0 or EBUSY. */
    int putLocked(final int slot, final UnsafeBuffer value, final int valueIndex)
    {
        return lock.store(memory, slot * stride, value, valueIndex, true);
    }

    /** Copies a value out; 0 or EBUSY. */
    int get(final int slot, final int queue, final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        final boolean isLocked = (flags & MapFlags.LOCK) != 0 && lock.exists();
        return lock.load(memory, offset(slot, queue), value, valueIndex, isLocked);
    }
}
