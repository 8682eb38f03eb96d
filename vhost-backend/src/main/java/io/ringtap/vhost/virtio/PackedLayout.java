package io.ringtap.vhost.virtio;

/**
 * The two event suppression structures of a packed virtqueue (virtio 1.x, 2.8.14), 4 bytes, little endian, read and
 * written as one int.
 * <pre>
 *  | descriptor index 0-14, wrap counter 15 | flags 2 |
 * </pre>
 */
final class PackedLayout
{
    static final int DESCRIPTOR_ALIGNMENT = 16;
    static final int EVENT_ALIGNMENT = 4;
    static final int EVENT_LENGTH = 4;

    static final int EVENT_ENABLE = 0;
    static final int EVENT_DISABLE = 1;
    /** Notify when this descriptor is passed; only with EVENT_IDX. */
    static final int EVENT_DESCRIPTOR = 2;

    private static final int WRAP = 1 << 15;

    private PackedLayout()
    {
    }

    /**
     * DPDK gives the available half only: its virtio-user 0x8000 at the start, its backend what QEMU hands on to us.
     * The device would be behind by all of it; but both halves are equal unless chains are outstanding, and a stopped
     * ring has none.
     */
    static int usedHalf(final int base)
    {
        final int available = base & 0xffff;
        final int used = base >>> 16;
        return used == 0 ? available : used;
    }

    /** Index and wrap counter, as in a half of a base. */
    static int place(final int index, final boolean wrap)
    {
        return index | (wrap ? WRAP : 0);
    }

    static int index(final int place)
    {
        return place & (WRAP - 1);
    }

    static boolean wrap(final int place)
    {
        return (place & WRAP) != 0;
    }

    /** The place so many slots further, as many as the ring has at most. */
    static int plus(final int place, final int slots, final int size)
    {
        final int index = index(place) + slots;
        return index < size ? place(index, wrap(place)) : place(index - size, !wrap(place));
    }

    static int ringLength(final int size)
    {
        return DescriptorLayout.LENGTH * size;
    }

    static int event(final int index, final boolean wrap, final int flags)
    {
        return place(index, wrap) | flags << 16;
    }

    static int eventFlags(final int event)
    {
        return event >>> 16 & 3;
    }
}
