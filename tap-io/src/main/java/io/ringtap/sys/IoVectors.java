package io.ringtap.sys;

import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/** A native array of struct iovec (linux/uio.h): base and length, eight bytes each. Entries are trusted addresses. */
public final class IoVectors implements AutoCloseable
{
    private static final int ENTRY_LENGTH = 16;
    private static final int LENGTH_OFFSET = 8;

    private final int capacity;
    private long array;

    public IoVectors(final int capacity)
    {
        if (capacity <= 0)
        {
            throw new IllegalArgumentException("capacity " + capacity + " is not positive");
        }
        this.capacity = capacity;
        array = Memory.allocate((long)capacity * ENTRY_LENGTH);
    }

    public int capacity()
    {
        return capacity;
    }

    public void set(final int i, final long hostAddress, final int length)
    {
        final long entry = addressOf(i);
        Memory.putLong(entry, hostAddress);
        Memory.putLong(entry + LENGTH_OFFSET, length & 0xffff_ffffL);
    }

    /** Address of the array. */
    public long address()
    {
        return array;
    }

    /** Address of entry i. */
    public long addressOf(final int i)
    {
        return addressOf(i, 1);
    }

    /** Address of entry {@code first} when {@code count} entries from there on exist. */
    public long addressOf(final int first, final int count)
    {
        if (first < 0 || count < 0 || first > capacity - count)
        {
            throw new IndexOutOfBoundsException("vectors " + first + "+" + count + " of " + capacity);
        }
        return array + (long)first * ENTRY_LENGTH;
    }

    public long base(final int i)
    {
        return Memory.getLong(addressOf(i));
    }

    public int length(final int i)
    {
        return Memory.getInt(addressOf(i) + LENGTH_OFFSET);
    }

    /**
     * Copies out of the bytes that a run of entries names, as if they were one range.
     *
     * @param skip   bytes of the run to pass over.
     * @param length most bytes to copy.
     * @return bytes copied; fewer when the run ends.
     */
    public int copyTo(
        final int first, final int count, final int skip, final int length, final MutableDirectBuffer to,
        final int offset)
    {
        // The whole target is checked once; each piece below lies inside it, and each source inside its own entry.
        to.boundsCheck(offset, length);
        addressOf(first, count);
        int toSkip = skip;
        int copied = 0;
        for (int i = first; i < first + count && copied < length; i++)
        {
            final int entryLength = length(i);
            if (toSkip >= entryLength)
            {
                toSkip -= entryLength;
                continue;
            }
            final int piece = Math.min(entryLength - toSkip, length - copied);
            UnsafeApi.copyMemory(
                null, base(i) + toSkip, to.byteArray(), to.addressOffset() + offset + copied, piece);
            copied += piece;
            toSkip = 0;
        }
        return copied;
    }

    @Override
    public void close()
    {
        if (array != 0)
        {
            Memory.free(array);
            array = 0;
        }
    }
}
