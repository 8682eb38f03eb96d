package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.Offloads;
import io.ringtap.flow.Segmenter;
import io.ringtap.flow.VnetHeader;
import io.ringtap.frag.FragAllocator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Turns a super-frame or a begun checksum into plain frames when the guest did not negotiate it. The port was told
 * what the guest takes, so this is for the frames that were under way when that changed, and for ports that cannot be
 * told.
 */
final class OffloadGate
{
    private final FrameBatch segments;
    private final Segmenter segmenter;
    private final FragAllocator fragments;
    private final CounterSet<WorkerCounter> counters;
    private int allowed;

    OffloadGate(
        final FrameBatch segments,
        final Segmenter segmenter,
        final FragAllocator fragments,
        final CounterSet<WorkerCounter> counters)
    {
        this.segments = segments;
        this.segmenter = segmenter;
        this.fragments = fragments;
        this.counters = counters;
    }

    void allow(final int offloads)
    {
        allowed = offloads;
    }

    FrameBatch batch()
    {
        return segments;
    }

    boolean isEmpty()
    {
        return segments.frames() == 0;
    }

    boolean mustConvert(final FrameBatch batch, final int i)
    {
        return !VnetHeader.fits(batch.arena(), batch.netHeader(i), allowed);
    }

    /** Fills {@link #batch()} with the plain frames of frame {@code i}. */
    void convert(final FrameBatch batch, final int i)
    {
        if (segmenter.segment(batch, i, segments, allowed) <= 0)
        {
            counters.increment(WorkerCounter.DROP_OFFLOAD);
            clear();
        }
    }

    /** A guest without GUEST_CSUM is told nothing about checksums (virtio 5.1.6.4.1). */
    void clean(final UnsafeBuffer arena, final int netHeader)
    {
        if ((allowed & Offloads.CSUM) == 0)
        {
            VnetHeader.clear(arena, netHeader);
        }
    }

    void clear()
    {
        segments.release(fragments);
        segmenter.forget();
    }
}
