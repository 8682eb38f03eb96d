package io.ringtap.vhost.virtio;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestWindow;

/**
 * Where a packed ring goes on whose chains in flight nobody wrote down: as the front-end says, or as its slots show.
 * <p>
 * A front-end knows from GET_VRING_BASE alone where a packed ring is. QEMU whose back-end went without an answer starts
 * it again at a base of long ago, while the driver is elsewhere; and of what the driver made available meanwhile it
 * returns by itself what lies there. Since we return chains in the order in which we take them, nothing is lost that
 * was in our predecessor's hands: it lies in the ring as the driver put it there, and is taken again. What is used
 * beyond the place has lost its descriptors, and so it is returned with no bytes, and what lies before it too.
 */
final class PackedScan
{
    private final RingSetup setup;
    private final GuestWindow ring;
    private final int told;
    private int place;
    private boolean isSuccessor;
    private String remark;

    private PackedScan(final RingSetup setup, final GuestWindow ring)
    {
        this.setup = setup;
        this.ring = ring;
        told = PackedLayout.usedHalf(setup.base());
        place = told;
    }

    /**
     * Takes up a ring that is not tracked.
     *
     * @return null when its flags tell nothing: chains may have several slots, or one used slot may stand for several
     *         chains, or the front-end knows that chains are in flight.
     */
    static PackedScan of(final RingSetup setup, final GuestWindow ring)
    {
        final boolean hasOneSlotAChain = NetFeatures.has(setup.features(), NetFeatures.INDIRECT_DESC) &&
            !NetFeatures.has(setup.features(), NetFeatures.IN_ORDER);
        if (!hasOneSlotAChain || setup.base() >>> 16 != (setup.base() & 0xffff))
        {
            return null;
        }
        final PackedScan scan = new PackedScan(setup, ring);
        scan.look();
        return scan;
    }

    /** Where the ring goes on: index and wrap counter, as in a half of a base. */
    int place()
    {
        return place;
    }

    /** Whether somebody used the ring before. */
    boolean isSuccessor()
    {
        return isSuccessor;
    }

    /** What people should know of it; null for nothing. */
    String remark()
    {
        return remark;
    }

    private void look()
    {
        final short[] seen = PackedFlags.read(ring, setup.size());
        final PackedFlags flags = seen == null ? null : new PackedFlags(seen, told);
        final String doubt = flags == null ? "its flags change all the time" : flags.doubt();
        if (doubt != null)
        {
            remark = String.format("base 0x%x of the front-end is kept, the ring does not show another: %s",
                setup.base(), doubt);
            return;
        }
        isSuccessor = !flags.isBlank();
        giveBack(flags.first(), flags.returned());
        place = PackedLayout.plus(flags.first(), flags.returned(), setup.size());
        if (place != told || flags.returned() > 0)
        {
            remark = String.format("base 0x%x of the front-end, place %d in lap %d read from the ring%s", setup.base(),
                PackedLayout.index(place), PackedLayout.wrap(place) ? 1 : 0,
                flags.returned() == 0 ? "" : ", after " + flags.returned() + " chains given back with no bytes");
        }
    }

    /**
     * Returns chains with no bytes, the first one last: until then the driver looks at none of them. What was written
     * into them is given up too, since a frame may have begun in the first one, whose length is not known. Being killed
     * here does no harm: what is used already only becomes more.
     */
    private void giveBack(final int first, final int count)
    {
        for (int i = count - 1; i >= 0; i--)
        {
            final int at = PackedLayout.plus(first, i, setup.size());
            // index < size: in the ring
            final int offset = PackedLayout.index(at) * DescriptorLayout.LENGTH + DescriptorLayout.REST_OFFSET;
            // The id is the driver's or, copied from it, our predecessor's: it goes back to where it was.
            final long rest = DescriptorLayout.packedRest(0, DescriptorLayout.packedId(ring.getLong(offset)),
                PackedLayout.wrap(at) ? DescriptorLayout.AVAILABLE | DescriptorLayout.USED : 0);
            // Release: those behind it are written before (virtio 1.x, 2.8.6).
            ring.putLongRelease(offset, rest);
        }
        Memory.fullFence();
    }
}
