package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.Checksum;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Sockets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending half of a queue: a frame in one piece is sent from where it lies, its page held until the kernel has done
 * with it; one whose rest lies in the guest's memory is copied into fragments first.
 * <p>
 * Where frames are copied the kernel looks at the ring when it is called and at no other time, so what it did not take
 * then is taken back out of the ring and stays with the caller.
 */
final class XskSender
{
    /** All was taken. */
    static final int DONE = 0;
    /** What is left stays with the caller. */
    static final int HELD = 1;
    /** The interface is down: what is left is lost. */
    static final int DOWN = 2;
    /** The interface is gone. */
    static final int GONE = 3;

    private static final int NO_ROOM = -1;
    /** Buffers that the kernel makes one frame of: 17 fragments (MAX_SKB_FRAGS) less what generic mode may need. */
    private static final int MOST_PIECES = 16;
    private static final int MEMORY_PAGE = 4096;

    private final UnsafeBuffer arena;
    private final FragAllocator allocator;
    private final CounterSet<PortCounter> counters;
    private final int chunk;
    /** Descriptors queued up to and with each frame of a submission. */
    private final int[] ends;
    /** Fragments of a round, to be held or released at once. */
    private final int[] pages;
    /** Frames with the kernel that lie in each page. */
    private final int[] held;
    private final int[] copies = new int[MOST_PIECES];
    private int heldCount;
    private int retained;
    private XskSocket socket;

    XskSender(
        final UnsafeBuffer arena, final FragAllocator allocator, final CounterSet<PortCounter> counters,
        final int chunk, final XskOptions options)
    {
        this.arena = arena;
        this.allocator = allocator;
        this.counters = counters;
        this.chunk = chunk;
        ends = new int[options.batch()];
        pages = new int[options.ring()];
        held = new int[arena.capacity() >>> PageArena.PAGE_SHIFT];
    }

    void open(final XskSocket opened)
    {
        socket = opened;
    }

    /** After the socket was closed: the kernel has none of our frames any more. */
    void closed()
    {
        socket = null;
        for (int page = 0; page < held.length && heldCount > 0; page++)
        {
            for (; held[page] > 0; held[page]--, heldCount--)
            {
                allocator.release(page << PageArena.PAGE_SHIFT);
            }
        }
    }

    /**
     * Sends the frames of the ready list from {@code batch.sent()} to {@code end}, and moves that forward.
     *
     * @return one of DONE, HELD, DOWN, GONE.
     */
    int send(final FrameBatch batch, final int end)
    {
        reclaim();
        final XskRing ring = socket.transmit();
        final int first = batch.sent();
        final int room = ring.available(ring.size());
        retained = 0;
        int queued = 0;
        int k = first;
        while (k < end)
        {
            final int pieces = queue(batch, batch.ready(k), queued, room);
            if (NO_ROOM == pieces)
            {
                break;
            }
            queued += pieces;
            ends[k++ - first] = queued;
        }
        allocator.retain(pages, retained);
        ring.advance(queued);
        final int outcome = ring.outstanding() > 0 ? push() : DONE;
        final int kept = DONE == outcome ? queued : Math.max(0, queued - ring.outstanding());
        int sent = first;
        int descriptors = 0;
        // A frame that the kernel has begun to take stays in the ring to its end.
        while (sent < k && (ends[sent - first] <= kept || descriptors < kept))
        {
            descriptors = ends[sent++ - first];
        }
        account(batch, first, sent);
        takeBack(queued - descriptors);
        if (DOWN == outcome)
        {
            counters.add(PortCounter.TX_LINK_DOWN, k - sent);
            sent = k;
        }
        batch.sent(sent);
        return DONE == outcome && sent < end ? HELD : outcome;
    }

    /** Goes on with what the kernel left in the ring, and takes back what it has done with. */
    void flush()
    {
        if (socket.transmit().outstanding() > 0)
        {
            push();
        }
        if (heldCount > 0)
        {
            reclaim();
        }
    }

    /** Puts a frame into the ring. @return descriptors: 0 for a frame that cannot be sent, {@link #NO_ROOM}. */
    private int queue(final FrameBatch batch, final int i, final int at, final int room)
    {
        final int length = batch.length(i);
        // A frame that a hook turned round may have come with a begun checksum.
        if (!isSendable(batch, i) || !Checksum.complete(batch, i))
        {
            return 0;
        }
        if (batch.segments(i) > 0 || length > chunk || socket.isZeroCopy() && isOverBoundary(batch.offset(i), length))
        {
            return copy(batch, i, at, room);
        }
        if (at == room)
        {
            return NO_ROOM;
        }
        pages[retained++] = batch.offset(i);
        put(at, batch.offset(i), length, false);
        return 1;
    }

