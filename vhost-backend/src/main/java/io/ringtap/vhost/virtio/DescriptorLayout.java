package io.ringtap.vhost.virtio;

/**
 * A descriptor, 16 bytes, little endian; the second half is read as one long, so that length and flags are from the
 * same moment.
 * <pre>
 *  split  (virtio 1.x, 2.7.5)   | address 8 | length 4 | flags 2 | next 2  |
 *  packed (virtio 1.x, 2.8.13)  | address 8 | length 4 | id 2    | flags 2 |
 * </pre>
 */
final class DescriptorLayout
{
    static final int LENGTH = 16;
    static final int ADDRESS_OFFSET = 0;
    static final int REST_OFFSET = 8;
    static final int PACKED_FLAGS_OFFSET = 14;

    static final int NEXT = 1;
    static final int WRITE = 2;
    static final int INDIRECT = 4;
    /** Packed only. */
    static final int AVAILABLE = 1 << 7;
    /** Packed only. */
    static final int USED = 1 << 15;

    private DescriptorLayout()
    {
    }

    /** Unsigned, as a long: it meets a limit before it becomes an int. */
    static long length(final long rest)
    {
        return rest & 0xffff_ffffL;
    }

    static int splitFlags(final long rest)
    {
        return (int)(rest >>> 32) & 0xffff;
    }

    static int splitNext(final long rest)
    {
        return (int)(rest >>> 48);
    }

    static int packedId(final long rest)
    {
        return (int)(rest >>> 32) & 0xffff;
    }

    static int packedFlags(final long rest)
    {
        return (int)(rest >>> 48);
    }

    static long packedRest(final int length, final int id, final int flags)
    {
        return (length & 0xffff_ffffL) | (long)id << 32 | (long)flags << 48;
    }
}
