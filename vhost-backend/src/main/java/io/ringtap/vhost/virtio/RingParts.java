package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.Iotlb;

/** Where the parts of a ring are, as far as the guest's IOMMU is concerned: asks for what is not translated yet. */
public final class RingParts
{
    private RingParts()
    {
    }

    /**
     * Looks for all parts of a ring, and asks for those that are missing.
     *
     * @return null when all of them are there, as they always are without an IOMMU.
     */
    public static Iotlb.Answer missing(final RingSetup setup, final GuestMemory memory)
    {
        final int size = setup.size();
        if (!memory.isTranslated() || size < 1 || size > Virtqueue.MAX_SIZE)
        {
            return null;
        }
        final boolean isPacked = setup.isPacked();
        final Iotlb.Answer descriptors = memory.want(setup.descriptorAddress(),
            SplitLayout.descriptorsLength(size), isPacked ? Iotlb.READ | Iotlb.WRITE : Iotlb.READ);
        final Iotlb.Answer driver = memory.want(setup.driverAddress(),
            isPacked ? PackedLayout.EVENT_LENGTH : SplitLayout.availableLength(size), Iotlb.READ);
        final Iotlb.Answer device = memory.want(setup.deviceAddress(),
            isPacked ? PackedLayout.EVENT_LENGTH : SplitLayout.usedLength(size), Iotlb.READ | Iotlb.WRITE);
        return worse(descriptors, worse(driver, device));
    }

    private static Iotlb.Answer worse(final Iotlb.Answer a, final Iotlb.Answer b)
    {
        return a == Iotlb.Answer.REFUSED || b == null ? a : b;
    }
}
