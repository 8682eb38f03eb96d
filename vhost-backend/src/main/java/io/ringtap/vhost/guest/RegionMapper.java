package io.ringtap.vhost.guest;

import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Mman;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;

/**
 * Judges a region that the front-end describes, then maps it.
 */
final class RegionMapper
{
    static final String REMEDY =
        "; give the VM shared memory of one size everywhere (memory-backend-memfd,share=on,size= as -m)";

    private RegionMapper()
    {
    }

    /** Maps one region; its descriptor stays open and the caller's. */
    static GuestRegion map(final RegionRequest request)
    {
        checkNumbers(request);
        if (request.fd() == null)
        {
            throw new GuestMemoryException(
                describe(request) + ": came without a descriptor, the memory is not shared" + REMEDY);
        }
        try
        {
            final int fd = request.fd().number();
            // Before the look at its size. What cannot be sealed may be cut short under us. On huge pages a hole is
            // as bad: there may be no page to fill it with.
            final boolean canFault = !MemFd.sealAgainstShrink(fd) || Syscalls.fstatfs(fd).isHuge();
            // A mapping beyond the end of the file can be made, and every access to it is a SIGBUS.
            final long fileSize = Syscalls.fstat(fd).size();
            if (fileSize < request.mmapOffset() + request.size())
            {
                throw new GuestMemoryException(String.format(
                    "%s: needs 0x%x bytes from offset 0x%x of a file of 0x%x bytes%s",
                    describe(request), request.size(), request.mmapOffset(), fileSize, REMEDY));
            }
            // NORESERVE: pages are the guest's to pay for. Huge pages are aligned to by Mapping.
            final Mapping mapping = Mapping.of(fd, request.mmapOffset(), request.size(),
                Mman.PROT_READ | Mman.PROT_WRITE, Mman.MAP_SHARED | Mman.MAP_NORESERVE, describe(request));
            mapping.adviseDontDump();
            return new GuestRegion(request, mapping, canFault);
        }
        catch (final SyscallException ex)
        {
            throw new GuestMemoryException(describe(request) + ": " + ex.getMessage() + REMEDY, ex);
        }
    }

    static void closeDescriptor(final RegionRequest request)
    {
        if (request.fd() != null)
        {
            request.fd().close();
        }
    }

    static String describe(final RegionRequest request)
    {
        return String.format("memory region 0x%x + 0x%x", request.guestAddress(), request.size());
    }

    /** After this every sum of an address or offset of the region and its size is safe. */
    private static void checkNumbers(final RegionRequest request)
    {
        final long size = request.size();
        if (size <= 0)
        {
            throw new GuestMemoryException(describe(request) + ": size is not between 1 and 2^63 - 1");
        }
        checkEnd(request, request.guestAddress(), "guest");
        checkEnd(request, request.frontendAddress(), "front-end");
        if (request.mmapOffset() < 0 || request.mmapOffset() > Long.MAX_VALUE - size)
        {
            throw new GuestMemoryException(String.format(
                "%s: offset 0x%x in the file is out of range", describe(request), request.mmapOffset()));
        }
    }

    private static void checkEnd(final RegionRequest request, final long address, final String kind)
    {
        if (Long.compareUnsigned(address + request.size(), address) <= 0)
        {
            throw new GuestMemoryException(String.format(
                "%s: %s address 0x%x wraps around", describe(request), kind, address));
        }
    }
}
