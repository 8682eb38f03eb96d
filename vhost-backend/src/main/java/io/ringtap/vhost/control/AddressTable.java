package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Ethernet addresses that the driver wants frames for; with too many of them every address. Immutable. */
final class AddressTable
{
    static final AddressTable EMPTY = new AddressTable(new long[0], false);
    static final int ADDRESS = 6;

    /** QEMU's limit: beyond it a device lets everything through. */
    static final int MAX_ENTRIES = 64;

    private final long[] sorted;
    private final boolean isOverfull;

    private AddressTable(final long[] sorted, final boolean isOverfull)
    {
        this.sorted = sorted;
        this.isOverfull = isOverfull;
    }

    /** @param count addresses from the offset on, all of them in the buffer. */
    static AddressTable of(final DirectBuffer buffer, final int offset, final int count)
    {
        if (MAX_ENTRIES < count)
        {
            return new AddressTable(new long[0], true);
        }
        final long[] addresses = new long[count];
        for (int i = 0; i < count; i++)
        {
            addresses[i] = address(buffer, offset + i * ADDRESS);
        }
        Arrays.sort(addresses);
        return new AddressTable(addresses, false);
    }

    /** Six bytes, the first in the low bits. */
    static long address(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, LITTLE_ENDIAN) & 0xFFFF_FFFFL |
            (buffer.getShort(offset + 4, LITTLE_ENDIAN) & 0xFFFFL) << 32;
    }

    boolean holds(final long address)
    {
        return isOverfull || 0 <= Arrays.binarySearch(sorted, address);
    }

    /** Writes count and addresses as the driver does; @return bytes. What is too many stays too many. */
    int save(final MutableDirectBuffer to, final int offset)
    {
        final int count = isOverfull ? MAX_ENTRIES + 1 : sorted.length;
        to.putInt(offset, count, LITTLE_ENDIAN);
        to.setMemory(offset + 4, count * ADDRESS, (byte)0);
        for (int i = 0; i < sorted.length; i++)
        {
            final int at = offset + 4 + i * ADDRESS;
            to.putInt(at, (int)sorted[i], LITTLE_ENDIAN);
            to.putShort(at + 4, (short)(sorted[i] >>> 32), LITTLE_ENDIAN);
        }
        return 4 + count * ADDRESS;
    }
}
