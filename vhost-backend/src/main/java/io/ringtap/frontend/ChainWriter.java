package io.ringtap.frontend;

/** Puts one place in memory into a ring as the layout says: one descriptor, several, or a table of them. */
final class ChainWriter
{
    private final DriverRing ring;
    private final FrontendMemory memory;
    private final int parts;
    private final boolean isIndirect;
    private final boolean isWritable;
    private final int headerLength;
    private final int tables;
    private final int tableBytes;
    private final long[] addresses;
    private final int[] lengths;

    /**
     * @param at         where the ring lies in memory, its tables behind it.
     * @param isWritable whether the device writes.
     */
    ChainWriter(
        final DriverRing ring,
        final FrontendMemory memory,
        final GuestLayout layout,
        final int at,
        final boolean isWritable)
    {
        this.ring = ring;
        this.memory = memory;
        this.isWritable = isWritable;
        parts = layout.parts();
        isIndirect = layout.isIndirect();
        headerLength = layout.headerLength();
        tables = at + layout.tablesOffset();
        tableBytes = layout.tableBytes();
        addresses = new long[parts];
        lengths = new int[parts];
    }

    /** Whether the ring has the descriptors for one more chain. */
    boolean hasRoom()
    {
        return ring.free() >= (isIndirect ? 1 : parts);
    }

    /**
     * Adds a chain over {@code [offset, offset + length)}, which begins with the net header.
     *
     * @param table number of the indirect table to use, where there are any.
     * @return the chain's id or {@link DriverRing#FULL}.
     */
    int add(final int offset, final int length, final int table)
    {
        if (1 == parts)
        {
            return ring.add(memory.guestAddress(offset), length, isWritable);
        }
        final int used = cut(offset, length);
        final int readable = isWritable ? 0 : used;
        return isIndirect ?
            ring.addIndirect(
                memory.guestAddress(tables + table * tableBytes), addresses, lengths, readable, used - readable) :
            ring.add(addresses, lengths, readable, used - readable);
    }

    /** The header apart, the rest in equal parts; fewer parts when there are not enough bytes. */
    private int cut(final int offset, final int length)
    {
        addresses[0] = memory.guestAddress(offset);
        lengths[0] = headerLength;
        int used = 1;
        int at = offset + headerLength;
        int rest = length - headerLength;
        for (int left = parts - 1; left > 0 && rest > 0; left--)
        {
            final int part = 1 == left ? rest : Math.max(1, rest / left);
            addresses[used] = memory.guestAddress(at);
            lengths[used++] = part;
            at += part;
            rest -= part;
        }
        return used;
    }
}
