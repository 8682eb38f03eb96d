package io.ringtap.xdp.trial;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a capture file one after the other, in the order that its first numbers tell. */
final class CaptureBytes
{
    private final InputStream in;
    private final String name;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private long position;

    CaptureBytes(final InputStream in, final String name)
    {
        this.in = in;
        this.name = name;
    }

    void order(final ByteOrder other)
    {
        order = other;
    }

    ByteOrder order()
    {
        return order;
    }

    /** The next bytes; null when the file ends before the first of them. */
    ByteBuffer next(final int length)
    {
        try
        {
            final byte[] bytes = in.readNBytes(length);
            if (0 == bytes.length && length > 0)
            {
                return null;
            }
            if (bytes.length < length)
            {
                throw complaint("it ends in the middle of " + length + " bytes");
            }
            position += length;
            return ByteBuffer.wrap(bytes).order(order);
        }
        catch (final IOException failure)
        {
            throw complaint("it cannot be read: " + failure.getMessage());
        }
    }

    /** The next bytes, which must be there. */
    ByteBuffer need(final int length)
    {
        final ByteBuffer bytes = next(length);
        if (null == bytes && length > 0)
        {
            throw complaint("it ends where " + length + " bytes more must be");
        }
        return bytes;
    }

    CaptureException complaint(final String why)
    {
        return new CaptureException(name + " at byte " + position + ": " + why);
    }
}
