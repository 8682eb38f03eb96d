package io.ringtap.vhost.virtio;

/**
 * The two index rings of a split virtqueue of size N (virtio 1.x, 2.7.6 and 2.7.8), little endian.
 * <pre>
 *  available  | flags 2 | index 2 | head 2 x N            | used_event 2      |   6 + 2N bytes
 *  used       | flags 2 | index 2 | {id 4, length 4} x N  | available_event 2 |   6 + 8N bytes
 * </pre>
 */
final class SplitLayout
{
    static final int DESCRIPTOR_ALIGNMENT = 16;
    static final int AVAILABLE_ALIGNMENT = 2;
    static final int USED_ALIGNMENT = 4;

    static final int FLAGS_OFFSET = 0;
    static final int INDEX_OFFSET = 2;
    static final int RING_OFFSET = 4;
    static final int HEAD_LENGTH = 2;
    static final int ELEMENT_LENGTH = 8;

    /** The driver's flag: do not notify me. */
    static final int NO_INTERRUPT = 1;
    /** The device's flag: do not kick me. */
    static final int NO_NOTIFY = 1;

    private SplitLayout()
    {
    }

    static int descriptorsLength(final int size)
    {
        return DescriptorLayout.LENGTH * size;
    }

    static int availableLength(final int size)
    {
        return usedEventOffset(size) + 2;
    }

    static int usedLength(final int size)
    {
        return availableEventOffset(size) + 2;
    }

    static int headOffset(final int slot)
    {
        return RING_OFFSET + HEAD_LENGTH * slot;
    }

    static int elementOffset(final int slot)
    {
        return RING_OFFSET + ELEMENT_LENGTH * slot;
    }

    static int usedEventOffset(final int size)
    {
        return headOffset(size);
    }

    static int availableEventOffset(final int size)
    {
        return elementOffset(size);
    }

    /** id and length as they lie in memory. */
    static long element(final int head, final int length)
    {
        return head & 0xffff_ffffL | (long)length << 32;
    }
}
