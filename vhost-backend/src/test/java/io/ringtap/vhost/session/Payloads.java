package io.ringtap.vhost.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Payloads as a front-end lays them out: written by hand, not by the flyweights under test. */
final class Payloads
{
    static final byte[] NONE = {};

    private Payloads()
    {
    }

    static byte[] u64(final long value)
    {
        return buffer(8).putLong(value).array();
    }

    static byte[] state(final int index, final int num)
    {
        return buffer(8).putInt(index).putInt(num).array();
    }

    /** Kick, call or error with a descriptor. */
    static byte[] withDescriptor(final int index)
    {
        return u64(index);
    }

    static byte[] withoutDescriptor(final int index)
    {
        return u64(index | 0x100);
    }

    static byte[] address(
        final int index, final int flags, final long descriptor, final long used, final long available, final long log)
    {
        return buffer(40).putInt(index).putInt(flags)
            .putLong(descriptor).putLong(used).putLong(available).putLong(log).array();
    }

    /** @param regions of four numbers each: guest address, size, front-end address, offset in the file. */
    static byte[] table(final long[]... regions)
    {
        final ByteBuffer table = buffer(8 + 32 * regions.length).putInt(regions.length).putInt(0);
        for (final long[] region : regions)
        {
            putRegion(table, region);
        }

        return table.array();
    }

    static byte[] region(final long... region)
    {
        final ByteBuffer single = buffer(40).putLong(0);
        putRegion(single, region);
        return single.array();
    }

    static byte[] log(final long size, final long offset)
    {
        return buffer(16).putLong(size).putLong(offset).array();
    }

    static byte[] zeros(final int length)
    {
        return new byte[length];
    }

    static ByteBuffer buffer(final int length)
    {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void putRegion(final ByteBuffer to, final long[] region)
    {
        for (final long field : region)
        {
            to.putLong(field);
        }
    }
}
