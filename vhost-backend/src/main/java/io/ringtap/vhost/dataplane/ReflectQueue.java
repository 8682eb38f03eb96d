package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;

/** Frames of ours on their way, mostly copies that a hook turned round (verdict TX), until they were taken. */
final class ReflectQueue
{
    private final FrameBatch batch;
    private final FragAllocator fragments;
    private final int pageSize;
    private final CounterSet<WorkerCounter> counters;

    /** @param pageSize the largest fragment there is; a longer frame cannot be reflected. */
    ReflectQueue(
        final FrameBatch batch,
        final FragAllocator fragments,
        final int pageSize,
        final CounterSet<WorkerCounter> counters)
    {
        this.batch = batch;
        this.fragments = fragments;
        this.pageSize = pageSize;
        this.counters = counters;
    }

    FrameBatch batch()
    {
        return batch;
    }

    boolean isEmpty()
    {
        return batch.frames() == 0;
    }

    /** Copies frame {@code i}; counts it as dropped when there is no room. */
    void push(final FrameBatch from, final int i)
    {
        final int length = from.length(i);
        final int slotLength = FrameLayout.HEADROOM + length;
        final int slot = batch.isFull() || slotLength > pageSize ?
            FragAllocator.EXHAUSTED : fragments.allocate(slotLength);
        if (slot == FragAllocator.EXHAUSTED)
        {
            counters.increment(WorkerCounter.DROP_REFLECT);
            return;
        }
        final int offset = slot + FrameLayout.HEADROOM;
        final int linear = from.linearLength(i);
        // First: the rest may be in memory that is gone, and then the slot is let go with the batch.
        batch.add(slot, slotLength, offset, length, 0);
        batch.arena().putBytes(offset - FrameLayout.NET_HEADER, from.arena(), from.netHeader(i),
            FrameLayout.NET_HEADER + linear);
        if (linear < length)
        {
            from.vectors().copyTo(
                from.run(i) + 1, from.segments(i), 0, length - linear, batch.arena(), offset + linear);
        }
        counters.increment(WorkerCounter.REFLECTED);
    }

    /** Adds a RARP of this MAC. @return false when there is no room. */
    boolean announce(final long mac)
    {
        final int slot = batch.isFull() ? FragAllocator.EXHAUSTED : fragments.allocate(FrameLayout.SMALL_SLOT);
        if (slot == FragAllocator.EXHAUSTED)
        {
            return false;
        }
        final int offset = slot + FrameLayout.HEADROOM;
        RarpFrame.write(batch.arena(), offset, mac);
        batch.add(slot, FrameLayout.SMALL_SLOT, offset, RarpFrame.LENGTH, 0);
        return true;
    }

    /** Frees the slots once everything was taken. */
    void recycle()
    {
        if (batch.isDrained())
        {
            clear();
        }
    }

    void clear()
    {
        batch.release(fragments);
    }
}
