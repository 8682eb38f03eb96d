package io.ringtap.vhost.guest;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What of the guest's memory is shared with us: an immutable set of mapped regions.
 * <p>
 * A change makes a new snapshot ({@link #plus}, {@link #minus}, {@link #map}); snapshots share the mapping of a region
 * by reference count, so closing one that nobody uses any more unmaps only what no other snapshot holds. The owner
 * closes a snapshot when every worker has acknowledged its successor (vhost-user: a ring worker must not hold a pointer
 * into an unmapped region). Translation is for whole ranges: the first byte of a buffer says nothing about its last
 * (CVE-2018-1059).
 */
public final class GuestMemory implements AutoCloseable
{
    /** Most regions: what other back-ends answer to GET_MAX_MEM_SLOTS, so that memory hot-plug does not run out. */
    public static final int MAX_REGIONS = 509;

    /** What to do when memory is not shared, to be put behind a message. */
    public static final String REMEDY = RegionMapper.REMEDY;

    private static final Comparator<GuestRegion> BY_GUEST = (a, b) ->
        Long.compareUnsigned(a.guestAddress, b.guestAddress);
    private static final Comparator<GuestRegion> BY_FRONTEND = (a, b) ->
        Long.compareUnsigned(a.frontendAddress, b.frontendAddress);

    private final GuestRegion[] regions;
    /** Null when rings and descriptors name memory by addresses of the front-end and of the guest. */
    private final Iotlb iotlb;
    private final boolean canFault;
    private boolean isClosed;

    private GuestMemory(final GuestRegion[] sortedByGuest, final Iotlb iotlb)
    {
        regions = sortedByGuest;
        this.iotlb = iotlb;
        canFault = Arrays.stream(sortedByGuest).anyMatch((region) -> region.canFault);
    }

    /**
     * Maps regions.
     *
     * @param requests their descriptors belong to this method, which closes them whatever happens.
     * @throws GuestMemoryException when a region is refused; nothing is left mapped then.
     */
    public static GuestMemory map(final List<RegionRequest> requests)
    {
        final GuestRegion[] mapped = new GuestRegion[requests.size()];
        int count = 0;
        try
        {
            checkCount(mapped.length);
            for (final RegionRequest request : requests)
            {
                mapped[count] = RegionMapper.map(request);
                count++;
            }
            return new GuestMemory(arranged(mapped), null);
        }
        catch (final RuntimeException ex)
        {
            for (int i = 0; i < count; i++)
            {
                mapped[i].release();
            }
            throw ex;
        }
        finally
        {
            requests.forEach(RegionMapper::closeDescriptor);
        }
    }

    /** A snapshot without any region: what a session has before its first memory table. */
    public static GuestMemory none()
    {
        return new GuestMemory(new GuestRegion[0], null);
    }

    /**
     * This snapshot and one region more.
     *
     * @param request its descriptor belongs to this method, which closes it whatever happens.
     * @throws GuestMemoryException when the region is refused; this snapshot is untouched in any case.
     */
    public GuestMemory plus(final RegionRequest request)
    {
        try
        {
            checkCount(regions.length + 1);
            final GuestRegion region = RegionMapper.map(request);
            try
            {
                final GuestRegion[] more = Arrays.copyOf(regions, regions.length + 1);
                more[regions.length] = region;
                return retained(new GuestMemory(arranged(more), iotlb), region);
            }
            catch (final RuntimeException ex)
            {
                region.release();
                throw ex;
            }
        }
        finally
        {
            RegionMapper.closeDescriptor(request);
        }
    }

    /**
     * This snapshot without one region, matched by guest address, front-end address and size (vhost-user,
     * REM_MEM_REG: the offset in the file does not matter).
     *
     * @param request a descriptor that came with it is closed.
     * @throws GuestMemoryException when there is no such region; this snapshot is untouched in any case.
     */
    public GuestMemory minus(final RegionRequest request)
    {
        RegionMapper.closeDescriptor(request);
        for (int i = 0; i < regions.length; i++)
        {
            if (regions[i].isFor(request))
            {
                final GuestRegion[] fewer = new GuestRegion[regions.length - 1];
                System.arraycopy(regions, 0, fewer, 0, i);
                System.arraycopy(regions, i + 1, fewer, i, fewer.length - i);
                return retained(new GuestMemory(fewer, iotlb), null);
            }
        }
        throw new GuestMemoryException(RegionMapper.describe(request) + ": there is no such region to remove");
    }

    /** This snapshot for a guest behind an IOMMU, or, without translations, for one that is not. */
    public GuestMemory through(final Iotlb translations)
    {
        return retained(new GuestMemory(regions, translations), null);
    }

    /** Whether addresses in rings and descriptors, and those of rings, are those of the guest's IOMMU. */
    public boolean isTranslated()
    {
        return iotlb != null;
    }

    Iotlb iotlb()
    {
        return iotlb;
    }

    public int regionCount()
    {
        return regions.length;
    }

    /**
     * Points a window at memory that the front-end named by its own address: the parts of a ring.
     *
     * @param alignment power of two that the address must be a multiple of, as we see it too: 16-bit and 64-bit
     *                  accesses that order others must be naturally aligned.
     * @return false when the range is not wholly in one region or not aligned; the window is untouched then.
     */
    public boolean ringView(
        final long frontendAddress, final long length, final int alignment, final GuestWindow window)
    {
        final long host = iotlb == null ?
            hostOfFrontend(frontendAddress, length) : iotlb.hostOf(frontendAddress, length, Iotlb.READ);
        return host != 0 && view(host | frontendAddress, host, length, alignment, window);
    }

    /**
     * Looks for a range behind the guest's IOMMU and asks for what is missing of it.
     *
     * @return null when all of it is known.
     */
    public Iotlb.Answer want(final long iova, final long length, final int permission)
    {
        return iotlb.want(iova, length, permission);
    }

    /** As {@link #ringView}, for memory named by guest address. */
    public boolean addressedView(
        final long guestAddress, final long length, final int alignment, final GuestWindow window)
    {
        final long host = translate(guestAddress, length);
        return host != 0 && view(host | guestAddress, host, length, alignment, window);
    }

    /** Whether the guest has memory at every byte of the range, in as many regions as it takes. */
    public boolean contains(final long guestAddress, final long length)
    {
        long at = guestAddress;
        long left = length;
        while (left > 0)
        {
            final GuestRegion region = regionAt(at);
            if (region == null)
            {
                return false;
            }
            final long chunk = Math.min(left, region.size - (at - region.guestAddress));
            at += chunk;
            left -= chunk;
        }
        return left == 0;
    }

    /**
     * Marks all of it, for a log that comes after writes that it should have had.
     *
     * @return false when some of it has no bit in the log.
     */
    public boolean markAll(final DirtyLog log)
    {
        boolean isComplete = true;
        for (final GuestRegion region : regions)
        {
            isComplete &= log.mark(region.guestAddress, region.size);
        }
        return isComplete;
    }

    /** Whether an access may fail (SIGBUS), because its owner can take pages of it away from us. */
    public boolean canFault()
    {
        return canFault;
    }

    /** Whether every region is still as long as it was when it was mapped: a file that is cut short loses its end. */
    public boolean isWhole()
    {
        for (final GuestRegion region : regions)
        {
            if (!region.isWhole())
            {
                return false;
            }
        }
        return true;
    }

    /** Unmaps what no other snapshot holds. Nobody may use this snapshot, nor a buffer found through it, any more. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            for (final GuestRegion region : regions)
            {
                region.release();
            }
        }
    }

    @Override
    public String toString()
    {
        return "GuestMemory" + Arrays.toString(regions);
    }

    /** Host address of a range that lies wholly in one region, or 0. */
    long translate(final long guestAddress, final long length)
    {
        final GuestRegion region = regionAt(guestAddress);
        return region != null && region.holdsGuest(guestAddress, length) ?
            region.hostAddress + (guestAddress - region.guestAddress) : 0;
    }

    /** The region that holds this byte, or null. */
    GuestRegion regionAt(final long guestAddress)
    {
        int low = 0;
        int high = regions.length - 1;
        while (low <= high)
        {
            final int middle = (low + high) >>> 1;
            final GuestRegion region = regions[middle];
            if (Long.compareUnsigned(guestAddress, region.guestAddress) < 0)
            {
                high = middle - 1;
            }
            else if (Long.compareUnsigned(guestAddress - region.guestAddress, region.size) >= 0)
            {
                low = middle + 1;
            }
            else
            {
                return region;
            }
        }
        return null;
    }

    /** Host address of a range that the front-end names by its own address and that lies in one region, or 0. */
    long hostOfFrontend(final long frontendAddress, final long length)
    {
        for (final GuestRegion region : regions)
        {
            if (region.holdsFrontend(frontendAddress, length))
            {
                return region.hostAddress + (frontendAddress - region.frontendAddress);
            }
        }
        return 0;
    }

    /** The region that is mapped at this host address, or null. */
    GuestRegion regionOfHost(final long hostAddress)
    {
        for (final GuestRegion region : regions)
        {
            if (Long.compareUnsigned(hostAddress - region.hostAddress, region.size) < 0)
            {
                return region;
            }
        }
        return null;
    }

    private static boolean view(
        final long addresses, final long host, final long length, final int alignment, final GuestWindow window)
    {
        if ((addresses & (alignment - 1)) != 0 || length > Integer.MAX_VALUE)
        {
            return false;
        }
        window.wrap(host, (int)length);
        return true;
    }

    /** The new snapshot holds its regions too; one that was mapped for it is held already. */
    private static GuestMemory retained(final GuestMemory memory, final GuestRegion heldAlready)
    {
        for (final GuestRegion region : memory.regions)
        {
            if (region != heldAlready)
            {
                region.retain();
            }
        }
        return memory;
    }

    private static void checkCount(final int count)
    {
        if (count > MAX_REGIONS)
        {
            throw new GuestMemoryException(count + " memory regions are more than " + MAX_REGIONS);
        }
    }

    /** Sorts by guest address after making sure that no two regions share an address of either kind. */
    private static GuestRegion[] arranged(final GuestRegion[] all)
    {
        Arrays.sort(all, BY_FRONTEND);
        for (int i = 1; i < all.length; i++)
        {
            // unsigned distance to the next start: regions do not wrap, so a shorter distance than size is an overlap
            if (Long.compareUnsigned(all[i].frontendAddress - all[i - 1].frontendAddress, all[i - 1].size) < 0)
            {
                throw new GuestMemoryException(all[i] + " overlaps the front-end addresses of " + all[i - 1]);
            }
        }
        Arrays.sort(all, BY_GUEST);
        for (int i = 1; i < all.length; i++)
        {
            if (Long.compareUnsigned(all[i].guestAddress - all[i - 1].guestAddress, all[i - 1].size) < 0)
            {
                throw new GuestMemoryException(all[i] + " overlaps the guest addresses of " + all[i - 1]);
            }
        }
        return all;
    }
}
