package io.ringtap.vhost.guest;

import io.ringtap.sys.Mapping;
import io.ringtap.sys.Memory;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One mapped region, shared by every snapshot that holds it: the last one to let go unmaps it.
 */
final class GuestRegion
{
    final long guestAddress;
    final long size;
    final long frontendAddress;
    final long hostAddress;
    /** Whether its owner can take pages of it away. */
    final boolean canFault;
    private final Mapping mapping;
    private final AtomicInteger references = new AtomicInteger(1);

    GuestRegion(final RegionRequest request, final Mapping mapping, final boolean canFault)
    {
        this.canFault = canFault;
        guestAddress = request.guestAddress();
        size = request.size();
        frontendAddress = request.frontendAddress();
        hostAddress = mapping.address();
        this.mapping = mapping;
    }

    void retain()
    {
        references.incrementAndGet();
    }

    void release()
    {
        if (references.decrementAndGet() == 0)
        {
            mapping.close();
        }
    }

    boolean isWhole()
    {
        // the last byte is in the mapping; what the kernel reads in front of it too, or in the page's beginning
        return Memory.isReadable(hostAddress + size - 1);
    }

    boolean holdsFrontend(final long address, final long length)
    {
        return holds(address - frontendAddress, length);
    }

    boolean holdsGuest(final long address, final long length)
    {
        return holds(address - guestAddress, length);
    }

    /** Neither side can overflow: size is positive, length is at most size where the difference is taken. */
    private boolean holds(final long offset, final long length)
    {
        return offset >= 0 && length >= 0 && length <= size && offset <= size - length;
    }

    boolean isFor(final RegionRequest request)
    {
        return guestAddress == request.guestAddress() && size == request.size() &&
            frontendAddress == request.frontendAddress();
    }

    @Override
    public String toString()
    {
        return String.format("region 0x%x + 0x%x (front-end 0x%x)", guestAddress, size, frontendAddress);
    }
}
