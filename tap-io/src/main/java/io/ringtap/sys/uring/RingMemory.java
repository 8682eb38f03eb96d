package io.ringtap.sys.uring;

import static io.ringtap.sys.uring.UringAbi.CQE_LENGTH;
import static io.ringtap.sys.uring.UringAbi.IORING_OFF_SQES;
import static io.ringtap.sys.uring.UringAbi.IORING_OFF_SQ_RING;
import static io.ringtap.sys.uring.UringAbi.SQE_LENGTH;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Kernel;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Mman;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.SyscallNumber;
import org.agrona.concurrent.UnsafeBuffer;

/** What io_uring_setup(2) gives: the descriptor, the two mappings and where the fields of the rings lie in them. */
final class RingMemory implements AutoCloseable
{
    private static final int NEEDED = UringAbi.IORING_FEAT_SINGLE_MMAP | UringAbi.IORING_FEAT_NODROP |
        UringAbi.IORING_FEAT_EXT_ARG;
    private static final int PROTECTION = Mman.PROT_READ | Mman.PROT_WRITE;
    private static final int SHARING = Mman.MAP_SHARED | Mman.MAP_POPULATE;

    final Fd fd;
    final int flags;
    final int sqEntries;
    final int cqEntries;
    final long sqHead;
    final long sqTail;
    final long sqFlags;
    final long sqes;
    final long cqHead;
    final long cqTail;
    final long cqOverflow;
    final long cqes;

    private final Mapping rings;
    private final Mapping entries;

    private RingMemory(final Fd fd, final UnsafeBuffer params)
    {
        this.fd = fd;
        flags = params.getInt(UringAbi.PARAMS_FLAGS);
        sqEntries = params.getInt(UringAbi.PARAMS_SQ_ENTRIES);
        cqEntries = params.getInt(UringAbi.PARAMS_CQ_ENTRIES);
        final long array = params.getInt(UringAbi.PARAMS_SQ_ARRAY);
        final long completions = params.getInt(UringAbi.PARAMS_CQ_CQES);
        final long length = Math.max(
            array + (long)sqEntries * Integer.BYTES, completions + (long)cqEntries * CQE_LENGTH);
        rings = Mapping.of(fd.number(), IORING_OFF_SQ_RING, length, PROTECTION, SHARING, "io_uring rings");
        try
        {
            entries = Mapping.of(fd.number(), IORING_OFF_SQES, (long)sqEntries * SQE_LENGTH, PROTECTION, SHARING,
                "io_uring entries");
        }
        catch (final SyscallException e)
        {
            rings.close();
            throw e;
        }
        final long base = rings.address();
        sqHead = base + params.getInt(UringAbi.PARAMS_SQ_HEAD);
        sqTail = base + params.getInt(UringAbi.PARAMS_SQ_TAIL);
        sqFlags = base + params.getInt(UringAbi.PARAMS_SQ_FLAGS);
        sqes = entries.address();
        cqHead = base + params.getInt(UringAbi.PARAMS_CQ_HEAD);
        cqTail = base + params.getInt(UringAbi.PARAMS_CQ_TAIL);
        cqOverflow = base + params.getInt(UringAbi.PARAMS_CQ_OVERFLOW);
        cqes = base + completions;
        for (int i = 0; i < sqEntries; i++)
        {
            // Entry i always lies in slot i: the indirection of the submission ring is of no use to us.
            Memory.putInt(base + array + (long)i * Integer.BYTES, i);
        }
    }

    /** Sets up a ring; bits of {@code hints} that this kernel does not know are left out. */
    static RingMemory open(final int sqEntries, final int cqEntries, final int hints)
    {
        final UnsafeBuffer params = Memory.scratch(UringAbi.PARAMS_LENGTH);
        final int required = UringAbi.IORING_SETUP_CQSIZE;
        final int coop = (hints & UringAbi.IORING_SETUP_TASKRUN_FLAG) == 0 ? 0 :
            UringAbi.IORING_SETUP_COOP_TASKRUN | UringAbi.IORING_SETUP_TASKRUN_FLAG |
            UringAbi.IORING_SETUP_SUBMIT_ALL;
        long fd = setup(params, sqEntries, cqEntries, required | hints);
        if (fd == -Errno.EINVAL && hints != coop)
        {
            fd = setup(params, sqEntries, cqEntries, required | coop);
        }
        if (fd == -Errno.EINVAL && coop != 0)
        {
            fd = setup(params, sqEntries, cqEntries, required);
        }
        if (fd < 0)
        {
            throw new SyscallException("io_uring_setup", (int)-fd, sqEntries + " entries");
        }
        final Fd owned = Fd.of((int)fd, "io_uring");
        try
        {
            if ((params.getInt(UringAbi.PARAMS_FEATURES) & NEEDED) != NEEDED)
            {
                throw new SyscallException("io_uring_setup", Errno.EOPNOTSUPP, "timed waits, before Linux 5.11");
            }
            return new RingMemory(owned, params);
        }
        catch (final SyscallException e)
        {
            owned.close();
            throw e;
        }
    }

    private static long setup(final UnsafeBuffer params, final int sqEntries, final int cqEntries, final int flags)
    {
        params.setMemory(0, UringAbi.PARAMS_LENGTH, (byte)0);
        params.putInt(UringAbi.PARAMS_CQ_ENTRIES, cqEntries);
        params.putInt(UringAbi.PARAMS_FLAGS, flags);
        return Kernel.call(SyscallNumber.IO_URING_SETUP, sqEntries, Memory.addressOf(params), 0, 0, 0);
    }

    @Override
    public void close()
    {
        fd.close();
        entries.close();
        rings.close();
    }
}
