package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestWindow;

/** Where the three parts of a split ring lie in a memory map. */
final class SplitPlace
{
    private SplitPlace()
    {
    }

    /** Points the windows at the parts; all of them or none. */
    static boolean view(
        final RingSetup setup,
        final GuestMemory memory,
        final GuestWindow descriptors,
        final GuestWindow available,
        final GuestWindow used)
    {
        final int size = setup.size();
        final int tableLength = SplitLayout.descriptorsLength(size);
        final GuestWindow window = new GuestWindow();
        final boolean isThere =
            memory.ringView(setup.descriptorAddress(), tableLength, SplitLayout.DESCRIPTOR_ALIGNMENT, window) &&
            memory.ringView(setup.driverAddress(), SplitLayout.availableLength(size),
                SplitLayout.AVAILABLE_ALIGNMENT, window) &&
            memory.ringView(setup.deviceAddress(), SplitLayout.usedLength(size), SplitLayout.USED_ALIGNMENT, window);
        if (isThere)
        {
            memory.ringView(setup.descriptorAddress(), tableLength, 1, descriptors);
            memory.ringView(setup.driverAddress(), SplitLayout.availableLength(size), 1, available);
            memory.ringView(setup.deviceAddress(), SplitLayout.usedLength(size), 1, used);
        }
        return isThere;
    }

    /** The exception to throw when it is not there. */
    static RingFaultException whyNot(final RingSetup setup, final GuestMemory memory)
    {
        final GuestWindow window = new GuestWindow();
        final int tableLength = SplitLayout.descriptorsLength(setup.size());
        if (!memory.ringView(setup.descriptorAddress(), tableLength, SplitLayout.DESCRIPTOR_ALIGNMENT, window))
        {
            return RingFaultException.unmapped(setup, "descriptor table", setup.descriptorAddress(), tableLength,
                SplitLayout.DESCRIPTOR_ALIGNMENT);
        }
        final int availableLength = SplitLayout.availableLength(setup.size());
        if (!memory.ringView(setup.driverAddress(), availableLength, SplitLayout.AVAILABLE_ALIGNMENT, window))
        {
            return RingFaultException.unmapped(setup, "available ring", setup.driverAddress(), availableLength,
                SplitLayout.AVAILABLE_ALIGNMENT);
        }
        return RingFaultException.unmapped(setup, "used ring", setup.deviceAddress(),
            SplitLayout.usedLength(setup.size()), SplitLayout.USED_ALIGNMENT);
    }
}
