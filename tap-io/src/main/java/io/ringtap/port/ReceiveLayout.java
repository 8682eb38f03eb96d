package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;

/**
 * What a queue offers to each read: a fragment with headroom, and behind it an overflow buffer when frames may be
 * longer. The kernel cuts a frame that does not fit and does not say so, so there is always room for one byte more than
 * the longest frame: a read that fills everything was cut.
 *
 * @param slotLength  bytes of the fragment.
 * @param hasOverflow a buffer of {@link #OVERFLOW} bytes follows it.
 */
record ReceiveLayout(int slotLength, boolean hasOverflow)
{
    /** With the fragment's own room this holds any super-frame; a power of two keeps the buffers page-aligned. */
    static final int OVERFLOW = 64 * 1024;

    /** Ethernet header and two VLAN tags: what a frame may be longer than the MTU. */
    private static final int OVER_MTU = 22;

    /** The arena's pages: no fragment is larger. */
    private static final int PAGE = 32 * 1024;

    private static final int SLOT_ALIGNMENT = 64;

    static ReceiveLayout of(final int mtu, final int offloads)
    {
        final int needed = FrameLayout.HEADROOM + mtu + OVER_MTU + 1;
        final boolean isBig = Offloads.NONE != (offloads & ~Offloads.CSUM) || needed > PAGE;
        if (isBig || needed <= FrameLayout.SMALL_SLOT)
        {
            return new ReceiveLayout(FrameLayout.SMALL_SLOT, isBig);
        }
        // Jumbo frames: one fragment each, three of 9 KB to a page, and no second vector for the kernel to walk.
        return new ReceiveLayout((needed + SLOT_ALIGNMENT - 1) & -SLOT_ALIGNMENT, false);
    }

    /** Where the net header begins in the fragment: the first byte that is read into. */
    static int readOffset()
    {
        return FrameLayout.HEADROOM - FrameLayout.NET_HEADER;
    }

    /** Bytes that are read into the fragment. */
    int readLength()
    {
        return slotLength - readOffset();
    }

    /** Bytes that a read can give in all; one that gives them all was cut. */
    int capacity()
    {
        return readLength() + (hasOverflow ? OVERFLOW : 0);
    }

    /** Whether frames that were made for another layout fit this one. */
    boolean covers(final ReceiveLayout other)
    {
        return capacity() >= other.capacity();
    }
}
