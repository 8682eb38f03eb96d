package io.ringtap.vhost.guest;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;

/**
 * Memory that is shared with the front-end so that it outlives us: a part for each ring, where the ring's own code says
 * what is in its hands. A front-end can write into it at any time; it cannot make it shorter.
 */
public final class InflightRegion implements AutoCloseable
{
    private static final int ALIGNMENT = 64;

    private final Mapping mapping;
    private final int rings;
    private final int ringSize;
    private final int partLength;

    private InflightRegion(final Mapping mapping, final int rings, final int ringSize, final int partLength)
    {
        this.mapping = mapping;
        this.rings = rings;
        this.ringSize = ringSize;
        this.partLength = partLength;
    }

    /** Zeroed memory for so many rings, which nobody can make shorter or longer: the file of a new region. */
    public static Fd file(final int rings, final int partLength)
    {
        final Fd fd = MemFd.create("ringtap-inflight", (long)rings * partLength);
        try
        {
            MemFd.seal(fd.number(), MemFd.F_SEAL_SHRINK | MemFd.F_SEAL_GROW | MemFd.F_SEAL_SEAL);
            return fd;
        }
        catch (final SyscallException ex)
        {
            fd.close();
            throw ex;
        }
    }

    /**
     * Maps a region.
     *
     * @param fd         stays the caller's.
     * @param offset     where it begins in the file.
     * @param length     what the front-end says that it has.
     * @param rings      in it, one behind the other.
     * @param ringSize   most descriptors of each.
     * @param partLength bytes of each.
     * @throws GuestMemoryException when it is refused; nothing is mapped then.
     */
    public static InflightRegion map(
        final Fd fd, final long offset, final long length, final int rings, final int ringSize, final int partLength)
    {
        final long needed = (long)rings * partLength;
        if (length < needed || offset < 0 || offset > Long.MAX_VALUE - length || offset % ALIGNMENT != 0)
        {
            throw refused(String.format("0x%x bytes at offset 0x%x; %d rings of %d need 0x%x at a multiple of %d",
                length, offset, rings, ringSize, needed, ALIGNMENT));
        }
        final long fileSize = Syscalls.fstat(fd.number()).size();
        if (fileSize < offset + length)
        {
            throw refused(String.format("0x%x bytes at offset 0x%x of a file of 0x%x", length, offset, fileSize));
        }
        // A page that is taken away under a ring would be a fault in the worker, not here.
        if (!MemFd.isSealedAgainstShrink(fd.number()))
        {
            throw refused("its file can be made shorter, F_SEAL_SHRINK is missing");
        }
        return new InflightRegion(
            Mapping.shared(fd.number(), offset, needed, "in-flight region"), rings, ringSize, partLength);
    }

    /** Whether its parts have room for rings of so many bytes each. */
    public boolean holds(final int length)
    {
        return length <= partLength;
    }

    /** Most descriptors of a ring. */
    public int ringSize()
    {
        return ringSize;
    }

    /**
     * Points a window at a ring's part.
     *
     * @return false when it has none.
     */
    public boolean view(final int ring, final GuestWindow window)
    {
        if (ring >= rings)
        {
            return false;
        }
        // ring < rings, and the mapping has a part for each of them
        window.wrap(mapping.address() + (long)ring * partLength, partLength);
        return true;
    }

    /** No ring may use it any more. */
    @Override
    public void close()
    {
        mapping.close();
    }

    private static GuestMemoryException refused(final String what)
    {
        return new GuestMemoryException("in-flight region: " + what + "; GET_INFLIGHT_FD gives one that will do");
    }
}
