package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.ToeplitzHash;
import io.ringtap.flow.VnetHeader;
import io.ringtap.sys.IoVectors;
import io.ringtap.vhost.control.ReceiveFilter;
import io.ringtap.vhost.control.ReceiveHash;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.guest.GuestBuffers;
import io.ringtap.vhost.virtio.DescriptorChain;
import io.ringtap.vhost.virtio.Virtqueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts frames into the guest's receive ring: one chain a frame, or with mergeable buffers as many as it takes, with
 * num_buffers written before the chains are completed (virtio 5.1.6.4). Never hands the guest an offload that it did
 * not negotiate: such a frame goes through the {@link OffloadGate} first.
 */
final class RingWriter
{
    /** A 64 KiB frame over the smallest buffers Linux posts (1536 bytes) needs 43. */
    private static final int MAX_CHAINS = 64;

    private static final int WRITTEN = 1;
    private static final int DROPPED = 0;
    private static final int STARVED = -1;

    private final RingEnd ring;
    private final OffloadGate gate;
    private final CounterSet<WorkerCounter> counters;
    /** Chains of the frame at hand. */
    private final DescriptorChain[] chains = DescriptorChain.receiveBatch(MAX_CHAINS);
    /** Chains taken ahead for the frames that follow: many at once cost a ring less than one by one. */
    private final DescriptorChain[] ahead = DescriptorChain.receiveBatch(MAX_CHAINS);
    private final int[] written = new int[MAX_CHAINS];
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[GuestHeader.MAX]);
    private int headerLength = FrameLayout.NET_HEADER;
    /** Null unless the guest wants to know what its frames hash to. */
    private ToeplitzHash hash;
    /** What it asked for by the control queue; null for the other. */
    private ReceiveHash chosenHash;
    /** Which frames it wants; null for all. */
    private ReceiveFilter filter;
    private long unwanted;
    private boolean mergeable;
    private int taken;
    private int nextAhead;
    private int aheadCount;
    private int walked;
    private int barren;
    private long frames;
    private long bytes;
    private int at;

    RingWriter(final RingEnd ring, final OffloadGate gate, final CounterSet<WorkerCounter> counters)
    {
        this.ring = ring;
        this.gate = gate;
        this.counters = counters;
    }

    /** What the guest negotiated. */
    void negotiated(final int netHeaderLength, final boolean mergeableBuffers)
    {
        headerLength = netHeaderLength;
        hash = netHeaderLength >= GuestHeader.WITH_HASH ? ToeplitzHash.withUsualKey() : null;
        mergeable = mergeableBuffers;
    }

    /** What it takes instead of plain frames. */
    void offloads(final int offloads)
    {
        gate.allow(offloads);
    }

    /** A turn of the worker begins, in which descriptors may be walked up to {@link Virtqueue#MOST_WALKED}. */
    void beginTurn()
    {
        walked = 0;
        barren = 0;
    }

    /** Chains of this turn that could hold no frame. */
    int barren()
    {
        return barren;
    }

    /** The chains of this turn have more descriptors than any that frames need. */
    boolean hasWalkedFar()
    {
        return walked > Virtqueue.MOST_WALKED;
    }

    /** What it wants. */
    void rules(final ReceiveRules rules)
    {
        filter = rules.filter();
        chosenHash = rules.hash();
    }

    /** Segments of a frame wait for buffers. */
    boolean isHolding()
    {
        return !gate.isEmpty();
    }

    /** Drops what waits. */
    void settle()
    {
        gate.clear();
        nextAhead = 0;
        aheadCount = 0;
    }

    /**
     * Writes the ready list from {@link FrameBatch#sent()} on until it is drained or the guest has no more buffers.
     *
     * @return chains completed, to be published by the caller.
     */
    int write(final FrameBatch batch)
    {
        int completed = drainGate();
        while (gate.isEmpty() && !batch.isDrained())
        {
            final int i = batch.ready(batch.sent());
            if (filter != null && !filter.accepts(batch.arena(), batch.offset(i), batch.linearLength(i)))
            {
                batch.sent(batch.sent() + 1);
                unwanted++;
                continue;
            }
            if (gate.mustConvert(batch, i))
            {
                gate.convert(batch, i);
                batch.sent(batch.sent() + 1);
                completed += drainGate();
                continue;
            }
            final int result = writeFrame(batch, i);
            if (result == STARVED)
            {
                break;
            }
            batch.sent(batch.sent() + 1);
            completed += result == WRITTEN ? taken : 0;
        }
        putBack(0);
        counters.add(WorkerCounter.HOST_FRAMES, frames);
        counters.add(WorkerCounter.HOST_BYTES, bytes);
        counters.add(WorkerCounter.DROP_FILTERED, unwanted);
        unwanted = 0;
        frames = 0;
        bytes = 0;
        return completed;
    }

    private int drainGate()
    {
        int completed = 0;
        final FrameBatch segments = gate.batch();
        while (!segments.isDrained())
        {
            final int result = writeFrame(segments, segments.ready(segments.sent()));
            if (result == STARVED)
            {
                return completed;
            }
            segments.sent(segments.sent() + 1);
            completed += result == WRITTEN ? taken : 0;
        }
        gate.clear();
        return completed;
    }

    private int writeFrame(final FrameBatch batch, final int i)
    {
        final int length = batch.length(i);
        final int result = collect(headerLength + length, batch.readyCount() - batch.sent());
        if (result != WRITTEN)
        {
            return result;
        }
        final int netHeader = batch.netHeader(i);
        gate.clean(batch.arena(), netHeader);
        VnetHeader.bufferCount(batch.arena(), netHeader, taken);
        if (taken == 1 && headerLength == FrameLayout.NET_HEADER)
        {
            writeToOneChain(batch, i, netHeader);
        }
        else
        {
            writeAcrossChains(batch, i, netHeader);
        }
        final Virtqueue queue = ring.queue();
        for (int k = 0; k < taken; k++)
        {
            queue.completeWritten(chains[k], written[k]);
        }
        frames += batch.packets(i);
        bytes += length;
        return WRITTEN;
    }

    /**
     * Takes chains until they hold {@code need} bytes.
     *
     * @param left frames that will want chains, this one among them.
     */
    private int collect(final int need, final int left)
    {
        final Virtqueue queue = ring.queue();
        int room = 0;
        taken = 0;
        while (room < need)
        {
            if (taken == (mergeable ? MAX_CHAINS : 1))
            {
                putBack(taken);
                counters.increment(WorkerCounter.DROP_TOO_BIG);
                return DROPPED;
            }
            if (nextAhead == aheadCount && !takeAhead(queue, left))
            {
                return STARVED;
            }
            final DescriptorChain chain = ahead[nextAhead];
            ahead[nextAhead++] = chains[taken];
            chains[taken] = chain;
            if (!chain.isMalformed() && 0 < chain.writable().length())
            {
                room += chain.writable().length();
                taken++;
            }
            else if (giveBack(queue))
            {
                return DROPPED;
            }
        }
        return WRITTEN;
    }

    private boolean takeAhead(final Virtqueue queue, final int wanted)
    {
        nextAhead = 0;
        // A guest of malformed or endless chains has had its share of this turn: as if it had no buffers.
        final boolean isOver = hasWalkedFar();
        aheadCount = isOver ? 0 : Math.max(0, queue.take(ahead, Math.min(wanted, MAX_CHAINS)));
        walked += isOver ? 0 : queue.walked();
        if (aheadCount == 0)
        {
            if (queue.isBroken())
            {
                ring.fail(queue.brokenBy().meaning());
            }
            else
            {
                putBack(taken);
                counters.increment(WorkerCounter.RECEIVE_STARVED);
            }
        }
        return 0 < aheadCount;
    }

    /** Puts back what was taken ahead and the {@code last} chains taken before it. */
    private void putBack(final int last)
    {
        final int chainCount = aheadCount - nextAhead + last;
        if (0 < chainCount)
        {
            ring.queue().untake(chainCount);
        }
        nextAhead = 0;
        aheadCount = 0;
    }

    /**
     * The chain at {@code taken} is malformed: it goes back with length 0, and so do those taken before it, since they
     * cannot be put back any more; their frame is lost.
     */
    private boolean giveBack(final Virtqueue queue)
    {
        for (int k = 0; k <= taken; k++)
        {
            queue.complete(chains[k].ticket(), 0);
        }
        ring.publish(System.nanoTime());
        counters.increment(WorkerCounter.DROP_CHAIN);
        barren += taken + 1;
        final boolean isFrameLost = 0 < taken;
        taken = 0;
        return isFrameLost;
    }

    private void writeToOneChain(final FrameBatch batch, final int i, final int netHeader)
    {
        final GuestBuffers out = chains[0].writable();
        final int linear = FrameLayout.NET_HEADER + batch.linearLength(i);
        out.copyOut(0, batch.arena(), netHeader, linear);
        written[0] = FrameLayout.NET_HEADER + batch.length(i);
        final IoVectors vectors = batch.vectors();
        int position = linear;
        for (int v = batch.run(i) + 1, end = v + batch.segments(i); v < end; v++)
        {
            out.copyOut(position, vectors, v, 1);
            position += vectors.length(v);
        }
    }

    private void writeAcrossChains(final FrameBatch batch, final int i, final int netHeader)
    {
        at = 0;
        for (int k = 0; k < taken; k++)
        {
            written[k] = 0;
        }
        GuestHeader.encode(batch.arena(), netHeader, header, headerLength);
        if (hash != null)
        {
            GuestHeader.report(hashOf(batch.arena(), batch.offset(i), batch.linearLength(i)), header);
        }
        append(header, 0, headerLength);
        append(batch.arena(), batch.offset(i), batch.linearLength(i));
        final IoVectors vectors = batch.vectors();
        for (int v = batch.run(i) + 1, end = v + batch.segments(i); v < end; v++)
        {
            int done = 0;
            while (done < vectors.length(v))
            {
                final int n = step(vectors.length(v) - done);
                chains[at].writable().copyOut(written[at], vectors, v, done, n);
                written[at] += n;
                done += n;
            }
        }
    }

    private long hashOf(final UnsafeBuffer arena, final int offset, final int length)
    {
        return chosenHash != null ? chosenHash.of(arena, offset, length) :
            hash.of(arena, offset, length, ToeplitzHash.ALL_TYPES);
    }

    private void append(final UnsafeBuffer from, final int offset, final int length)
    {
        int done = 0;
        while (done < length)
        {
            final int n = step(length - done);
            chains[at].writable().copyOut(written[at], from, offset + done, n);
            written[at] += n;
            done += n;
        }
    }

    /** Moves to the chain with room; {@link #collect} saw to it that there is one. */
    private int step(final int wanted)
    {
        while (written[at] == chains[at].writable().length())
        {
            at++;
        }
        return Math.min(wanted, chains[at].writable().length() - written[at]);
    }
}
