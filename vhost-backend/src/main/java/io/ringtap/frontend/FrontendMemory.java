package io.ringtap.frontend;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * The guest's memory: one file, a sealed memfd unless told otherwise, mapped once here and told to the back-end as one
 * or several regions. An offset in {@link #buffer()} names a place; the guest's and the front-end's addresses follow
 * from it.
 */
public final class FrontendMemory implements AutoCloseable
{
    /** Where the guest's memory begins in its own addresses: not at 0, so that a forgotten address faults. */
    public static final long GUEST_START = 0x4000_0000L;
    private static final int PAGE = 4096;

    private final Fd fd;
    private final Mapping mapping;
    private final UnsafeBuffer buffer;
    private final int size;
    private final long gap;
    private final long guestStart;
    private int regionSize;
    private int allocated;

    private FrontendMemory(
        final Fd fd, final Mapping mapping, final long guestStart, final int size, final int regions, final long gap)
    {
        this.guestStart = guestStart;
        this.fd = fd;
        this.mapping = mapping;
        this.size = size;
        this.gap = gap;
        buffer = mapping.buffer();
        regionSize = sizeOfRegion(regions);
    }

    /**
     * Makes zeroed memory.
     *
     * @param size    bytes, a multiple of a page.
     * @param regions how many the back-end is told of.
     * @param gap     bytes between them in the guest's addresses; 0 lets buffers run from one into the next.
     */
    public static FrontendMemory create(final int size, final int regions, final long gap)
    {
        return create(GUEST_START, size, regions, gap);
    }

    /** As the other, at a place in the guest's addresses where nothing else is: memory that is plugged in later. */
    public static FrontendMemory create(final long guestStart, final int size, final int regions, final long gap)
    {
        check(size, regions, gap);
        final Fd fd = MemFd.create("ringtap-guest", size);
        try
        {
            MemFd.seal(fd.number(), MemFd.F_SEAL_SHRINK | MemFd.F_SEAL_GROW | MemFd.F_SEAL_SEAL);
        }
        catch (final RuntimeException failure)
        {
            fd.close();
            throw failure;
        }
        return map(fd, guestStart, size, regions, gap);
    }

    /**
     * Memory in a file that is there already.
     *
     * @param file at least {@code size} bytes long; belongs to this method, which closes it when it fails.
     */
    static FrontendMemory in(final Fd file, final int size, final int regions, final long gap)
    {
        check(size, regions, gap);
        final long length = Syscalls.fstat(file.number()).size();
        if (length < size)
        {
            file.close();
            throw new IllegalArgumentException(
                "a file of " + length + " bytes for the guest's memory, " + size + " are needed");
        }
        return map(file, GUEST_START, size, regions, gap);
    }

    private static FrontendMemory map(
        final Fd fd, final long guestStart, final int size, final int regions, final long gap)
    {
        try
        {
            return new FrontendMemory(
                fd, Mapping.shared(fd.number(), 0, size, "guest memory"), guestStart, size, regions, gap);
        }
        catch (final RuntimeException failure)
        {
            fd.close();
            throw failure;
        }
    }

    private static void check(final int size, final int regions, final long gap)
    {
        if (size <= 0 || size % PAGE != 0 || regions < 1 || regions > size / PAGE || gap < 0 || gap % PAGE != 0)
        {
            throw new IllegalArgumentException(
                "guest memory of " + size + " bytes in " + regions + " regions, " + gap + " apart: not whole pages");
        }
    }

    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    public int size()
    {
        return size;
    }

    /**
     * Takes a part that nobody else has, inside one region where it fits into one.
     *
     * @param alignment a power of two up to a page.
     * @return its offset.
     */
    public int allocate(final int length, final int alignment)
    {
        int at = allocated + alignment - 1 & -alignment;
        final int endOfRegion = (at / regionSize + 1) * regionSize;
        if (length <= regionSize && (long)at + length > endOfRegion)
        {
            at = endOfRegion;
        }
        if ((long)at + length > size || 0 != gap && length > regionSize)
        {
            throw new IllegalArgumentException(
                "guest memory of " + size + " bytes is too small: " + ((long)at + length) + " are needed");
        }
        allocated = at + length;
        return at;
    }

    /** What the guest calls the place; ranges that {@link #allocate} gave are contiguous unless regions have gaps. */
    public long guestAddress(final int offset)
    {
        return guestStart + offset + (0 == gap ? 0 : offset / regionSize * gap);
    }

    /** What the front-end calls the place. */
    public long frontendAddress(final int offset)
    {
        return mapping.address() + offset;
    }

    /** The descriptor that goes with each region. */
    public int descriptor()
    {
        return fd.number();
    }

    /**
     * Cuts the same memory into another number of regions; the back-end has to be told. Only without gaps, since
     * nothing may move.
     */
    public void split(final int regions)
    {
        if (0 != gap && sizeOfRegion(regions) != regionSize)
        {
            throw new IllegalStateException("guest memory with gaps cannot be cut anew");
        }
        regionSize = sizeOfRegion(regions);
    }

    /** The regions as the back-end is told of them. */
    public List<Region> regions()
    {
        final List<Region> regions = new ArrayList<>();
        for (int offset = 0; offset < size; offset += regionSize)
        {
            regions.add(new Region(
                guestAddress(offset), Math.min(regionSize, size - offset), frontendAddress(offset), offset));
        }
        return regions;
    }

    @Override
    public void close()
    {
        mapping.close();
        fd.close();
    }

    private int sizeOfRegion(final int regions)
    {
        return (size / PAGE + regions - 1) / regions * PAGE;
    }

    /**
     * One region.
     *
     * @param guestAddress    of its first byte.
     * @param size            bytes.
     * @param frontendAddress of its first byte.
     * @param mmapOffset      where it begins in the file.
     */
    public record Region(long guestAddress, long size, long frontendAddress, long mmapOffset)
    {
    }
}
