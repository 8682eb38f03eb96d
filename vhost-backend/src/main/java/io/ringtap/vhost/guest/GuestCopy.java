package io.ringtap.vhost.guest;

import org.agrona.UnsafeApi;

/** Moves bytes between the guest's memory and ours. Both ranges were judged by the caller. */
final class GuestCopy
{
    /** Up to here plain moves are not slower than the call of copyMemory; at 76 bytes it is level, then it wins. */
    private static final int SMALL = 64;

    private GuestCopy()
    {
    }

    static void copy(final long from, final long to, final int bytes)
    {
        if (bytes > SMALL)
        {
            UnsafeApi.copyMemory(from, to, bytes);
        }
        else if (bytes >= Long.BYTES)
        {
            final int last = bytes - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES)
            {
                UnsafeApi.putLong(to + i, UnsafeApi.getLong(from + i));
            }
            // overlaps the move before it, so that no tail of single bytes is left
            UnsafeApi.putLong(to + last, UnsafeApi.getLong(from + last));
        }
        else
        {
            for (int i = 0; i < bytes; i++)
            {
                UnsafeApi.putByte(to + i, UnsafeApi.getByte(from + i));
            }
        }
    }

    static void copy(
        final byte[] fromArray, final long from, final byte[] toArray, final long to, final int bytes)
    {
        if (fromArray == null && toArray == null)
        {
            copy(from, to, bytes);
        }
        else
        {
            UnsafeApi.copyMemory(fromArray, from, toArray, to, bytes);
        }
    }

    static byte getByte(final long address)
    {
        return UnsafeApi.getByte(address);
    }

    static void putByte(final long address, final byte value)
    {
        UnsafeApi.putByte(address, value);
    }
}
