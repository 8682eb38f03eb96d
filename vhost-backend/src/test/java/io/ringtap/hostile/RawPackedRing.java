package io.ringtap.hostile;

import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.PackedDriverRing;
import io.ringtap.sys.Memory;

import java.util.ArrayDeque;
import java.util.Deque;

/** {@link RawRing} in the packed layout. */
final class RawPackedRing extends RawRing
{
    private static final int AVAILABLE = 0x80;
    private static final int USED = 0x8000;

    private final PackedDriverRing ring;
    private final Deque<int[]> outstanding = new ArrayDeque<>();
    private int slot;
    private boolean wrap = true;
    private int usedSlot;
    private boolean usedWrap = true;
    private int nextId;

    RawPackedRing(final PackedDriverRing ring)
    {
        super(ring.size());
        this.ring = ring;
    }

    @Override
    int offer(final Piece... pieces)
    {
        return offerAs(nextId++ & 0xFFFF, pieces);
    }

    /** As the other, with an id of the caller's choice. */
    int offerAs(final int id, final Piece... pieces)
    {
        final int first = slot;
        final int firstFlags = flags();
        for (int i = 0; i < pieces.length; i++)
        {
            final int flags = pieces[i].flags() | (i == pieces.length - 1 ? 0 : Piece.NEXT);
            // The first one's turn comes last: before it nobody looks at the others.
            ring.pokeDescriptor(slot, pieces[i].address(), pieces[i].length(), 0 == i ? notYet() : flags | flags(), id);
            advance();
        }
        Memory.fullFence();
        ring.pokeDescriptor(first, pieces[0].address(), pieces[0].length(),
            pieces[0].flags() | (1 == pieces.length ? 0 : Piece.NEXT) | firstFlags, id);
        outstanding.add(new int[]{id, pieces.length});
        return id;
    }

    /** Writes a slot as it is said, and moves on without remembering a chain. */
    void poke(final Piece piece, final int id)
    {
        ring.pokeDescriptor(slot, piece.address(), piece.length(), piece.flags(), id);
        advance();
    }

    /** What makes a slot available in this lap. */
    int flags()
    {
        return wrap ? AVAILABLE : USED;
    }

    private int notYet()
    {
        return wrap ? USED : AVAILABLE;
    }

    @Override
    int poll()
    {
        final long rest = ring.peekRest(usedSlot);
        final int flags = (int)(rest >>> 48);
        if ((flags & AVAILABLE) != 0 != usedWrap || (flags & USED) != 0 != usedWrap || outstanding.isEmpty())
        {
            return NONE;
        }
        final int id = (int)(rest >>> 32) & 0xFFFF;
        usedLength((int)rest);
        int[] chain;
        do
        {
            // With IN_ORDER one entry stands for those before it.
            chain = outstanding.remove();
            usedSlot += chain[1];
            if (usedSlot >= size)
            {
                usedSlot -= size;
                usedWrap = !usedWrap;
            }
        }
        while (chain[0] != id && !outstanding.isEmpty());
        return id;
    }

    private void advance()
    {
        slot++;
        if (slot == size)
        {
            slot = 0;
            wrap = !wrap;
        }
    }

    @Override
    DriverRing driver()
    {
        return ring;
    }

    PackedDriverRing packed()
    {
        return ring;
    }
}
