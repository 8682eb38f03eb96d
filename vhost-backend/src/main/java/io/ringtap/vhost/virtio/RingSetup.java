package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.InflightRegion;

/**
 * What a front-end said of a ring before it started it.
 *
 * @param index             number of the ring in its device.
 * @param size              descriptors.
 * @param base              where to go on. Split: the next available index. Packed: available index and wrap counter in
 *                          bits 0-14 and 15, used index and wrap counter in bits 16-30 and 31.
 * @param descriptorAddress the descriptor table or ring, as the front-end sees it, like all addresses here.
 * @param driverAddress     the available ring, or the driver's event suppression.
 * @param deviceAddress     the used ring, or the device's event suppression.
 * @param features          acknowledged virtio features.
 * @param inflight          where to write what is in our hands; null for nowhere.
 */
public record RingSetup(
    int index, int size, int base, long descriptorAddress, long driverAddress, long deviceAddress, long features,
    InflightRegion inflight)
{
    /** The base of a packed ring that was never used: both indexes 0, both wrap counters 1. */
    public static final int PACKED_START = 0x8000_8000;

    /** A ring whose chains in flight nobody wants to know. */
    public RingSetup(
        final int index, final int size, final int base, final long descriptorAddress, final long driverAddress,
        final long deviceAddress, final long features)
    {
        this(index, size, base, descriptorAddress, driverAddress, deviceAddress, features, null);
    }

    /** The same ring, tracked. */
    public RingSetup withInflight(final InflightRegion region)
    {
        return new RingSetup(
            index, size, base, descriptorAddress, driverAddress, deviceAddress, features, region);
    }

    /** Whether nobody served the ring before. */
    public boolean isNew()
    {
        return base == (isPacked() ? PACKED_START : 0);
    }

    public boolean isPacked()
    {
        return NetFeatures.has(features, NetFeatures.RING_PACKED);
    }
}
