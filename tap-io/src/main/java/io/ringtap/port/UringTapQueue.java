package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of a TAP with one kernel entry a batch. Every read and write is NOWAIT, so it is done or refused when the
 * entry returns: between two calls the kernel holds no buffer of ours, and closing has nothing to wait for.
 * <p>
 * What stays with the kernel is a poll, armed when a round of reads found the host's queue empty. While it has not
 * fired, receiving looks at two words of shared memory and needs no system call; so a spinning worker costs the host
 * nothing.
 */
final class UringTapQueue extends SyscallTapQueue
{
    /** Fewest reads in a round: a frame, and the look behind it that finds the queue empty. */
    private static final int FEWEST_READS = 2;

    /** Reads in a round of super-frames: a megabyte is in the cache when the guest's copy is made, four are not. */
    private static final int BULK_READS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(TapPort.class);

    /** Null once the kernel has refused to serve it. */
    private TapRing ring;
    private final PageArena registered;
    private final int threshold;
    private final int[] places;
    private final int[] held;
    private int heldCount;
    private boolean isHeld;
    private boolean isBulk;
    private int expected = FEWEST_READS;

    UringTapQueue(
        final TapPort port,
        final int index,
        final Fd fd,
        final UnsafeBuffer arena,
        final FragAllocator allocator,
        final ReceiveLayout layout)
    {
        super(port, index, fd, arena, allocator, layout);
        threshold = port.flushThreshold();
        places = new int[port.batch()];
        held = new int[port.batch()];
        registered = port.registeredArena();
        ring = new TapRing(fd, arena, port.batch(), registered);
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        if (null == ring)
        {
            return super.transmit(batch);
        }
        final int first = batch.sent();
        try
        {
            return transmitBatches(batch);
        }
        catch (final SyscallException ex)
        {
            fallBack(ex);
            return batch.sent() - first + super.transmit(batch);
        }
    }

    private int transmitBatches(final FrameBatch batch)
    {
        final int first = batch.sent();
        final int count = batch.readyCount();
        final long enters = ring.enters();
        int k = first;
        boolean isTaken = true;
        while (isTaken && k < count && !isGone())
        {
            // A plain write costs less than a submission of one. And one by one it goes while the host holds back:
            // in a submission a later frame could find room that an earlier one did not.
            if (isHeld || count - k == 1 || 1 == threshold)
            {
                isTaken = writeOne(batch, batch.ready(k));
                k += isTaken ? 1 : 0;
            }
            else
            {
                final int end = Math.min(count, k + threshold);
                // What went before is sent, also when the kernel does not take this.
                batch.sent(k);
                k = write(batch, k, end);
                isTaken = k == end;
            }
        }
        isHeld = !isTaken;
        counters.add(PortCounter.TX_CALLS, ring.enters() - enters);
        batch.sent(first);
        return sent(batch, isGone() ? abandon(batch, k) : k);
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        if (null == ring)
        {
            return super.receive(batch, limit);
        }
        try
        {
            return receiveBatch(batch, limit);
        }
        catch (final SyscallException ex)
        {
            fallBack(ex);
            return super.receive(batch, limit);
        }
    }

    private int receiveBatch(final FrameBatch batch, final int limit)
    {
        if (ring.isPolling() && !ring.isSignalled())
        {
            return 0;
        }
        final int room = Math.min(prepareReceive(batch, limit), expected);
        final int offered = room > 0 ? buffers.offer(room) : 0;
        if (0 == offered)
        {
            return 0;
        }
        final long enters = ring.enters();
        final int before = batch.frames();
        queueReads(offered);
        if (isDry())
        {
            // The last round emptied the queue, so this one probably will.
            ring.poll();
        }
        takeReads(batch, ring.submit());
        counters.add(PortCounter.RX_CALLS, ring.enters() - enters);
        expect(offered, batch.frames() - before);
        return received(batch, before);
    }

    /** A descriptor that gives nothing, since its device is gone or the queue detached, must not keep anybody awake. */
    @Override
    public boolean armReceive()
    {
        return waitDescriptor() < 0 ||
            !hasLostDevice() && (null == ring || !ring.isPolling() || !ring.isSignalled());
    }

    /** The ring holds the old open file, and perhaps a poll of it that will never fire. */
    @Override
    void reopened()
    {
        super.reopened();
        if (null != ring)
        {
            ring.close();
            ring = new TapRing(fd(), arena, places.length, registered);
        }
    }

