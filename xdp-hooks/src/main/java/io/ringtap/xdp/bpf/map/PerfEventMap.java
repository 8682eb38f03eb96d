package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * PERF_EVENT_ARRAY: events from programs to a reader, in a ring for each queue. There are no rings until somebody
 * {@link #open opens} them, and then programs get ENOENT, as with the kernel's perf events.
 */
public final class PerfEventMap extends PlainMap
{
    /** Most bytes of one event. */
    public static final int MAX_EVENT = 65_535;

    private final AtomicReferenceArray<RecordRing> rings;

    /** @param spec with as many entries as there are queues where the object leaves the number open. */
    PerfEventMap(final MapSpec spec)
    {
        super(spec);
        rings = new AtomicReferenceArray<>(spec.maxEntries());
    }

    /**
     * Begins to keep events.
     *
     * @param queues for queues below this.
     * @param bytes  of each ring; a power of two from 4096 to 16777216.
     */
    public void open(final int queues, final int bytes)
    {
        MapLimits.ring(spec(), bytes, 1 << 24);
        for (int i = 0; i < Math.min(queues, rings.length()); i++)
        {
            rings.compareAndSet(i, null, new RecordRing(name(), bytes));
        }
    }

    /** Whether somebody keeps a queue's events. */
    public boolean isOpen(final int index)
    {
        return index >= 0 && index < rings.length() && null != rings.get(index);
    }

    /**
     * Keeps one event made of two parts.
     *
     * @param index whose ring.
     * @return 0 or a negative errno.
     */
    public int emit(
        final int index,
        final UnsafeBuffer data,
        final int dataIndex,
        final int dataLength,
        final UnsafeBuffer more,
        final int moreIndex,
        final int moreLength)
    {
        if (index < 0 || index >= rings.length())
        {
            return BpfErrno.E2BIG;
        }
        final RecordRing ring = rings.get(index);
        if (null == ring)
        {
            return BpfErrno.ENOENT;
        }
        if ((long)dataLength + moreLength > MAX_EVENT)
        {
            return BpfErrno.E2BIG;
        }
        final int offset = ring.reserve(dataLength + moreLength);
        if (RecordRing.FULL == offset)
        {
            return BpfErrno.ENOSPC;
        }
        ring.memory().putBytes(offset, data, dataIndex, dataLength);
        if (moreLength > 0)
        {
            ring.memory().putBytes(offset + dataLength, more, moreIndex, moreLength);
        }
        ring.commit(offset, false);
        return 0;
    }

    /** Hands out at most so many events of each queue; for one thread at a time. Returns how many. */
    public int consume(final RecordHandler handler, final int limit)
    {
        int count = 0;
        for (int i = 0; i < rings.length(); i++)
        {
            final RecordRing ring = rings.get(i);
            count += null == ring ? 0 : ring.consume(i, handler, limit);
        }
        return count;
    }

    @Override
    public BpfMap scratch()
    {
        return new PerfEventMap(spec());
    }
}
