package io.ringtap.hostile;

import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.PackedDriverRing;
import io.ringtap.frontend.SplitDriverRing;

/** A ring written by hand: it keeps the driver's books, but writes whatever it is told. */
abstract class RawRing
{
    static final int NONE = -1;

    final int size;
    private int usedLength;

    RawRing(final int size)
    {
        this.size = size;
    }

    static RawRing of(final DriverRing ring)
    {
        return ring instanceof SplitDriverRing split ? new RawSplitRing(split) :
            new RawPackedRing((PackedDriverRing)ring);
    }

    /**
     * Writes a chain and shows it to the device.
     *
     * @return what the used entry will name.
     */
    abstract int offer(Piece... pieces);

    /** @return what the next used entry names, or {@link #NONE}. */
    abstract int poll();

    /** Of the entry that {@link #poll} returned. */
    final int usedLength()
    {
        return usedLength;
    }

    final void usedLength(final int length)
    {
        usedLength = length;
    }

    abstract DriverRing driver();
}
