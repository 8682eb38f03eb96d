package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestBuffers;
import io.ringtap.vhost.guest.GuestCursor;
import io.ringtap.vhost.guest.Iotlb;

/** Why a buffer was not added to its chain; off the path of those that are. */
final class BufferFault
{
    private BufferFault()
    {
    }

    /**
     * Looks why, and adds what can be: room to write that is longer than any frame is cut, which nobody can tell.
     *
     * @param at that the buffer was looked for with.
     * @return null, or what is wrong with the chain; {@link RingCounter#AWAITED} when that is to be seen.
     */
    static RingCounter of(
        final GuestBuffers buffers,
        final boolean isReadable,
        final GuestCursor at,
        final long guestAddress,
        final long length)
    {
        final Iotlb.Answer missed = at.takeMiss();
        if (missed != null || !at.contains(guestAddress, length))
        {
            return missed == Iotlb.Answer.AWAITED ? RingCounter.AWAITED : RingCounter.BUFFER_UNMAPPED;
        }
        final int room = GuestBuffers.MAX_BYTES - buffers.length();
        if (length <= room)
        {
            return RingCounter.CHAIN_BUFFERS;
        }
        if (isReadable)
        {
            return RingCounter.CHAIN_BYTES;
        }
        return buffers.add(at, guestAddress, room) ? null : awaitedOr(at, RingCounter.CHAIN_BUFFERS);
    }

    /** What is wrong, unless it is only that the guest's IOMMU has to be asked. */
    static RingCounter awaitedOr(final GuestCursor at, final RingCounter fault)
    {
        return at.takeMiss() == Iotlb.Answer.AWAITED ? RingCounter.AWAITED : fault;
    }
}
