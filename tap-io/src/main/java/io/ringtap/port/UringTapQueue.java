package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Poll;
import io.ringtap.sys.uring.IoUring;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A queue of a TAP with one kernel entry a batch. Every read and write is NOWAIT, so it is done or refused when the
 * entry returns: between two calls the kernel holds no buffer of ours, and closing has nothing to wait for.
 * <p>
 * What stays with the kernel is a poll, armed when a round of reads found the host's queue empty. While it has not
 * fired, receiving looks at two words of shared memory and needs no system call; so a spinning worker costs the host
 * nothing.
 */
final class UringTapQueue extends TapQueue
{
    /** User data of a poll; frames use their place in the submission. */
    private static final long POLL = 1L << 32;

    /** One that fired and the one armed in its place. */
    private static final int MOST_POLLS = 2;

    /** Fewest reads in a round: a frame, and the look behind it that finds the queue empty. */
    private static final int FEWEST_READS = 2;

    /** Reads in a round of super-frames: a megabyte is in the cache when the guest's copy is made, four are not. */
    private static final int BULK_READS = 16;

    private final IoUring uring;
    private final int file = IoUring.registered(0);
    private final int threshold;
    private final int[] places;
    private final int[] held;
    private int heldCount;
    private boolean isHeld;
    private boolean isBulk;
    private int polls;
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
        // Room for a batch and the poll. Not SINGLE_ISSUER, which gained nothing: the port may be closed by a thread
        // that is not the worker.
        uring = IoUring.open(port.batch() + 1, IoUring.COOP_TASKRUN);
        try
        {
            uring.registerFiles(fd.number());
        }
        catch (final RuntimeException e)
        {
            uring.close();
            throw e;
        }
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        final int count = batch.readyCount();
        final long enters = uring.enters();
        int k = batch.sent();
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
                k = write(batch, k, end);
                isTaken = k == end;
            }
        }
        isHeld = !isTaken;
        counters.add(PortCounter.TX_CALLS, uring.enters() - enters);
        return sent(batch, isGone() ? abandon(batch, k) : k);
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        final boolean isSignalled = uring.isSignalled();
        if (polls > 0 && !isSignalled)
        {
            return 0;
        }
        final int room = Math.min(prepareReceive(batch, limit), expected);
        final int offered = room > 0 ? buffers.offer(room) : 0;
        if (0 == offered)
        {
            return 0;
        }
        final long enters = uring.enters();
        final int before = batch.frames();
        queueReads(offered);
        // Armed beside the reads when these will probably empty the queue; a poll that has fired does not count.
        final boolean needsPoll = isDry() && (0 == polls || isSignalled && polls < MOST_POLLS);
        if (needsPoll && uring.pollAdd(file, Poll.IN, POLL))
        {
            polls++;
        }
        takeReads(batch, Math.min(offered, submit()));
        counters.add(PortCounter.RX_CALLS, uring.enters() - enters);
        expect(offered, batch.frames() - before);
        return received(batch, before);
    }

    @Override
    public boolean armReceive()
    {
        return 0 == polls || !uring.isSignalled();
    }

    @Override
    public void close()
    {
        try
        {
            // The kernel takes a closed ring apart later, in the background. Without this the interface, of which the
            // ring holds the file, would live on until then: too long for who opens it again at once.
            uring.registerFile(0, -1);
        }
        finally
        {
            uring.close();
            super.close();
        }
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
        final int taken = submit();
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
            uring.write(file, arena.addressOffset() + batch.netHeader(i),
                FrameLayout.NET_HEADER + batch.linearLength(i), 0, IoUring.NOWAIT, q);
        }
        else
        {
            final long run = batch.vectors().addressOf(vectors(batch, i), segments + 1);
            uring.writev(file, run, segments + 1, IoUring.NOWAIT, q);
        }
    }

    private void takeWrites(final FrameBatch batch, final int taken)
    {
        int done = 0;
        int frames = 0;
        int packets = 0;
        long bytes = 0;
        while (done < taken)
        {
            final int ready = awaitReady();
            for (int c = 0; c < ready; c++)
            {
                final long userData = uring.userData(c);
                if (POLL == userData)
                {
                    polls--;
                    continue;
                }
                done++;
                final int result = uring.result(c);
                final int place = places[(int)userData];
                if (result >= 0)
                {
                    final int i = batch.ready(place);
                    frames++;
                    packets += batch.packets(i);
                    bytes += batch.length(i);
                }
                else
                {
                    refused(-result, place);
                }
            }
            uring.advance(ready);
        }
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
                uring.readv(file, buffers.vectors().addressOf(buffers.vector(j), 2), 2, IoUring.NOWAIT, j);
            }
        }
        else
        {
            for (int j = 0; j < count; j++)
            {
                uring.read(file, arena.addressOffset() + buffers.readOffset(j), layout.readLength(), 0,
                    IoUring.NOWAIT, j);
            }
        }
    }

    private void takeReads(final FrameBatch batch, final int taken)
    {
        int done = 0;
        dry(false);
        isBulk = false;
        while (done < taken)
        {
            final int ready = awaitReady();
            for (int c = 0; c < ready; c++)
            {
                final long userData = uring.userData(c);
                if (POLL == userData)
                {
                    polls--;
                    continue;
                }
                done++;
                final int result = uring.result(c);
                if (result >= 0)
                {
                    isBulk |= result > buffers.layout().readLength();
                    accept(batch, (int)userData, result);
                }
                else
                {
                    readFailed(result);
                }
            }
            uring.advance(ready);
        }
    }

    /** How many reads the next round should make: about as many as there will be frames. */
    private void expect(final int offered, final int got)
    {
        final int guess = isDry() ? got + (got >> 2) + 1 : Math.max(expected, 2 * offered);
        expected = Math.max(FEWEST_READS, Math.min(guess, isBulk ? BULK_READS : buffers.capacity()));
    }

    /**
     * Hands what was queued to the kernel. What it has no memory for is forgotten: it names frames of this batch.
     *
     * @return operations taken, the first of those queued.
     */
    private int submit()
    {
        int taken = uring.submit();
        if (uring.queued() > 0)
        {
            taken += uring.submit();
            uring.forgetQueued();
        }
        return taken;
    }

    /** @return completions to read; everything is NOWAIT, so they are there already but in the strangest of cases. */
    private int awaitReady()
    {
        int ready = uring.ready();
        while (0 == ready)
        {
            uring.submitAndWait(1);
            ready = uring.ready();
        }
        return ready;
    }
}
