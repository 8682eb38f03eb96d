package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

/**
 * A queue of the null port. Its frames are written once, at start, and lent again and again: a hook that changes one
 * finds it changed the next time.
 */
final class NullQueue implements PortQueue
{
    /** More than a batch, so that no frame is in a batch twice. */
    private static final int MIN_PREPARED = 128;

    /** Room behind the frame, for hooks that append. */
    private static final int TAILROOM = 64;

    private final CounterSet<PortCounter> counters;
    private final FragAllocator allocator;
    private final int[] slots;
    private final int length;
    private final int slotLength;
    private int next;

    NullQueue(
        final int index, final UnsafeBuffer arena, final FragAllocator allocator, final GeneratedFrames frames)
    {
        this.allocator = allocator;
        counters = new CounterSet<>("null queue " + index, PortCounter.class);
        length = frames.length();
        // No longer than needed: slots of 2 KiB would fight for a few sets of the first-level cache.
        slotLength = Math.min(FrameLayout.SMALL_SLOT, FrameLayout.HEADROOM + length + TAILROOM);
        // Whole rounds of flows, so that each has its share.
        final int rounds = 0 == length ? 0 : (MIN_PREPARED + frames.flows() - 1) / frames.flows();
        slots = new int[rounds * frames.flows()];
        Arrays.fill(slots, FragAllocator.EXHAUSTED);
        for (int i = 0; i < slots.length; i++)
        {
            slots[i] = allocator.allocate(slotLength);
            if (FragAllocator.EXHAUSTED == slots[i])
            {
                close();
                throw new PortException(slots.length + " generated frames", "the arena has no room for them",
                    "use fewer flows or a larger arena", null);
            }
            frames.write(arena, slots[i] + FrameLayout.HEADROOM, i);
        }
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        final int first = batch.sent();
        final int count = batch.readyCount();
        long bytes = 0;
        long packets = 0;
        for (int k = first; k < count; k++)
        {
            final int i = batch.ready(k);
            bytes += batch.length(i);
            packets += batch.packets(i);
        }
        if (count > first)
        {
            counters.add(PortCounter.TX_FRAMES, count - first);
            counters.add(PortCounter.TX_PACKETS, packets);
            counters.add(PortCounter.TX_BYTES, bytes);
            batch.sent(count);
        }
        return count - first;
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        final int wanted = Math.min(limit, slots.length);
        int n = 0;
        int at = next;
        while (n < wanted)
        {
            final int slot = slots[at];
            if (FrameBatch.FULL ==
                batch.add(slot, slotLength, slot + FrameLayout.HEADROOM, length, 0))
            {
                break;
            }
            at = at + 1 == slots.length ? 0 : at + 1;
            n++;
        }
        next = at;
        if (n > 0)
        {
            counters.add(PortCounter.RX_FRAMES, n);
            counters.add(PortCounter.RX_BYTES, (long)n * length);
        }
        return n;
    }

    /** The slots stay ours: only the batch is cleared. */
    @Override
    public void release(final FrameBatch batch)
    {
        batch.clear();
    }

    @Override
    public void flush()
    {
        // Nothing is ever deferred.
    }

    @Override
    public boolean armReceive()
    {
        return 0 == slots.length;
    }

    @Override
    public int waitDescriptor()
    {
        return -1;
    }

    @Override
    public void attach(final boolean on)
    {
        // No traffic is spread over queues here.
    }

    @Override
    public CounterSet<PortCounter> counters()
    {
        return counters;
    }

    @Override
    public void close()
    {
        for (int i = 0; i < slots.length; i++)
        {
            if (FragAllocator.EXHAUSTED != slots[i])
            {
                allocator.release(slots[i]);
                slots[i] = FragAllocator.EXHAUSTED;
            }
        }
    }
}
