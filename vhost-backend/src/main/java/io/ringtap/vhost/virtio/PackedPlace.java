package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestWindow;

/** Where the three parts of a packed ring lie in the guest's memory, and what of a setup can be. */
final class PackedPlace
{
    private PackedPlace()
    {
    }

    /** Refuses what no packed ring has: by size and base it is known that every slot is in the ring. */
    static void check(final RingSetup setup)
    {
        final int size = setup.size();
        if (size < 1 || size > Virtqueue.MAX_SIZE)
        {
            throw RingFaultException.of(setup, "size " + size + " is not between 1 and " + Virtqueue.MAX_SIZE);
        }
        if (PackedLayout.index(setup.base()) >= size || PackedLayout.index(PackedLayout.usedHalf(setup.base())) >= size)
        {
            throw RingFaultException.of(setup, String.format("base 0x%x is beyond size %d", setup.base(), size));
        }
    }

    /** Points the windows into the map; all of them or none. */
    static boolean view(
        final RingSetup setup, final GuestMemory memory, final GuestWindow ring, final PackedEvents events)
    {
        final GuestWindow window = new GuestWindow();
        final int ringLength = PackedLayout.ringLength(setup.size());
        final boolean isThere =
            memory.ringView(setup.descriptorAddress(), ringLength, PackedLayout.DESCRIPTOR_ALIGNMENT, window) &&
            memory.ringView(setup.driverAddress(), PackedLayout.EVENT_LENGTH, PackedLayout.EVENT_ALIGNMENT, window) &&
            memory.ringView(setup.deviceAddress(), PackedLayout.EVENT_LENGTH, PackedLayout.EVENT_ALIGNMENT, window);
        if (isThere)
        {
            memory.ringView(setup.descriptorAddress(), ringLength, 1, ring);
            memory.ringView(setup.driverAddress(), PackedLayout.EVENT_LENGTH, 1, events.driver);
            memory.ringView(setup.deviceAddress(), PackedLayout.EVENT_LENGTH, 1, events.device);
        }
        return isThere;
    }

    /** The exception to throw when it is not there. */
    static RingFaultException whyNot(final RingSetup setup, final GuestMemory memory)
    {
        final GuestWindow window = new GuestWindow();
        final int ringLength = PackedLayout.ringLength(setup.size());
        if (!memory.ringView(setup.descriptorAddress(), ringLength, PackedLayout.DESCRIPTOR_ALIGNMENT, window))
        {
            return RingFaultException.unmapped(setup, "descriptor ring", setup.descriptorAddress(), ringLength,
                PackedLayout.DESCRIPTOR_ALIGNMENT);
        }
        final boolean isDriverThere = memory.ringView(setup.driverAddress(), PackedLayout.EVENT_LENGTH,
            PackedLayout.EVENT_ALIGNMENT, window);
        return RingFaultException.unmapped(setup, isDriverThere ? "device event" : "driver event",
            isDriverThere ? setup.deviceAddress() : setup.driverAddress(), PackedLayout.EVENT_LENGTH,
            PackedLayout.EVENT_ALIGNMENT);
    }

    /** Every descriptor of a table belongs to the chain; of its flags only WRITE counts (virtio 1.x, 2.8.19). */
    static RingCounter followTable(
        final PackedVirtqueue queue,
        final DescriptorChain chain,
        final long tableAddress,
        final long tableRest,
        final int tableFlags)
    {
        RingCounter fault = queue.openTable(tableAddress, tableRest, tableFlags);
        final int end = fault == null ? queue.table.length() : 0;
        int at = 0;
        for (; at < end && fault == null; at += DescriptorLayout.LENGTH)
        {
            final long guestAddress = queue.table.getLong(at + DescriptorLayout.ADDRESS_OFFSET);
            final long rest = queue.table.getLong(at + DescriptorLayout.REST_OFFSET);
            final int flags = DescriptorLayout.packedFlags(rest);
            fault = (flags & DescriptorLayout.INDIRECT) != 0 ?
                RingCounter.INDIRECT_NESTED : queue.add(chain, guestAddress, rest, flags);
        }
        queue.walked += at / DescriptorLayout.LENGTH;
        return fault;
    }
}
