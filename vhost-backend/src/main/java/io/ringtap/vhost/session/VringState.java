package io.ringtap.vhost.session;

import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.vhost.virtio.Virtqueue;

/**
 * What the front-end has said of one ring, in whatever order it said it. Nothing of it takes effect before the kick
 * descriptor: that latches all of it into a {@link RingSetup}.
 */
final class VringState
{
    /** Largest size of either layout (virtio 1.x, 2.7 and 2.8). */
    static final int MAX_SIZE = 32768;

    private static final int DESCRIPTOR_ALIGNMENT = 16;
    private static final int AVAILABLE_ALIGNMENT = 2;
    private static final int USED_ALIGNMENT = 4;
    private static final int MAX_SPLIT_BASE = 0xFFFF;

    private final int index;
    private int size;
    private int base;
    private boolean hasAddresses;
    private long descriptorAddress;
    private long availableAddress;
    private long usedAddress;
    private long logAddress = Virtqueue.RING_NOT_LOGGED;
    private boolean isStarted;
    private boolean isEnabled;

    VringState(final int index)
    {
        this.index = index;
    }

    int index()
    {
        return index;
    }

    boolean isStarted()
    {
        return isStarted;
    }

    void started(final boolean started)
    {
        isStarted = started;
    }

    boolean isEnabled()
    {
        return isEnabled;
    }

    void enabled(final boolean enabled)
    {
        isEnabled = enabled;
    }

    int base()
    {
        return base;
    }

    void base(final int value)
    {
        base = value;
    }

    /** @param num a u32, so negative is large. */
    void size(final int num)
    {
        if (num < 1 || num > MAX_SIZE)
        {
            throw new RefusedException(
                "size " + Integer.toUnsignedString(num) + " of ring " + index + " is not within 1.." + MAX_SIZE);
        }

        size = num;
    }

    /** Addresses of the front-end; whether they are the guest's memory shows when the ring starts. */
    void addresses(final long descriptor, final long available, final long used)
    {
        aligned("descriptor", descriptor, DESCRIPTOR_ALIGNMENT);
        aligned("available", available, AVAILABLE_ALIGNMENT);
        aligned("used", used, USED_ALIGNMENT);
        descriptorAddress = descriptor;
        availableAddress = available;
        usedAddress = used;
        hasAddresses = true;
    }

    boolean isAt(final long descriptor, final long available, final long used)
    {
        return hasAddresses && descriptorAddress == descriptor && availableAddress == available && usedAddress == used;
    }

    /** Remembers where writes to the ring are noted. @return whether that is elsewhere than before. */
    boolean isLogMoved(final long guestAddress)
    {
        final boolean isMoved = logAddress != guestAddress;
        logAddress = guestAddress;
        return isMoved;
    }

    /** Whether a part of the ring begins within this range of the front-end's addresses. */
    boolean isWithin(final long frontendAddress, final long length)
    {
        return Long.compareUnsigned(descriptorAddress - frontendAddress, length) < 0 ||
            Long.compareUnsigned(availableAddress - frontendAddress, length) < 0 ||
            Long.compareUnsigned(usedAddress - frontendAddress, length) < 0;
    }

    /**
     * Everything said so far, as one setup.
     *
     * @param features as acknowledged: they decide what size and base mean.
     * @throws RefusedException when something is missing or does not fit the ring's layout.
     */
    RingSetup setup(final long features)
    {
        if (0 == size || !hasAddresses)
        {
            throw new RefusedException("ring " + index + " has no " + (0 == size ? "size" : "addresses") + " yet");
        }

        if (!NetFeatures.has(features, NetFeatures.RING_PACKED))
        {
            checkSplit();
        }

        return new RingSetup(index, size, base, descriptorAddress, availableAddress, usedAddress, features);
    }

    /** As before the first message. */
    void clear()
    {
        size = 0;
        base = 0;
        hasAddresses = false;
        isStarted = false;
        isEnabled = false;
    }

    private void checkSplit()
    {
        if (1 != Integer.bitCount(size))
        {
            throw new RefusedException("size " + size + " of ring " + index + " is not a power of two");
        }

        if (0 != (base & ~MAX_SPLIT_BASE))
        {
            throw new RefusedException(
                "base 0x" + Integer.toHexString(base) + " of ring " + index + " is more than 16 bits");
        }
    }

    private void aligned(final String what, final long frontendAddress, final int alignment)
    {
        if (0 != (frontendAddress & (alignment - 1)))
        {
            throw new RefusedException(what + " address 0x" + Long.toHexString(frontendAddress) + " of ring " + index +
                " is not a multiple of " + alignment);
        }
    }
}
