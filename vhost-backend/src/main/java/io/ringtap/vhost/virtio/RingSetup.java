package io.ringtap.vhost.virtio;

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
 */
public record RingSetup(
    int index, int size, int base, long descriptorAddress, long driverAddress, long deviceAddress, long features)
{
    /** The base of a packed ring that was never used: both indexes 0, both wrap counters 1. */
    public static final int PACKED_START = 0x8000_8000;

    public boolean isPacked()
    {
        return NetFeatures.has(features, NetFeatures.RING_PACKED);
    }
}
