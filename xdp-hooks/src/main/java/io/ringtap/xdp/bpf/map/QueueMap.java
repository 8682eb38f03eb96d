package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;

/** QUEUE and STACK: values without keys, pushed and popped under one lock. */
public final class QueueMap extends PlainMap
{
    private static final int LOCK = 0;
    private static final int CONTROL = 64;
    private static final int SCRATCH_ENTRIES = 256;
    private static final int PATIENCE = 1 << 17;

    private final boolean isStack;
    private final int capacity;
    private final int stride;
    private final UnsafeBuffer items;
    private final UnsafeBuffer control;
    /** Under the lock: the oldest item, and how many there are. */
    private int first;
    private int count;

    QueueMap(final MapSpec spec)
    {
        super(spec);
        isStack = MapKind.STACK == spec.kind();
        capacity = spec.maxEntries();
        stride = (int)Words.align(spec.valueSize(), Long.BYTES);
        items = MapMemory.allocate(spec.name(), capacity + " values", (long)capacity * stride);
        control = MapMemory.allocate(spec.name(), "a lock", CONTROL);
    }

    /**
     * Adds a value.
     *
     * @param flags {@link MapFlags#EXIST} to let the oldest go when there is no room.
     * @return 0 or a negative errno.
     */
    public int push(final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        if (MapFlags.ANY != flags && MapFlags.EXIST != flags)
        {
            return BpfErrno.EINVAL;
        }
        if (!lock())
        {
            return BpfErrno.EBUSY;
        }
        int result = 0;
        if (count == capacity && MapFlags.EXIST != flags)
        {
            result = BpfErrno.E2BIG;
        }
        else
        {
            if (count == capacity)
            {
                first = next(first, 1);
                count--;
            }
            Words.copy(items, next(first, count) * stride, value, valueIndex, valueSize());
            count++;
        }
        unlock();
        return result;
    }

    /**
     * Takes or shows the next value: the oldest of a QUEUE, the newest of a STACK.
     *
     * @return 0, or ENOENT when there is none; the memory is 0 then.
     */
    public int pop(final UnsafeBuffer value, final int valueIndex, final boolean isTaken)
    {
        if (!lock())
        {
            return BpfErrno.EBUSY;
        }
        int result = 0;
        if (0 == count)
        {
            Words.clear(value, valueIndex, valueSize());
            result = BpfErrno.ENOENT;
        }
        else
        {
            final int item = isStack ? next(first, count - 1) : first;
            Words.copy(value, valueIndex, items, item * stride, valueSize());
            if (isTaken)
            {
                first = isStack ? first : next(first, 1);
                count--;
            }
        }
        unlock();
        return result;
    }

    private int next(final int item, final int distance)
    {
        final int at = item + distance;
        return at >= capacity ? at - capacity : at;
    }

    private boolean lock()
    {
        int spins = 0;
        while (0 != control.getIntVolatile(LOCK) || !control.compareAndSetInt(LOCK, 0, 1))
        {
            spins = Words.pause(spins);
            if (spins > PATIENCE)
            {
                return false;
            }
        }
        return true;
    }

    private void unlock()
    {
        control.putIntRelease(LOCK, 0);
    }

    @Override
    public BpfMap scratch()
    {
        return new QueueMap(spec().withMaxEntries(Math.min(SCRATCH_ENTRIES, capacity)));
    }
}
