package io.ringtap.vhost.virtio;

/**
 * What an in-flight region holds of one ring (vhost-user, "in-flight I/O tracking"), in the host's byte order. An entry
 * stands for the chain whose head has its number in a split ring, for a descriptor of any chain in a packed one.
 * <pre>
 *  split   0 features 8 | 8 version 2 | 10 entries 2 | 12 last batch head 2 | 14 used index 2              16 bytes
 *  entry   0 in flight 1 | 6 next 2 | 8 counter 8                                                          16 bytes
 *
 *  packed  0 features 8 | 8 version 2 | 10 entries 2 | 12 free head 2 | 14 old free head 2 |
 *          16 used index 2 | 18 old used index 2 | 20 used wrap 1 | 21 old used wrap 1                     32 bytes
 *  entry   0 in flight 1 | 2 next 2 | 4 last 2 | 6 count 2 | 8 counter 8 | 16 id 2 | 18 flags 2 |
 *          20 length 4 | 24 guest address 8                                                                32 bytes
 * </pre>
 */
public final class InflightLayout
{
    static final int VERSION_OFFSET = 8;
    static final int ENTRIES_OFFSET = 10;
    static final int LAST_BATCH_HEAD_OFFSET = 12;
    static final int SPLIT_USED_INDEX_OFFSET = 14;

    /** Free head and old free head, read and written as one int. */
    static final int FREE_HEADS_OFFSET = 12;
    /** Both used indexes and both wrap counters, read and written as one long. */
    static final int PROGRESS_OFFSET = 16;

    /** In flight, or not; as two bytes, the second of which is padding. */
    static final int MARK_OFFSET = 0;
    static final int COUNTER_OFFSET = 8;
    static final int SPLIT_NEXT_OFFSET = 6;
    static final int PACKED_NEXT_OFFSET = 2;
    static final int LAST_OFFSET = 4;
    static final int COUNT_OFFSET = 6;
    /** id, flags and length of the descriptor, as one long. */
    static final int DESCRIPTOR_OFFSET = 16;
    static final int ADDRESS_OFFSET = 24;

    /** Nobody has used the region yet, or nothing was in flight when a ring was stopped. */
    static final int UNUSED = 0;
    static final int VERSION = 1;

    private static final int SPLIT_HEADER = 16;
    private static final int SPLIT_ENTRY = 16;
    private static final int PACKED_HEADER = 32;
    private static final int PACKED_ENTRY = 32;
    /** Rings lie one behind the other at multiples of this, as with other back-ends. */
    private static final int ALIGNMENT = 64;

    private InflightLayout()
    {
    }

    /** Bytes of one ring, up to where the next begins. */
    public static int length(final int size, final boolean isPacked)
    {
        final int length = isPacked ? PACKED_HEADER + PACKED_ENTRY * size : SPLIT_HEADER + SPLIT_ENTRY * size;
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }

    static int splitEntry(final int index)
    {
        return SPLIT_HEADER + SPLIT_ENTRY * index;
    }

    static int packedEntry(final int index)
    {
        return PACKED_HEADER + PACKED_ENTRY * index;
    }

    static int freeHeads(final int head, final int oldHead)
    {
        return head | oldHead << 16;
    }

    static long progress(final int used, final boolean usedWrap, final int oldUsed, final boolean oldUsedWrap)
    {
        return used | (long)oldUsed << 16 | (usedWrap ? 1L << 32 : 0) | (oldUsedWrap ? 1L << 40 : 0);
    }

    static int used(final long progress)
    {
        return (int)progress & 0xffff;
    }

    static int oldUsed(final long progress)
    {
        return (int)(progress >>> 16) & 0xffff;
    }

    static boolean usedWrap(final long progress)
    {
        return (progress >>> 32 & 0xff) != 0;
    }

    static boolean oldUsedWrap(final long progress)
    {
        return (progress >>> 40 & 0xff) != 0;
    }
}
