package io.ringtap.vhost.guest;

import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Mman;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.UnsafeApi;

/**
 * Which pages of the guest were written to, in a bitmap that the front-end shares while the guest migrates (vhost-user,
 * "migration"): bit {@code page % 8} of byte {@code page / 8}. Any thread may mark; the front-end takes bits away
 * meanwhile.
 * <p>
 * A page is marked after it was written. Each update of the bitmap is a locked instruction, which is also the fence
 * between the bytes and their mark: whoever takes the mark sees the bytes. To look first and spare the update where the
 * bit is set already would need a fence of its own.
 */
public final class DirtyLog implements AutoCloseable
{
    /** Pages of 4 KiB, whatever the host's are. */
    public static final int PAGE_SHIFT = 12;

    /** A bit for each page of 48-bit addresses, which is all that the processor has. */
    public static final long MAX_BYTES = 1L << 48 - PAGE_SHIFT - 3;

    private final Mapping mapping;
    private final long hostAddress;
    private final long pages;

    private DirtyLog(final Mapping mapping)
    {
        this.mapping = mapping;
        hostAddress = mapping.address();
        pages = mapping.length() * Byte.SIZE;
    }

    /**
     * Maps a log.
     *
     * @param file   belongs to this method, which closes it whatever happens.
     * @param size   bytes of the bitmap.
     * @param offset where it begins in the file.
     * @throws GuestMemoryException when it cannot be, or is not in the file.
     */
    public static DirtyLog map(final Fd file, final long size, final long offset)
    {
        try (file)
        {
            if (size <= 0 || size > MAX_BYTES || offset < 0 || offset > Long.MAX_VALUE - MAX_BYTES)
            {
                throw new GuestMemoryException(String.format(
                    "a dirty log of 0x%x bytes at 0x%x: limit is 0x%x bytes", size, offset, MAX_BYTES));
            }
            // A locked instruction on a page that was cut off can end the process, where a plain access throws.
            if (!isSealed(file))
            {
                throw new GuestMemoryException(
                    "the file of the dirty log can be made shorter: F_SEAL_SHRINK is missing, and cannot be added");
            }
            final long fileSize = Syscalls.fstat(file.number()).size();
            if (fileSize < offset + size)
            {
                throw new GuestMemoryException(String.format(
                    "a dirty log of 0x%x bytes at 0x%x of a file of 0x%x bytes", size, offset, fileSize));
            }
            return new DirtyLog(Mapping.of(file.number(), offset, size, Mman.PROT_READ | Mman.PROT_WRITE,
                Mman.MAP_SHARED | Mman.MAP_NORESERVE, "dirty log"));
        }
        catch (final SyscallException ex)
        {
            throw new GuestMemoryException("the dirty log cannot be mapped: " + ex.getMessage(), ex);
        }
    }

    /**
     * Marks every page that has a byte of the range.
     *
     * @return false when some of them have no bit in the log.
     */
    public boolean mark(final long guestAddress, final long length)
    {
        if (length <= 0)
        {
            return true;
        }
        final long first = guestAddress >>> PAGE_SHIFT;
        final long end = guestAddress + length - 1;
        // The range may be anything that a front-end says: one that wraps goes on to the end of addresses.
        final long last = (Long.compareUnsigned(end, guestAddress) < 0 ? -1L : end) >>> PAGE_SHIFT;
        final long within = Math.min(last, pages - 1);
        long page = first;
        while (page <= within)
        {
            final int bit = (int)(page & Byte.SIZE - 1);
            final int bits = (int)Math.min(Byte.SIZE - bit, within - page + 1);
            // page <= within < pages: its byte is in the bitmap
            or(hostAddress + (page >>> 3), (1 << bits) - 1 << bit);
            page += bits;
        }
        return last < pages;
    }

    /** Nobody marks any more. */
    @Override
    public void close()
    {
        mapping.close();
    }

    @Override
    public String toString()
    {
        return "dirty log of " + pages + " pages";
    }

    private void or(final long address, final int bits)
    {
        UnsafeApi.getAndBitwiseOrByte(null, address, (byte)bits);
    }

    /** A file that cannot become shorter cannot fault; front-ends seal theirs, others are sealed here if possible. */
    private static boolean isSealed(final Fd file)
    {
        if (!MemFd.isSealedAgainstShrink(file.number()))
        {
            Syscalls.fcntlResult(file.number(), Fcntl.F_ADD_SEALS, MemFd.F_SEAL_SHRINK);
        }
        return MemFd.isSealedAgainstShrink(file.number());
    }
}
