package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.Checksum;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.flow.Segmenter;
import io.ringtap.flow.VnetHeader;
import io.ringtap.frag.FragAllocator;

/**
 * Makes of frames what hooks have to see. For hooks that change frames, what would be on the wire: super-frames are
 * cut and begun checksums completed, so that whatever such a program does to addresses, ports or headers is right when
 * it is right on the wire. For hooks that want frames whole, one piece: what lies in guest memory is copied.
 * <p>
 * Most batches need neither and stay as they are. Of others the frames go over into a batch of ours, as many as fit;
 * the rest follows when these are gone.
 */
final class FrameUnroller
{
    /** Packets of a super-frame of 64 KiB at an Ethernet MTU, five times. */
    static final int CAPACITY = 256;

    /** One a frame, and what the coalescer needs for super-frames of its own. */
    private static final int VECTORS = 4 * CAPACITY;

    /** Room for programs that append, as in the kernel behind a frame of full length. */
    private static final int TAILROOM = 320;

    private final FrameBatch unrolled;
    private final Segmenter segmenter;
    private final FragAllocator fragments;
    private final CounterSet<WorkerCounter> counters;

    FrameUnroller(final WorkerSetup setup, final CounterSet<WorkerCounter> counters)
    {
        this.counters = counters;
        fragments = setup.fragments();
        unrolled = new FrameBatch(setup.arena(), CAPACITY, VECTORS);
        segmenter = new Segmenter(fragments);
    }

    /** Whether frames have to go over into another batch. */
    static boolean mustUnroll(final FrameBatch batch, final boolean isChange)
    {
        return batch.hasSegments() || isChange && hasSuper(batch);
    }

    private static boolean hasSuper(final FrameBatch batch)
    {
        for (int k = 0, n = batch.readyCount(); k < n; k++)
        {
            if (isSuper(batch, batch.ready(k)))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes frames over from the ready list, in order; {@link FrameBatch#sent} says how far it came.
     *
     * @param isChange cut super-frames; else they are only made whole.
     * @return the batch they are in, whose slots somebody has to release.
     */
    FrameBatch unroll(final FrameBatch batch, final boolean isChange)
    {
        boolean hasRoom = true;
        while (hasRoom && !batch.isDrained())
        {
            final int i = batch.ready(batch.sent());
            final int added = isChange && isSuper(batch, i) ? cut(batch, i) :
                0 < batch.segments(i) ? copyWhole(batch, i) : share(batch, i);
            hasRoom = 0 < added;
            if (!hasRoom && (unrolled.frames() == 0 || Segmenter.MALFORMED == added))
            {
                // It would never find more room than there is now, or it is not what its net header says.
                counters.increment(WorkerCounter.DROP_OFFLOAD);
                hasRoom = true;
                batch.sent(batch.sent() + 1);
            }
            else if (hasRoom)
            {
                batch.sent(batch.sent() + 1);
            }
        }
        return unrolled;
    }

    /** Lets go of frames that nobody was given, because a failure came in between. */
    void forget()
    {
        unrolled.release(fragments);
        segmenter.forget();
    }

    /** Completes checksums in place; what cannot be completed leaves the ready list. */
    void complete(final FrameBatch batch)
    {
        int kept = 0;
        long completed = 0;
        for (int k = 0, n = batch.readyCount(); k < n; k++)
        {
            final int i = batch.ready(k);
            final int netHeader = batch.netHeader(i);
            if (!VnetHeader.needsChecksum(batch.arena(), netHeader))
            {
                // Whatever was verified may be changed now.
                VnetHeader.clear(batch.arena(), netHeader);
                batch.ready(kept++, i);
            }
            else if (Checksum.complete(batch, i))
            {
                completed++;
                batch.ready(kept++, i);
            }
            else
            {
                counters.increment(WorkerCounter.DROP_OFFLOAD);
            }
        }
        batch.readyCount(kept);
        if (0 < completed)
        {
            counters.add(WorkerCounter.HOOK_COMPLETED, completed);
        }
    }

    private static boolean isSuper(final FrameBatch batch, final int i)
    {
        return VnetHeader.GSO_NONE != VnetHeader.gsoType(batch.arena(), batch.netHeader(i));
    }

    private int cut(final FrameBatch batch, final int i)
    {
        final int count = segmenter.segment(batch, i, unrolled, Offloads.NONE);
        if (0 < count)
        {
            counters.increment(WorkerCounter.HOOK_CUT);
        }
        return count;
    }

    private int copyWhole(final FrameBatch batch, final int i)
    {
        final int length = batch.length(i);
        final int slotLength = FrameLayout.HEADROOM + length + TAILROOM;
        final int slot = unrolled.isFull() ? FragAllocator.EXHAUSTED : fragments.allocate(slotLength);
        if (FragAllocator.EXHAUSTED == slot)
        {
            return 0;
        }
        final int offset = slot + FrameLayout.HEADROOM;
        final int linear = batch.linearLength(i);
        // First: the rest may be in memory that is gone, and then the slot is let go with the batch.
        unrolled.add(slot, slotLength, offset, length, batch.token(i));
        unrolled.arena().putBytes(offset - FrameLayout.NET_HEADER, batch.arena(), batch.netHeader(i),
            FrameLayout.NET_HEADER + linear);
        batch.vectors().copyTo(
            batch.run(i) + 1, batch.segments(i), 0, length - linear, unrolled.arena(), offset + linear);
        counters.increment(WorkerCounter.HOOK_WHOLE);
        return 1;
    }

    /** A frame that is right as it is stays where it is; both batches hold its fragment. */
    private int share(final FrameBatch batch, final int i)
    {
        if (unrolled.isFull())
        {
            return 0;
        }
        final int slot = batch.slot(i);
        fragments.retain(slot);
        unrolled.add(slot, batch.slotEnd(i) - slot, batch.offset(i), batch.linearLength(i), batch.token(i));
        return 1;
    }
}
