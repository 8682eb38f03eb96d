package io.ringtap.frontend;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * An Ethernet address.
 *
 * @param value its six bytes, the first one highest.
 */
public record MacAddress(long value)
{
    /** Everybody. */
    public static final MacAddress BROADCAST = new MacAddress(0xFFFF_FFFF_FFFFL);

    /** Reads {@code 52:54:00:12:34:56}. */
    public static MacAddress parse(final String text)
    {
        final String[] parts = text.trim().split("[:-]", -1);
        long value = 0;
        for (final String part : parts)
        {
            if (6 != parts.length || !part.matches("[0-9a-fA-F]{1,2}"))
            {
                throw new IllegalArgumentException("'" + text + "' is not a MAC; write it as 52:54:00:12:34:56");
            }
            value = value << 8 | Integer.parseInt(part, 16);
        }
        return new MacAddress(value);
    }

    /** Reads one from a frame. */
    public static long read(final DirectBuffer buffer, final int offset)
    {
        return (buffer.getShort(offset, ByteOrder.BIG_ENDIAN) & 0xFFFFL) << 32 |
            buffer.getInt(offset + 2, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL;
    }

    /** Writes it into a frame. */
    public void write(final MutableDirectBuffer buffer, final int offset)
    {
        write(buffer, offset, value);
    }

    static void write(final MutableDirectBuffer buffer, final int offset, final long mac)
    {
        buffer.putShort(offset, (short)(mac >> 32), ByteOrder.BIG_ENDIAN);
        buffer.putInt(offset + 2, (int)mac, ByteOrder.BIG_ENDIAN);
    }

    boolean isMulticast()
    {
        return (value >> 40 & 1) != 0;
    }

    @Override
    public String toString()
    {
        final String hex = String.format("%012x", value);
        return String.join(":", hex.split("(?<=\\G..)"));
    }
}
