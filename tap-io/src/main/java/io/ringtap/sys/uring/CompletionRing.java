package io.ringtap.sys.uring;

import io.ringtap.sys.Memory;

/** The completions on their way from the kernel, read in place and given back with the head. */
final class CompletionRing
{
    private final RingMemory ring;
    private final long entries;
    private final int mask;
    private int head;

    CompletionRing(final RingMemory ring)
    {
        this.ring = ring;
        entries = ring.cqes;
        mask = ring.cqEntries - 1;
        head = Memory.getInt(ring.cqHead);
    }

    /** Pairs with the kernel's release of the completion tail: the entries before it are complete. */
    int ready()
    {
        return Memory.intAcquire(ring.cqTail) - head;
    }

    long userData(final int i)
    {
        return Memory.getLong(entry(i));
    }

    int result(final int i)
    {
        return Memory.getInt(entry(i) + UringAbi.CQE_RESULT);
    }

    boolean hasMore(final int i)
    {
        return (Memory.getInt(entry(i) + UringAbi.CQE_FLAGS) & UringAbi.IORING_CQE_F_MORE) != 0;
    }

    /** How many of the first n belong to operations that go on. */
    int countMore(final int n)
    {
        int more = 0;
        for (int i = 0; i < n; i++)
        {
            more += hasMore(i) ? 1 : 0;
        }
        return more;
    }

    /** Pairs with the kernel's acquire of the completion head: our reads of these entries are done. */
    void advance(final int n)
    {
        head += n;
        Memory.intRelease(ring.cqHead, head);
    }

    int overflow()
    {
        return Memory.intAcquire(ring.cqOverflow);
    }

    private long entry(final int i)
    {
        // The mask keeps every index inside the ring; a wrong one gives a stale entry, no fault.
        return entries + ((long)(head + i & mask) * UringAbi.CQE_LENGTH);
    }
}
