package io.ringtap.vhost.guest;

/**
 * One caller's way into a memory map: remembers the region it found last, which is nearly always the next one too. Its
 * own, since a memory shared by threads for this would be a cache line fought about. Owned by one thread.
 */
public final class GuestCursor
{
    private GuestMemory memory;
    private long regionGuestAddress;
    /** 0 while nothing was found: no range is inside. */
    private long regionSize;
    private long regionHostAddress;

    public GuestCursor(final GuestMemory memory)
    {
        this.memory = memory;
    }

    public GuestMemory memory()
    {
        return memory;
    }

    /** Goes over to another map. */
    public void memory(final GuestMemory newMemory)
    {
        memory = newMemory;
        regionSize = 0;
    }

    /**
     * Points a window at a range.
     *
     * @return false when the range is not wholly in one region; the window is untouched then.
     */
    public boolean view(final long guestAddress, final int bytes, final GuestWindow window)
    {
        long address = translate(guestAddress, bytes);
        if (address == 0 && find(guestAddress))
        {
            address = translate(guestAddress, bytes);
        }
        if (address == 0)
        {
            return false;
        }
        window.wrap(address, bytes);
        return true;
    }

    /**
     * Marks what was written into a list of buffers.
     *
     * @param bytes from the beginning of their run.
     * @return false when some of it has no bit in the log.
     */
    public boolean mark(final DirtyLog log, final GuestBuffers written, final int bytes)
    {
        return written.mark(this, log, bytes);
    }

    /** Marks a part of a window, which was found through this map. */
    public boolean mark(final DirtyLog log, final GuestWindow window, final int offset, final int bytes)
    {
        return markHost(log, window.hostAddress() + offset, bytes);
    }

    boolean markHost(final DirtyLog log, final long hostAddress, final int bytes)
    {
        if (Long.compareUnsigned(hostAddress - regionHostAddress, regionSize) < 0)
        {
            return log.mark(regionGuestAddress + (hostAddress - regionHostAddress), bytes);
        }
        final GuestRegion region = memory.regionOfHost(hostAddress);
        return region != null && log.mark(region.guestAddress + (hostAddress - region.hostAddress), bytes);
    }

    /**
     * Host address of a range that lies wholly in the region found last, or 0.
     *
     * @param bytes not negative.
     */
    long translate(final long guestAddress, final int bytes)
    {
        final long offset = guestAddress - regionGuestAddress;
        // size - bytes cannot overflow, both are non-negative; the sum of offset and bytes is never formed
        return offset >= 0 && offset <= regionSize - bytes ? regionHostAddress + offset : 0;
    }

    /** Finds the region of a byte; false when the guest has no memory there. */
    boolean find(final long guestAddress)
    {
        final GuestRegion region = memory.regionAt(guestAddress);
        if (region == null)
        {
            return false;
        }
        regionGuestAddress = region.guestAddress;
        regionSize = region.size;
        regionHostAddress = region.hostAddress;
        return true;
    }

    /** Bytes from this one, which {@link #find} found, to the end of its region. */
    long rest(final long guestAddress)
    {
        return regionSize - (guestAddress - regionGuestAddress);
    }
}
