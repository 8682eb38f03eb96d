package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.IoVectors;
import io.ringtap.sys.Mapping;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The fragments and overflow buffers that a queue offers to its reads. A read that brings nothing leaves its fragment
 * here for the next one; a frame takes its fragment away into the batch. Owned by the queue's worker.
 */
final class ReceiveBuffers implements AutoCloseable
{
    private static final int TAKEN = -1;

    private final UnsafeBuffer arena;
    private final FragAllocator allocator;
    private final CounterSet<PortCounter> counters;
    private final int[] slots;
    private final int[] scratch;
    private final IoVectors vectors;
    private ReceiveLayout layout;
    private Mapping overflow;
    private int offered;

    ReceiveBuffers(
        final UnsafeBuffer arena,
        final FragAllocator allocator,
        final CounterSet<PortCounter> counters,
        final int capacity,
        final ReceiveLayout layout)
    {
        this.arena = arena;
        this.allocator = allocator;
        this.counters = counters;
        slots = new int[capacity];
        scratch = new int[capacity];
        vectors = new IoVectors(2 * capacity);
        layout(layout);
    }

    int capacity()
    {
        return slots.length;
    }

    ReceiveLayout layout()
    {
        return layout;
    }

    /** From now on reads are offered this; fragments of the old size go back. */
    void layout(final ReceiveLayout next)
    {
        if (null != layout && layout.slotLength() != next.slotLength())
        {
            giveBack();
        }
        layout = next;
        if (next.hasOverflow() && null == overflow)
        {
            // Backed by memory only where super-frames really land.
            overflow = Mapping.anonymous((long)slots.length * ReceiveLayout.OVERFLOW, "overflow of received frames");
        }
    }

    /** How many frames may be read for this batch. */
    int room(final FrameBatch batch, final int limit)
    {
        final int vectorsFree = layout.hasOverflow() ? batch.vectorsFree() >> 1 : batch.vectorsFree();
        return Math.min(Math.min(limit, slots.length), Math.min(batch.capacity() - batch.frames(), vectorsFree));
    }

    /**
     * Makes buffers 0 to n-1 ready for reads.
     *
     * @return n: {@code wanted}, or less when fragments ran out.
     */
    int offer(final int wanted)
    {
        final int missing = wanted - offered;
        if (missing > 0)
        {
            final int count = allocator.allocate(layout.slotLength(), missing, scratch);
            System.arraycopy(scratch, 0, slots, offered, count);
            offered += count;
            if (count < missing)
            {
                counters.increment(PortCounter.RX_NO_FRAGMENT);
                return offered;
            }
        }
        return wanted;
    }

    /** Arena offset of the first byte that read j brings, in buffers without overflow. */
    int readOffset(final int j)
    {
        return slots[j] + ReceiveLayout.readOffset();
    }

    IoVectors vectors()
    {
        return vectors;
    }

    /** Lays out the two vectors of read j. @return index of the first. */
    int vector(final int j)
    {
        return vector(j, 0);
    }

    /** As {@link #vector(int)}, so many bytes further on: for net headers that are shorter by them. */
    int vector(final int j, final int skip)
    {
        final int first = 2 * j;
        vectors.set(first, arena.addressOffset() + readOffset(j) + skip, layout.readLength() - skip);
        vectors.set(first + 1, overflow(j), ReceiveLayout.OVERFLOW);
        return first;
    }

    /**
     * Appends what read j brought to the batch, or counts why not.
     *
     * @param bytes as the kernel says, net header included.
     * @return false when the frame was cut: the layout is too small.
     */
    boolean accept(final FrameBatch batch, final int j, final int bytes)
    {
        final int length = bytes - FrameLayout.NET_HEADER;
        if (bytes >= layout.capacity())
        {
            counters.increment(PortCounter.RX_TRUNCATED);
            return false;
        }
        if (length < FrameLayout.MIN_FRAME)
        {
            counters.increment(PortCounter.RX_RUNT);
        }
        else
        {
            final int slot = slots[j];
            final int data = slot + FrameLayout.HEADROOM;
            final int linear = Math.min(length, layout.slotLength() - FrameLayout.HEADROOM);
            batch.add(slot, layout.slotLength(), data, linear, 0);
            if (length > linear)
            {
                final int vector = batch.claimSegments(1, length - linear);
                batch.vectors().set(vector, overflow(j), length - linear);
            }
            // The kernel writes ten bytes of the header and skips num_buffers: what lies there is an older frame's.
            arena.putShort(data - Short.BYTES, (short)0);
            slots[j] = TAKEN;
        }
        return true;
    }

    /** Closes the gaps that frames left: called when the results of a round of reads have been looked at. */
    void settle()
    {
        int kept = 0;
        for (int j = 0; j < offered; j++)
        {
            if (TAKEN != slots[j])
            {
                slots[kept++] = slots[j];
            }
        }
        offered = kept;
    }

    /** Releases the slots of a received batch and clears it. */
    void release(final FrameBatch batch)
    {
        batch.release(allocator);
    }

    @Override
    public void close()
    {
        giveBack();
        vectors.close();
        if (null != overflow)
        {
            overflow.close();
            overflow = null;
        }
    }

    private void giveBack()
    {
        if (offered > 0)
        {
            allocator.release(slots, offered);
        }
        offered = 0;
    }

    private long overflow(final int j)
    {
        return overflow.address() + (long)j * ReceiveLayout.OVERFLOW;
    }
}
