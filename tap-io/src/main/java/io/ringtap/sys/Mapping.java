package io.ringtap.sys;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Owner of one range of mapped memory, unmapped once. Whoever closes it has made sure that nobody reads it any more:
 * a native copy on an unmapped page ends the process.
 */
public final class Mapping implements AutoCloseable
{
    private static final long PAGE = 4096;
    private static final int READ_WRITE = Mman.PROT_READ | Mman.PROT_WRITE;
    private static final int PRIVATE_MEMORY = Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS;

    private final long mappedAddress;
    private final long mappedLength;
    private final long address;
    private final long length;
    private final String what;
    private boolean isOpen = true;

    private Mapping(final long mappedAddress, final long mappedLength, final long skip, final long length,
        final String what)
    {
        this.mappedAddress = mappedAddress;
        this.mappedLength = mappedLength;
        this.address = mappedAddress + skip;
        this.length = length;
        this.what = what;
    }

    /** Read and write, seen by everybody who maps the same file. */
    public static Mapping shared(final int fd, final long fileOffset, final long length, final String what)
    {
        return of(fd, fileOffset, length, READ_WRITE, Mman.MAP_SHARED, what);
    }

    /** Zeroed memory of our own. */
    public static Mapping anonymous(final long length, final String what)
    {
        return of(-1, 0, length, READ_WRITE, PRIVATE_MEMORY, what);
    }

    /**
     * As {@link #anonymous}, on huge pages: reserved ones when the host has them, else by asking for transparent ones.
     */
    public static Mapping huge(final long length, final String what)
    {
        final long hugePage = 2L << 20;
        final long rounded = roundUp(length, hugePage);
        final long reserved = Kernel.mmap(
            0, rounded, READ_WRITE, PRIVATE_MEMORY | Mman.MAP_HUGETLB, -1, 0);
        if (reserved >= 0)
        {
            return new Mapping(reserved, rounded, 0, length, what);
        }
        // One huge page more, so that the range can begin on a boundary: only then will such pages back it.
        final long total = rounded + hugePage;
        final long start = Syscalls.mmap(0, total, READ_WRITE, PRIVATE_MEMORY, -1, 0, what);
        Syscalls.madvise(start, total, Mman.MADV_HUGEPAGE);
        return new Mapping(start, total, roundUp(start, hugePage) - start, length, what);
    }

    /**
     * Maps any range of a file; offset and length need not lie on page boundaries, also not on those of hugetlbfs.
     *
     * @param fd         -1 for anonymous memory.
     * @param protection {@link Mman} PROT_* bits.
     * @param flags      {@link Mman} MAP_* bits.
     * @param what       for messages.
     */
    public static Mapping of(
        final int fd, final long fileOffset, final long length, final int protection, final int flags,
        final String what)
    {
        final long granule = fd < 0 ? PAGE : granule(fd);
        final long skip = fileOffset & (granule - 1);
        if (length <= 0 || fileOffset < 0 || length > Long.MAX_VALUE - skip - granule)
        {
            throw new IllegalArgumentException("cannot map " + length + " bytes at " + fileOffset + " of " + what);
        }
        final long total = roundUp(length + skip, granule);
        final long start = Syscalls.mmap(0, total, protection, flags, fd, fileOffset - skip, what);
        return new Mapping(start, total, skip, length, what);
    }

    /** Host address of the first byte asked for. */
    public long address()
    {
        return address;
    }

    public long length()
    {
        return length;
    }

    public boolean isOpen()
    {
        return isOpen;
    }

    /** @throws IllegalStateException over 2 GiB: a buffer's index is an int. */
    public UnsafeBuffer buffer()
    {
        if (!isOpen || length > Integer.MAX_VALUE)
        {
            throw new IllegalStateException(what + (isOpen ? " has " + length + " bytes, too many" : " is unmapped"));
        }
        return new UnsafeBuffer(address, (int)length);
    }

    /** Leaves the range out of core dumps: guest memory is none of ours to write to disk. */
    public void adviseDontDump()
    {
        Syscalls.madvise(mappedAddress, mappedLength, Mman.MADV_DONTDUMP);
    }

    /**
     * Puts zeroed private memory in place of what was mapped, at the same address: for a file that a peer truncated,
     * so that readers who have not heard of it yet read zeros instead of ending the process.
     */
    public void revoke()
    {
        if (isOpen)
        {
            Syscalls.mmap(mappedAddress, mappedLength, READ_WRITE,
                PRIVATE_MEMORY | Mman.MAP_FIXED | Mman.MAP_NORESERVE, -1, 0, what);
        }
    }

    @Override
    public void close()
    {
        if (isOpen)
        {
            isOpen = false;
            Syscalls.munmap(mappedAddress, mappedLength, what);
        }
    }

    @Override
    public String toString()
    {
        return "mapping of " + what + ", " + length + " bytes";
    }

    /** What mmap and munmap of this file must be aligned to: hugetlbfs wants its own page size. */
    private static long granule(final int fd)
    {
        final long number = Kernel.call(SyscallNumber.FCNTL, fd, Fcntl.F_GETFD, 0, 0, 0);
        Syscalls.check("fcntl", number, fd);
        final FileSystemStatus status = Syscalls.fstatfs(fd);
        return status.isHuge() ? status.blockSize() : PAGE;
    }

    private static long roundUp(final long value, final long multiple)
    {
        return (value + multiple - 1) & -multiple;
    }
}
