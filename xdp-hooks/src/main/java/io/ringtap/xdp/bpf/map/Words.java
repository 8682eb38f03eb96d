package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** Copies of small memory in whole words, so that nobody sees half of an aligned number. */
final class Words
{
    private Words()
    {
    }

    /** Copies the longest words first; what is aligned alike in both buffers is never torn. */
    static void copy(
        final UnsafeBuffer target,
        final int targetIndex,
        final UnsafeBuffer source,
        final int sourceIndex,
        final int length)
    {
        int i = 0;
        for (; i + 8 <= length; i += 8)
        {
            target.putLong(targetIndex + i, source.getLong(sourceIndex + i));
        }
        if ((length & 4) != 0)
        {
            target.putInt(targetIndex + i, source.getInt(sourceIndex + i));
            i += 4;
        }
        if ((length & 2) != 0)
        {
            target.putShort(targetIndex + i, source.getShort(sourceIndex + i));
            i += 2;
        }
        if ((length & 1) != 0)
        {
            target.putByte(targetIndex + i, source.getByte(sourceIndex + i));
        }
    }

    /** Sets memory to 0. */
    static void clear(final UnsafeBuffer target, final int index, final int length)
    {
        target.setMemory(index, length, (byte)0);
    }

    /** The next multiple of a power of two. */
    static long align(final long value, final int alignment)
    {
        return value + alignment - 1 & -alignment;
    }

    /** Waits a little longer each time. */
    static int pause(final int spins)
    {
        if (spins < 64)
        {
            Thread.onSpinWait();
        }
        else
        {
            // Who holds the lock may wait for this very processor.
            Thread.yield();
        }
        return spins + 1;
    }
}
