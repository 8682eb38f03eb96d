package io.ringtap.sys.uring;

import io.ringtap.sys.Memory;

/** The entries on their way to the kernel: written here, published with the tail, taken by io_uring_enter. */
final class SubmissionRing
{
    /** Set in a file that is an index into the registered ones; no descriptor is that large. */
    static final int REGISTERED = 1 << 30;

    private final RingMemory ring;
    private final long entries;
    private final int mask;
    private int tail;
    private int queued;

    SubmissionRing(final RingMemory ring)
    {
        this.ring = ring;
        entries = ring.sqes;
        mask = ring.sqEntries - 1;
        tail = Memory.getInt(ring.sqTail);
    }

    int queued()
    {
        return queued;
    }

    boolean isFull()
    {
        return queued > mask;
    }

    void put(
        final int opcode, final int file, final long offset, final long address, final int length,
        final int opFlags, final int buffer, final long userData)
    {
        // A descriptor of -1 has every bit set and is not a registered file.
        final boolean isRegistered = file >> 30 == 1;
        final int fd = isRegistered ? file ^ REGISTERED : file;
        final int flags = isRegistered ? UringAbi.IOSQE_FIXED_FILE : 0;
        // The mask keeps the entry inside the mapping; isFull() was asked, so the kernel has taken the one before.
        final long entry = entries + ((long)(tail & mask) * UringAbi.SQE_LENGTH);
        Memory.putLong(entry, (long)fd << 32 | flags << 8 | opcode);
        Memory.putLong(entry + UringAbi.SQE_OFFSET, offset);
        Memory.putLong(entry + UringAbi.SQE_ADDRESS, address);
        Memory.putLong(entry + UringAbi.SQE_LEN_AND_FLAGS, (long)opFlags << 32 | length & 0xffff_ffffL);
        Memory.putLong(entry + UringAbi.SQE_USER_DATA, userData);
        // The last sixteen bytes are zero since they were mapped; nobody writes them.
        Memory.putLong(entry + UringAbi.SQE_BUFFER_INDEX, buffer);
        tail++;
        queued++;
    }

    /** Pairs with the kernel's acquire of the submission tail: the entries before it are complete. */
    void publish()
    {
        Memory.intRelease(ring.sqTail, tail);
    }

    /** Looks what the kernel took. @return how many. */
    int settle()
    {
        final int left = tail - Memory.intAcquire(ring.sqHead);
        final int taken = queued - left;
        queued = left;
        return taken;
    }

    /** Forgets what the kernel has not taken. @return how many. */
    int drop()
    {
        final int dropped = queued;
        tail -= dropped;
        queued = 0;
        return dropped;
    }

    /** The kernel keeps completions for us until we enter it. */
    boolean hasHeldBack()
    {
        final int flags = Memory.intAcquire(ring.sqFlags);
        return (flags & (UringAbi.IORING_SQ_CQ_OVERFLOW | UringAbi.IORING_SQ_TASKRUN)) != 0;
    }
}
