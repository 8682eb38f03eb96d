package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;

/** Copies between two places that do not overlap; short pieces do not repay the call of a copy routine. */
public final class SmallCopy
{
    /** Copied here, word by word. */
    private static final int SHORT = 128;

    private SmallCopy()
    {
    }

    /** Copies {@code length} bytes. */
    public static void copy(
        final UnsafeBuffer from, final int fromOffset, final UnsafeBuffer to, final int toOffset, final int length)
    {
        if (length > SHORT)
        {
            to.putBytes(toOffset, from, fromOffset, length);
            return;
        }
        int i = 0;
        for (final int limit = length - Long.BYTES; i <= limit; i += Long.BYTES)
        {
            to.putLong(toOffset + i, from.getLong(fromOffset + i));
        }
        if (i < length && length >= Long.BYTES)
        {
            // The last bytes once more, as a word that ends with them.
            final int last = length - Long.BYTES;
            to.putLong(toOffset + last, from.getLong(fromOffset + last));
            return;
        }
        for (; i < length; i++)
        {
            to.putByte(toOffset + i, from.getByte(fromOffset + i));
        }
    }
}
