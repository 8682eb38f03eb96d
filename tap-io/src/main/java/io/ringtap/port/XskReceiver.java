package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.BegunChecksum;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Xdp;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving half of a queue: frames lie in the arena already, with the kernel's headroom in front, which is ours
 * ({@link FrameLayout#HEADROOM}); only the net header is written. The kernel is kept in buffers.
 */
final class XskReceiver
{
    /** The ring of free buffers is topped up by at least so many, so that its index is written seldom. */
    private static final int REFILL = 64;
    /** More buffers than a frame of any MTU lies in. */
    private static final int MOST_PIECES = 64;
    private static final int GIANTS_A_LOOK = 64;

    private final UnsafeBuffer arena;
    private final FragAllocator allocator;
    private final CounterSet<PortCounter> counters;
    private final XskChunks chunks;
    private final int target;
    private final boolean marksChecksums;
    /** Second and later chunks of frames of the batch that is out. */
    private final int[] rest;
    private int restCount;
    private XskSocket socket;
    private int longest;
    private int giants;
    private boolean hasSeenGiants;

    /** @param marksChecksums the device is a virtual one, and may leave them begun. */
    XskReceiver(
        final UnsafeBuffer arena, final FragAllocator allocator, final CounterSet<PortCounter> counters,
        final int chunk, final boolean marksChecksums, final XskOptions options)
    {
        this.arena = arena;
        this.allocator = allocator;
        this.counters = counters;
        chunks = new XskChunks(allocator, chunk, arena.capacity());
        // Half of the arena is for frames that are on their way.
        target = Math.min(options.ring(), arena.capacity() / 2 / options.queues() / chunk);
        this.marksChecksums = marksChecksums;
        rest = new int[options.batch() * MOST_PIECES];
    }

    void open(final XskSocket opened)
    {
        socket = opened;
        refill();
    }

    /** After the socket was closed. */
    void closed()
    {
        socket = null;
        chunks.giveBack();
    }

    /** No frame may be longer: in generic mode super-frames come through that nobody could tell the guest of. */
    void longest(final int bytes)
    {
        longest = bytes;
        hasSeenGiants = false;
    }

    /** Whether it is time to ask for the limit again. */
    boolean hasSeenGiants()
    {
        return hasSeenGiants;
    }

    boolean isEmpty()
    {
        return 0 == socket.receive().available(1);
    }

    int receive(final FrameBatch batch, final int limit)
    {
        final XskRing ring = socket.receive();
        final int most = Math.min(limit, batch.capacity() - batch.frames());
        final int there = most > 0 ? ring.available(most + MOST_PIECES) : 0;
        final int before = batch.frames();
        int taken = 0;
        while (taken < there && batch.frames() - before < most)
        {
            final int pieces = pieces(ring, taken, there);
            // The kernel publishes frames whole, so one that is not all there waits for the next call.
            if (0 == pieces || batch.vectorsFree() < pieces)
            {
                break;
            }
            accept(batch, ring, taken, pieces);
            taken += pieces;
        }
        if (taken > 0)
        {
            ring.advance(taken);
            count(batch, before);
        }
        refill();
        return batch.frames() - before;
    }

    /** Releases everything of a received batch and clears it. */
    void release(final FrameBatch batch)
    {
        final int count = restCount;
        restCount = 0;
        batch.release(allocator);
        allocator.release(rest, count);
    }

    /** Throws away what lies there. */
    void drain()
    {
        final XskRing ring = socket.receive();
        int there = ring.available(ring.size());
        while (there > 0)
        {
            for (int k = 0; k < there; k++)
            {
                discard(ring, k);
            }
            ring.advance(there);
            there = ring.available(ring.size());
        }
        refill();
    }

    /** @return descriptors of the frame that begins at k; 0 when its end is not among those that are there. */
    private static int pieces(final XskRing ring, final int k, final int there)
    {
        int last = k;
        while (last < there && ring.isContinued(last))
        {
            last++;
        }
        return last < there ? last - k + 1 : 0;
    }

    private void accept(final FrameBatch batch, final XskRing ring, final int k, final int pieces)
    {
        final int slot = slot(ring.address(k));
        final int data = data(ring.address(k));
        int length = 0;
        for (int p = 0; p < pieces; p++)
        {
            length += ring.length(k + p);
        }
        if (length > longest || !isSound(ring, k, pieces))
        {
            refuse(ring, k, pieces, length > longest);
            return;
        }
        for (int p = 0; p < pieces; p++)
        {
            chunks.takeBack(slot(ring.address(k + p)));
        }
        arena.putLong(data - FrameLayout.NET_HEADER, 0);
        arena.putInt(data - Integer.BYTES, 0);
        if (marksChecksums)
        {
            BegunChecksum.mark(arena, data, ring.length(k), length);
        }
        batch.add(slot, chunks.chunk(), data, ring.length(k), 0);
        for (int p = 1; p < pieces; p++)
        {
            final int vector = batch.claimSegments(1, ring.length(k + p));
            batch.vectors().set(vector, arena.addressOffset() + data(ring.address(k + p)), ring.length(k + p));
            rest[restCount++] = slot(ring.address(k + p));
        }
    }

    /** Whether it is a frame, and every piece lies in a buffer that the kernel had. */
    private boolean isSound(final XskRing ring, final int k, final int pieces)
    {
        boolean isSound = ring.length(k) >= FrameLayout.MIN_FRAME && restCount + pieces <= rest.length;
        for (int p = 0; p < pieces; p++)
        {
            final int slot = slot(ring.address(k + p));
            final long end = (long)data(ring.address(k + p)) + ring.length(k + p);
            isSound &= chunks.isLent(slot) && end <= slot + chunks.chunk();
        }
        return isSound;
    }

    private void refuse(final XskRing ring, final int k, final int pieces, final boolean isGiant)
    {
        for (int p = 0; p < pieces; p++)
        {
            discard(ring, k + p);
        }
        counters.increment(isGiant ? PortCounter.RX_TRUNCATED : PortCounter.RX_RUNT);
        hasSeenGiants |= isGiant && 0 == (giants++ & GIANTS_A_LOOK - 1);
    }

    private void discard(final XskRing ring, final int k)
    {
        final int slot = slot(ring.address(k));
        if (chunks.isLent(slot))
        {
            chunks.takeBack(slot);
            allocator.release(slot);
        }
    }

    private void refill()
    {
        final XskRing fill = socket.fill();
        final int wanted = target - chunks.lentCount();
        if (wanted < REFILL)
        {
            return;
        }
        final int free = fill.available(wanted);
        int count = 0;
        while (count < free)
        {
            final int chunk = chunks.lend();
            if (XskChunks.NONE == chunk)
            {
                counters.increment(PortCounter.RX_NO_FRAGMENT);
                break;
            }
            fill.address(count++, chunk);
        }
        if (count > 0)
        {
            fill.advance(count);
            if (fill.needsWakeUp())
            {
                Sockets.kickReceive(socket.number());
                counters.increment(PortCounter.RX_CALLS);
            }
        }
    }

    private void count(final FrameBatch batch, final int before)
    {
        long bytes = 0;
        for (int i = before; i < batch.frames(); i++)
        {
            bytes += batch.length(i);
        }
        counters.add(PortCounter.RX_FRAMES, batch.frames() - before);
        counters.add(PortCounter.RX_BYTES, bytes);
    }

    /** Where the buffer begins: what was put into the fill ring. */
    private static int slot(final long address)
    {
        return (int)(address & Xdp.XSK_UNALIGNED_BUF_ADDR_MASK);
    }

    /** Where the frame begins in the arena. */
    private static int data(final long address)
    {
        return slot(address) + (int)(address >>> Xdp.XSK_UNALIGNED_BUF_OFFSET_SHIFT);
    }
}
