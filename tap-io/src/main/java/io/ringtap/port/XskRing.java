package io.ringtap.port;

import io.ringtap.sys.Mapping;
import io.ringtap.sys.Mman;
import io.ringtap.sys.Xdp;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One of the four rings between an AF_XDP socket and the kernel: a power of two of entries, and two free-running
 * indexes, each written by one side (net/xdp/xsk_queue.h). Used by the queue's worker.
 * <p>
 * Our index is released after the entries were written or read, and theirs is acquired before, as the kernel does on
 * its side. What the kernel writes is not doubted, but an index that leads by more than the ring holds is cut to that.
 */
final class XskRing implements AutoCloseable
{
    private final Mapping mapping;
    private final UnsafeBuffer memory;
    private final int ours;
    private final int theirs;
    private final int flags;
    private final int entries;
    private final int size;
    private final int entryShift;
    private final boolean isProducer;
    /** The next entry of ours. */
    private int next;
    /** Where the other side was when it was looked at last. */
    private int seen;

    /**
     * @param offsets    struct xdp_mmap_offsets.
     * @param ring       which of its rows.
     * @param entryShift entries have {@code 1 << entryShift} bytes.
     */
    XskRing(
        final int fd, final long fileOffset, final DirectBuffer offsets, final int ring, final int size,
        final int entryShift, final boolean isProducer)
    {
        this.size = size;
        this.entryShift = entryShift;
        this.isProducer = isProducer;
        final int row = ring * Xdp.OFFSETS_RING;
        final int producer = (int)offsets.getLong(row);
        final int consumer = (int)offsets.getLong(row + 8);
        entries = (int)offsets.getLong(row + 16);
        flags = (int)offsets.getLong(row + 24);
        ours = isProducer ? producer : consumer;
        theirs = isProducer ? consumer : producer;
        mapping = Mapping.of(fd, fileOffset, entries + ((long)size << entryShift), Mman.PROT_READ | Mman.PROT_WRITE,
            Mman.MAP_SHARED | Mman.MAP_POPULATE, "ring of an AF_XDP socket");
        memory = mapping.buffer();
    }

    int size()
    {
        return size;
    }

    /** Entries that may be filled (by a producer) or read (by a consumer), {@code wanted} at most. */
    int available(final int wanted)
    {
        int count = count();
        if (count < wanted)
        {
            seen = memory.getIntAcquire(theirs);
            count = count();
        }
        return Math.min(count, wanted);
    }

    /** Entries that the other side has not worked off yet; for a producer. */
    int outstanding()
    {
        seen = memory.getIntAcquire(theirs);
        return Math.min(next - seen & Integer.MAX_VALUE, size);
    }

    /** Entries of ours that the other side has worked off in all. */
    int workedOff()
    {
        seen = memory.getIntAcquire(theirs);
        return seen;
    }

    /** The next entry of ours, which is the first when nothing was advanced yet. */
    int next()
    {
        return next;
    }

    long address(final int k)
    {
        return memory.getLong(entry(k));
    }

    void address(final int k, final long address)
    {
        memory.putLong(entry(k), address);
    }

    int length(final int k)
    {
        return memory.getInt(entry(k) + Xdp.DESCRIPTOR_FRAME_LENGTH);
    }

    boolean isContinued(final int k)
    {
        return 0 != (memory.getInt(entry(k) + Xdp.DESCRIPTOR_OPTIONS) & Xdp.XDP_PKT_CONTD);
    }

    void descriptor(final int k, final long address, final int length, final boolean isContinued)
    {
        final int at = entry(k);
        memory.putLong(at, address);
        memory.putInt(at + Xdp.DESCRIPTOR_FRAME_LENGTH, length);
        memory.putInt(at + Xdp.DESCRIPTOR_OPTIONS, isContinued ? Xdp.XDP_PKT_CONTD : 0);
    }

    /** Hands over the next {@code count} entries, filled or read. */
    void advance(final int count)
    {
        next += count;
        memory.putIntRelease(ours, next);
    }

    /** Takes back the last {@code count} entries; only where the kernel looks at the ring when it is called. */
    void takeBack(final int count)
    {
        advance(-count);
    }

    boolean needsWakeUp()
    {
        return 0 != (memory.getIntVolatile(flags) & Xdp.XDP_RING_NEED_WAKEUP);
    }

    @Override
    public void close()
    {
        mapping.close();
    }

    private int count()
    {
        final int used = isProducer ? next - seen : seen - next;
        final int bounded = used < 0 || used > size ? size : used;
        return isProducer ? size - bounded : bounded;
    }

    /** In range: the index is masked. */
    private int entry(final int k)
    {
        return entries + ((next + k & size - 1) << entryShift);
    }
}
