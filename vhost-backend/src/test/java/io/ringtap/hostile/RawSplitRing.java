package io.ringtap.hostile;

import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.SplitDriverRing;

/** {@link RawRing} in the split layout: descriptors one after the other, round and round. */
final class RawSplitRing extends RawRing
{
    private final SplitDriverRing ring;
    private int nextDescriptor;
    private int available;
    private int used;

    RawSplitRing(final SplitDriverRing ring)
    {
        super(ring.size());
        this.ring = ring;
    }

    @Override
    int offer(final Piece... pieces)
    {
        final int head = nextDescriptor;
        for (int i = 0; i < pieces.length; i++)
        {
            final int index = nextDescriptor;
            nextDescriptor = (nextDescriptor + 1) % size;
            final boolean isLast = i == pieces.length - 1;
            ring.pokeDescriptor(index, pieces[i].address(), pieces[i].length(),
                pieces[i].flags() | (isLast ? 0 : Piece.NEXT), isLast ? 0 : nextDescriptor);
        }
        show(head);
        return head;
    }

    /** Makes a head available, whatever its descriptor is. */
    void show(final int head)
    {
        ring.pokeAvailable(available & size - 1, head);
        available++;
        ring.pokeAvailableIndex(available);
    }

    /** Moves the available index without a new head. */
    void jump(final int by)
    {
        ring.pokeAvailableIndex(available + by);
    }

    /** The driver thinks so from now on. */
    void jumped(final int by)
    {
        available += by;
    }

    @Override
    int poll()
    {
        if (ring.usedIndex() == (used & 0xFFFF))
        {
            return NONE;
        }
        final int slot = used & size - 1;
        used++;
        usedLength(ring.usedLength(slot));
        return ring.usedId(slot);
    }

    @Override
    DriverRing driver()
    {
        return ring;
    }

    SplitDriverRing split()
    {
        return ring;
    }
}
