package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.flow.Segmenter;
import io.ringtap.flow.VnetFault;
import io.ringtap.flow.VnetHeader;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Errno;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending half of a queue: frames go into the ring, those that no slot holds through a socket without one, those
 * that the device cannot cut through the segmenter; the order of frames is kept among the three. The kernel is told
 * every so many frames, or by the doorbell's thread. Used by the queue's worker.
 */
final class PacketSender implements AutoCloseable
{
    /** Packets of a super-frame that software cuts; one that stands for more is passed over. */
    private static final int MOST_SEGMENTS = 256;

    /** Looks at a full ring before the worker flushes it instead of the doorbell's thread: about 20 us. */
    private static final int PATIENCE = 2_000;

    private final PacketRingPort port;
    private final CounterSet<PortCounter> counters;
    private final PacketTally tally;
    private final FragAllocator allocator;
    private final Segmenter segmenter;
    private final FrameBatch cut;
    private final int threshold;
    private TransmitRing ring;
    private BulkSocket bulk;
    private Doorbell doorbell;
    private int unflushed;
    private boolean isHeld;
    private boolean isGone = true;

    PacketSender(
        final PacketRingPort port,
        final CounterSet<PortCounter> counters,
        final UnsafeBuffer arena,
        final FragAllocator allocator)
    {
        this.port = port;
        this.counters = counters;
        this.allocator = allocator;
        tally = new PacketTally(counters);
        threshold = Math.min(port.options().flushThreshold(), port.options().batch());
        segmenter = new Segmenter(allocator);
        cut = new FrameBatch(arena, MOST_SEGMENTS, MOST_SEGMENTS);
    }

    /** Begins with an interface, or goes on with one that was made again. */
    void open(final int index, final String doorbellName)
    {
        final TransmitRing nextRing = port.transmitRing(index);
        try
        {
            bulk = BulkSocket.open(port.options(), index);
        }
        catch (final RuntimeException e)
        {
            nextRing.close();
            throw e;
        }
        ring = nextRing;
        tally.restart();
        unflushed = 0;
        isHeld = false;
        isGone = false;
        if (null != doorbell)
        {
            doorbell.resume(ring);
        }
        else if (null != doorbellName)
        {
            doorbell = new Doorbell(doorbellName, ring, port.options().lingerUs());
        }
    }

    /** The interface was deleted: sockets are given up, the doorbell's thread waits for others. */
    void abandon()
    {
        count();
        isGone = true;
        bulk.close();
        ring.close();
    }

    boolean isGone()
    {
        return isGone;
    }

    /** Frames that were taken wait in the ring, because the host had no room for them. */
    boolean isHolding()
    {
        return isHeld || !cut.isDrained() || null != doorbell && doorbell.isAtFault();
    }

    /** Asks the kernel whether the interface is there. */
    void probe()
    {
        isGone |= TransmitRing.GONE == ring.probe();
    }

    int transmit(final FrameBatch batch)
    {
        settleFault();
        final int count = batch.readyCount();
        int k = batch.sent();
        while (k < count && !isGone && sendCut() && send(batch, batch.ready(k)))
        {
            k++;
        }
        return k;
    }

    void flush()
    {
        settleFault();
        if (!isGone && sendCut() && (0 < unflushed || isHeld))
        {
            flushRing();
        }
        count();
    }

    @Override
    public void close()
    {
        if (null != doorbell)
        {
            doorbell.close();
        }
        if (!isGone)
        {
            ring.publish();
            ring.flush();
            abandon();
        }
        cut.release(allocator);
        cut.close();
    }

    /** @return false when the frame has to be kept. */
    private boolean send(final FrameBatch batch, final int i)
    {
        final UnsafeBuffer arena = batch.arena();
        final int header = batch.netHeader(i);
        // A hook may have cut the frame down to anything.
        if (batch.linearLength(i) < FrameLayout.MIN_FRAME || batch.length(i) > FrameLayout.MAX_FRAME)
        {
            counters.increment(batch.linearLength(i) < FrameLayout.MIN_FRAME ?
                PortCounter.TX_RUNT : PortCounter.TX_TOO_LONG);
            return true;
        }
        if (0 != arena.getShort(header))
        {
            // The kernel would take such a frame out of the ring and say nothing, so it is judged here by its rules.
            if (VnetFault.OK != VnetHeader.validate(arena, header, batch.length(i), Offloads.ALL))
            {
                counters.increment(PortCounter.TX_REJECTED);
                return true;
            }
            if (!VnetHeader.fits(arena, header, port.transmitOffloads()))
            {
                cut(batch, i);
                sendCut();
                return true;
            }
        }
        if (VnetHeader.GSO_NONE == VnetHeader.gsoType(arena, header) && batch.length(i) > port.longestFrame())
        {
            counters.increment(PortCounter.TX_TOO_LONG);
            port.refresh();
            return true;
        }
        return 0 == batch.segments(i) && batch.length(i) <= ring.capacity() ?
            intoRing(batch, i) : throughSocket(batch, i);
    }

