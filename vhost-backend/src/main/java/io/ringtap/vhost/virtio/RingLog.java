package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestBuffers;
import io.ringtap.vhost.guest.GuestCursor;
import io.ringtap.vhost.guest.GuestWindow;

/**
 * Notes what a ring writes into the guest's memory while the guest migrates; nothing at any other time, for the price
 * of a branch for each batch and each chain that was written to. Owned by the ring's thread.
 */
final class RingLog
{
    private final CounterSet<RingCounter> counters;
    private final GuestCursor cursor;
    private final int size;
    private DirtyLog buffers;
    private DirtyLog ring;
    private long usedGuestAddress;
    /** The used ring, or the device's event suppression. */
    private GuestWindow usedPart;

    /** @param cursor into the memory that the ring is in. */
    RingLog(final CounterSet<RingCounter> counters, final GuestCursor cursor, final int size)
    {
        this.counters = counters;
        this.cursor = cursor;
        this.size = size;
    }

    /** Where {@link #used} counts its offsets from. */
    void usedPart(final GuestWindow part)
    {
        usedPart = part;
    }

    /** As {@link Virtqueue#log}. */
    void to(final DirtyLog log, final long guestAddress)
    {
        buffers = log;
        ring = guestAddress == Virtqueue.RING_NOT_LOGGED ? null : log;
        usedGuestAddress = guestAddress;
    }

    /** The first bytes of a chain's buffers. */
    void written(final GuestBuffers to, final int length)
    {
        if (buffers != null)
        {
            count(cursor.mark(buffers, to, length));
        }
    }

    /** A part of the used ring, or of the device's event suppression. */
    void used(final int offset, final int length)
    {
        if (ring != null)
        {
            // Behind an IOMMU front-ends give the address that the guest has for it, which is not what the log is for.
            count(cursor.memory().isTranslated() ? cursor.mark(ring, usedPart, offset, length) :
                ring.mark(usedGuestAddress + offset, length));
        }
    }

    /** Elements of a used ring, and the index that shows them. */
    void published(final int first, final int chains)
    {
        if (ring != null)
        {
            final int straight = Math.min(chains, size - first);
            used(SplitLayout.elementOffset(first), straight * SplitLayout.ELEMENT_LENGTH);
            used(SplitLayout.RING_OFFSET, (chains - straight) * SplitLayout.ELEMENT_LENGTH);
            used(SplitLayout.INDEX_OFFSET, Short.BYTES);
        }
    }

    /** Descriptors of a packed ring, up to the next one: all of them when that is the first one. */
    void published(final GuestWindow descriptors, final int first, final int next)
    {
        if (ring != null)
        {
            final int end = next > first ? next : size;
            count(cursor.mark(ring, descriptors, first * DescriptorLayout.LENGTH,
                (end - first) * DescriptorLayout.LENGTH));
            count(end == next || cursor.mark(ring, descriptors, 0, next * DescriptorLayout.LENGTH));
        }
    }

    private void count(final boolean isInside)
    {
        if (!isInside)
        {
            counters.increment(RingCounter.LOG_OUTSIDE);
        }
    }
}