    @Override
    public void close()
    {
        try
        {
            CloseHelper.close(ring);
        }
        finally
        {
            super.close();
        }
    }

    /**
     * The kernel does not serve the ring any more: a filter that came later, a descriptor that somebody closed. Nothing
     * of a refused submission was done, and reads and writes are all done when a submission returns, so the rest can go
     * by other calls. For good: what is refused now would be refused again.
     */
    private void fallBack(final SyscallException refusal)
    {
        final TapRing refused = ring;
        ring = null;
        isHeld = false;
        counters.increment(PortCounter.IO_REFUSED);
        LOG.warn("{}: from now on with a system call a frame, because the kernel refuses io_uring: {}", fd(),
            refusal.getMessage());
        CloseHelper.quietClose(refused);
    }

    /** Writes frames from first to end-1 of the list. @return where what was held back begins; end when nothing was. */
    private int write(final FrameBatch batch, final int first, final int end)
    {
        int queued = 0;
        for (int k = first; k < end; k++)
        {
            final int i = batch.ready(k);
            if (isSendable(batch, i))
            {
                places[queued] = k;
                queueWrite(batch, i, queued++);
            }
        }
        final int taken = ring.submit();
        heldCount = 0;
        takeWrites(batch, taken);
        for (int q = taken; q < queued; q++)
        {
            held[heldCount++] = places[q];
        }
        return 0 == heldCount ? end : moveHeldToEnd(batch, first, end);
    }

    private void queueWrite(final FrameBatch batch, final int i, final int q)
    {
        final int segments = batch.segments(i);
        if (0 == segments)
        {
            ring.write(batch.netHeader(i), FrameLayout.NET_HEADER + batch.linearLength(i), q);
        }
        else
        {
            ring.write(batch.vectors(), vectors(batch, i), segments + 1, q);
        }
    }

    private void takeWrites(final FrameBatch batch, final int taken)
    {
        int frames = 0;
        int packets = 0;
        long bytes = 0;
        for (int done = 0; done < taken; done++)
        {
            ring.next();
            final int place = places[ring.place()];
            if (ring.result() >= 0)
            {
                final int i = batch.ready(place);
                frames++;
                packets += batch.packets(i);
                bytes += batch.length(i);
            }
            else
            {
                refused(-ring.result(), place);
            }
        }
        ring.finish();
        counters.add(PortCounter.TX_FRAMES, frames);
        counters.add(PortCounter.TX_PACKETS, packets);
        counters.add(PortCounter.TX_BYTES, bytes);
    }

    private void refused(final int errno, final int place)
    {
        switch (judge(errno))
        {
            case HOLD:
                held[heldCount++] = place;
                break;
            case LOST:
                counters.increment(PortCounter.TX_GONE);
                break;
            default:
                break;
        }
    }

    /** Closes the gaps that taken frames leave in the ready list, order kept. @return where the held frames begin. */
    private int moveHeldToEnd(final FrameBatch batch, final int first, final int end)
    {
        int h = 0;
        int at = first;
        for (int k = first; k < end; k++)
        {
            final int i = batch.ready(k);
            if (h < heldCount && held[h] == k)
            {
                held[h++] = i;
            }
            else
            {
                batch.ready(at++, i);
            }
        }
        for (int k = 0; k < heldCount; k++)
        {
            batch.ready(at + k, held[k]);
        }
        return at;
    }

    private void queueReads(final int count)
    {
        final ReceiveLayout layout = buffers.layout();
        if (layout.hasOverflow())
        {
            for (int j = 0; j < count; j++)
            {
                ring.read(buffers.vectors(), buffers.vector(j), 2, j);
            }
        }
        else
        {
            for (int j = 0; j < count; j++)
            {
                ring.read(buffers.readOffset(j), layout.readLength(), j);
            }
        }
    }

    private void takeReads(final FrameBatch batch, final int taken)
    {
        dry(false);
        isBulk = false;
        for (int done = 0; done < taken; done++)
        {
            ring.next();
            final int result = ring.result();
            if (result >= 0)
            {
                isBulk |= result > buffers.layout().readLength();
                accept(batch, ring.place(), result);
            }
            else
            {
                readFailed(result);
            }
        }
        ring.finish();
    }

    /** How many reads the next round should make: about as many as there will be frames. */
    private void expect(final int offered, final int got)
    {
        final int guess = isDry() ? got + (got >> 2) + 1 : Math.max(expected, 2 * offered);
        expected = Math.max(FEWEST_READS, Math.min(guess, isBulk ? BULK_READS : buffers.capacity()));
    }
}