    /** Puts a copy of a frame into the ring, in as many pieces as it needs. */
    private int copy(final FrameBatch batch, final int i, final int at, final int room)
    {
        final int length = batch.length(i);
        final int pieces = (length + chunk - 1) / chunk;
        // Twice the length, where a boundary of the memory's pages would matter, holds an aligned piece.
        final int fragment = socket.isZeroCopy() ? 2 * chunk : chunk;
        final int got = at + pieces > room ? 0 : allocator.allocate(fragment, pieces, copies);
        if (got < pieces)
        {
            allocator.release(copies, got);
            return NO_ROOM;
        }
        for (int p = 0; p < pieces; p++)
        {
            final int from = p * chunk;
            final int piece = Math.min(chunk, length - from);
            final int to = socket.isZeroCopy() ? copies[p] + chunk - 1 & -chunk : copies[p];
            copy(batch, i, from, piece, to);
            put(at + p, to, piece, p < pieces - 1);
        }
        return pieces;
    }

    /** Copies bytes of a frame, across its linear part and its segments. */
    private void copy(final FrameBatch batch, final int i, final int from, final int length, final int to)
    {
        final int linear = Math.max(0, Math.min(length, batch.linearLength(i) - from));
        if (linear > 0)
        {
            arena.putBytes(to, arena, batch.offset(i) + from, linear);
        }
        if (length > linear)
        {
            batch.vectors().copyTo(batch.run(i) + 1, batch.segments(i),
                from + linear - batch.linearLength(i), length - linear, arena, to + linear);
        }
    }

    private void put(final int at, final int address, final int length, final boolean isContinued)
    {
        held[address >>> PageArena.PAGE_SHIFT]++;
        heldCount++;
        socket.transmit().descriptor(at, address, length, isContinued);
    }

    /** Has the kernel send what is in the ring, until all of it is taken or nothing more is. */
    private int push()
    {
        final XskRing ring = socket.transmit();
        if (socket.isZeroCopy())
        {
            if (ring.needsWakeUp())
            {
                kick();
            }
            return DONE;
        }
        while (true)
        {
            final int before = ring.outstanding();
            final int result = kick();
            final int after = ring.outstanding();
            if (0 == after)
            {
                return DONE;
            }
            if (-Errno.ENXIO == result)
            {
                return GONE;
            }
            if (-Errno.ENETDOWN == result)
            {
                return DOWN;
            }
            if (after == before && !reclaim())
            {
                counters.increment(PortCounter.TX_HELD_BACK);
                return HELD;
            }
        }
    }

    private int kick()
    {
        counters.increment(PortCounter.TX_CALLS);
        return Sockets.kick(socket.number(), Sockets.MSG_DONTWAIT);
    }

    /** Takes the last entries out of the ring again. */
    private void takeBack(final int count)
    {
        if (count > 0)
        {
            final XskRing ring = socket.transmit();
            ring.takeBack(count);
            for (int k = 0; k < count; k++)
            {
                pages[k] = (int)ring.address(k);
                held[pages[k] >>> PageArena.PAGE_SHIFT]--;
            }
            heldCount -= count;
            allocator.release(pages, count);
        }
    }

    /** Releases the pages of frames that the kernel has done with. @return whether there were any. */
    private boolean reclaim()
    {
        final XskRing ring = socket.completion();
        final int count = ring.available(pages.length);
        if (0 == count)
        {
            return false;
        }
        for (int k = 0; k < count; k++)
        {
            // What comes back is what was put in: an offset of the arena.
            pages[k] = (int)ring.address(k);
            held[pages[k] >>> PageArena.PAGE_SHIFT]--;
        }
        heldCount -= count;
        ring.advance(count);
        allocator.release(pages, count);
        return true;
    }

    private void account(final FrameBatch batch, final int first, final int sent)
    {
        int before = 0;
        int frames = 0;
        int packets = 0;
        long bytes = 0;
        for (int k = first; k < sent; k++)
        {
            final int i = batch.ready(k);
            if (ends[k - first] == before)
            {
                counters.increment(batch.linearLength(i) < FrameLayout.MIN_FRAME ? PortCounter.TX_RUNT :
                    isSendable(batch, i) ? PortCounter.TX_REJECTED : PortCounter.TX_TOO_LONG);
            }
            else
            {
                frames++;
                packets += batch.packets(i);
                bytes += batch.length(i);
            }
            before = ends[k - first];
        }
        counters.add(PortCounter.TX_FRAMES, frames);
        counters.add(PortCounter.TX_PACKETS, packets);
        counters.add(PortCounter.TX_BYTES, bytes);
    }

    private boolean isSendable(final FrameBatch batch, final int i)
    {
        // What is longer than the device's MTU the device drops and counts.
        return batch.linearLength(i) >= FrameLayout.MIN_FRAME &&
            batch.length(i) <= (socket.hasFragments() ? MOST_PIECES * chunk : chunk);
    }

    private static boolean isOverBoundary(final int offset, final int length)
    {
        return (offset & MEMORY_PAGE - 1) + length > MEMORY_PAGE;
    }
}
