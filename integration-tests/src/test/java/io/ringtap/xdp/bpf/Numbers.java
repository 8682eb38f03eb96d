package io.ringtap.xdp.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes of numbers as programs have them in memory, and of what lies in frames. */
final class Numbers
{
    private Numbers()
    {
    }

    static byte[] of4(final int... numbers)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        for (final int number : numbers)
        {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    static byte[] of8(final long number)
    {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    }

    /** An address and a port as in a frame, and nothing behind them. */
    static byte[] target(final int address, final int port)
    {
        return ByteBuffer.allocate(8).putInt(address).putShort((short)port).array();
    }

    /** A length of prefix and an address. */
    static byte[] prefix(final int length, final int... address)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * address.length);
        bytes.putInt(Integer.reverseBytes(length));
        for (final int word : address)
        {
            bytes.putInt(word);
        }
        return bytes.array();
    }

    /** One behind the other. */
    static byte[] join(final byte[]... parts)
    {
        int length = 0;
        for (final byte[] part : parts)
        {
            length += part.length;
        }
        final ByteBuffer all = ByteBuffer.allocate(length);
        for (final byte[] part : parts)
        {
            all.put(part);
        }
        return all.array();
    }
}
