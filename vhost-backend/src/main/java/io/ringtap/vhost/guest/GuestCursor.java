package io.ringtap.vhost.guest;

/**
 * One caller's way into a memory map: remembers the region it found last, which is nearly always the next one too. Its
 * own, since a memory shared by threads for this would be a cache line fought about. Owned by one thread.
 */
public final class GuestCursor
{
    /** Pages behind an IOMMU that one worker remembers; a power of two. */
    private static final int REMEMBERED = 512;

    private final int permission;
    private GuestMemory memory;
    private long regionGuestAddress;
    /** 0 while nothing was found: no range is inside. */
    private long regionSize;
    private long regionHostAddress;

    /** Where pages behind an IOMMU are: page number + 1, and host address; null without one. */
    private long[] pages;
    private long[] hosts;
    private Iotlb.Answer missed;

    public GuestCursor(final GuestMemory memory)
    {
        this(memory, Iotlb.READ);
    }

    /** @param permission what the memory is wanted for, as far as an IOMMU has a word in it. */
    public GuestCursor(final GuestMemory memory, final int permission)
    {
        this.permission = permission;
        memory(memory);
    }

    public GuestMemory memory()
    {
        return memory;
    }

    /** Goes over to another map. */
    public void memory(final GuestMemory newMemory)
    {
        memory = newMemory;
        forget();
    }

    /** Looks everything up anew: translations were taken back. */
    public void forget()
    {
        regionSize = 0;
        pages = memory.isTranslated() ? new long[REMEMBERED] : null;
        hosts = memory.isTranslated() ? new long[REMEMBERED] : null;
    }

    /** What became of the page behind an IOMMU that was not found just now; null when that was not the reason. */
    public Iotlb.Answer takeMiss()
    {
        final Iotlb.Answer answer = missed;
        missed = null;
        return answer;
    }

    /** Whether the guest has memory at every byte of the range, as far as that can be known without asking. */
    public boolean contains(final long guestAddress, final long length)
    {
        return memory.isTranslated() || memory.contains(guestAddress, length);
    }

    /**
     * Points a window at a range.
     *
     * @return false when the range is not wholly in one region; the window is untouched then.
     */
    public boolean view(final long guestAddress, final int bytes, final GuestWindow window)
    {
        long address = translate(guestAddress, bytes);
        if (address == 0 && memory.isTranslated())
        {
            missed = memory.iotlb().want(guestAddress, bytes, permission);
            address = missed == null ? memory.iotlb().hostOf(guestAddress, bytes, permission) : 0;
        }
        else if (address == 0 && find(guestAddress))
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
        if (!memory.isTranslated() && Long.compareUnsigned(hostAddress - regionHostAddress, regionSize) < 0)
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
        if (memory.isTranslated())
        {
            return findPage(guestAddress);
        }
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

    /** Behind an IOMMU a region is a page, which is remembered beside others. */
    private boolean findPage(final long iova)
    {
        final long page = iova >>> Iotlb.PAGE_SHIFT;
        final int slot = (int)page & REMEMBERED - 1;
        if (pages[slot] != page + 1)
        {
            final Iotlb.Translation found = memory.iotlb().find(iova, permission);
            final long first = page << Iotlb.PAGE_SHIFT;
            if (found == null)
            {
                missed = memory.iotlb().miss(iova, permission);
                return false;
            }
            if (!found.holds(first) || !found.holds(first + Iotlb.PAGE_SIZE - 1))
            {
                regionGuestAddress = found.iova();
                regionSize = found.rest(found.iova());
                regionHostAddress = found.hostAddress();
                return true;
            }
            pages[slot] = page + 1;
            hosts[slot] = found.hostOf(first);
        }
        regionGuestAddress = page << Iotlb.PAGE_SHIFT;
        regionSize = Iotlb.PAGE_SIZE;
        regionHostAddress = hosts[slot];
        return true;
    }

    /** Bytes from this one, which {@link #find} found, to the end of its region. */
    long rest(final long guestAddress)
    {
        return regionSize - (guestAddress - regionGuestAddress);
    }
}