    private boolean intoRing(final FrameBatch batch, final int i)
    {
        if (ring.isFull() && !makeRoom())
        {
            counters.increment(PortCounter.TX_HELD_BACK);
            return false;
        }
        if (ring.mustCount())
        {
            count();
        }
        ring.put(batch, i);
        if (++unflushed >= threshold)
        {
            flushRing();
        }
        return true;
    }

    private boolean makeRoom()
    {
        flushRing();
        if (null != doorbell && !isGone)
        {
            for (int i = 0; i < PATIENCE; i++)
            {
                if (!ring.isFull())
                {
                    return true;
                }
                Thread.onSpinWait();
            }
            counters.increment(PortCounter.DOORBELL_HELPED);
            settle(ring.flush());
        }
        return !isGone && !ring.isFull();
    }

    private boolean throughSocket(final FrameBatch batch, final int i)
    {
        // What was before it in the ring goes first; here the worker flushes even if there is a doorbell.
        ring.publish();
        unflushed = 0;
        if (ring.published() != ring.taken())
        {
            settle(ring.flush());
            if (isHeld || isGone)
            {
                return false;
            }
        }
        final int result = bulk.send(batch, i);
        counters.increment(PortCounter.TX_CALLS);
        if (result >= 0)
        {
            counters.increment(PortCounter.TX_FRAMES);
            counters.add(PortCounter.TX_PACKETS, batch.packets(i));
            counters.add(PortCounter.TX_BYTES, batch.length(i));
            return true;
        }
        return isPassedOver(-result);
    }

    private boolean isPassedOver(final int errno)
    {
        switch (errno)
        {
            case Errno.EAGAIN:
            case Errno.ENOBUFS:
                final boolean isDead = !port.hasCarrier();
                counters.increment(isDead ? PortCounter.TX_LINK_DOWN : PortCounter.TX_HELD_BACK);
                return isDead;
            case Errno.ENXIO:
            case Errno.ENODEV:
                isGone = true;
                return false;
            case Errno.EINVAL:
                counters.increment(PortCounter.TX_REJECTED);
                return true;
            case Errno.EMSGSIZE:
                counters.increment(PortCounter.TX_TOO_LONG);
                return true;
            case Errno.ENETDOWN:
                counters.increment(PortCounter.TX_LINK_DOWN);
                return true;
            case Errno.EFAULT:
                counters.increment(PortCounter.TX_FAULT);
                return true;
            case Errno.ENOMEM:
                counters.increment(PortCounter.TX_NO_MEMORY);
                return true;
            default:
                counters.increment(PortCounter.TX_FAILED);
                return true;
        }
    }

    /** Cuts a super-frame into packets, which wait in a batch of their own until they are sent. */
    private void cut(final FrameBatch batch, final int i)
    {
        final int count = segmenter.segment(batch, i, cut, port.transmitOffloads());
        counters.increment(count > 0 ? PortCounter.TX_SEGMENTED :
            Segmenter.EXHAUSTED == count ? PortCounter.TX_NO_MEMORY : PortCounter.TX_REJECTED);
    }

    /** Sends what is left of a frame that was cut. @return false while there is still some of it. */
    private boolean sendCut()
    {
        if (cut.isDrained())
        {
            return true;
        }
        int k = cut.sent();
        while (k < cut.readyCount() && !isGone && send(cut, cut.ready(k)))
        {
            k++;
        }
        if (isGone)
        {
            counters.add(PortCounter.TX_GONE, cut.readyCount() - k);
            k = cut.readyCount();
        }
        cut.sent(k);
        if (!cut.isDrained())
        {
            return false;
        }
        cut.release(allocator);
        return true;
    }

    private void flushRing()
    {
        ring.publish();
        unflushed = 0;
        if (null == doorbell)
        {
            settle(ring.flush());
        }
        else
        {
            doorbell.ring();
        }
    }

    private void settleFault()
    {
        if (null != doorbell && !isGone && doorbell.isAtFault())
        {
            settle(doorbell.fault());
            if (!isGone)
            {
                isHeld = false;
                doorbell.resume(ring);
            }
        }
    }

    /** What a flush came to. */
    private void settle(final int result)
    {
        isHeld = TransmitRing.HELD == result;
        switch (result)
        {
            case TransmitRing.FLUSHED:
                break;
            case TransmitRing.HELD:
                counters.increment(PortCounter.TX_HELD_BACK);
                if (!port.hasCarrier())
                {
                    // A driver without a link takes nothing, perhaps for hours: the guest must not wait for it.
                    lose(PortCounter.TX_LINK_DOWN);
                }
                break;
            case TransmitRing.DOWN:
                lose(PortCounter.TX_LINK_DOWN);
                break;
            case TransmitRing.GONE:
                lose(PortCounter.TX_GONE);
                isGone = true;
                break;
            default:
                lose(PortCounter.TX_FAILED);
                break;
        }
    }

    private void lose(final PortCounter reason)
    {
        counters.add(reason, ring.abandon());
        isHeld = false;
        unflushed = 0;
    }

    private void count()
    {
        tally.count(ring, doorbell);
    }
}
