package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.VnetFault;
import io.ringtap.flow.VnetHeader;
import io.ringtap.frag.FragAllocator;
import io.ringtap.port.PortQueue;
import io.ringtap.vhost.guest.GuestBuffers;
import io.ringtap.vhost.virtio.DescriptorChain;
import io.ringtap.vhost.virtio.Virtqueue;
import io.ringtap.xdp.FrameView;

/**
 * The way of a frame from the guest to the port: take chains, copy each frame's head once into a page fragment, let
 * the stages judge and merge, send, give the chains back.
 * <p>
 * A frame that fits a small slot is copied whole, so its chain can go back to the guest before the port has seen it
 * (the small-packet path, build_skb in the kernel's tun). Of a longer one the first bytes are copied, so that what is
 * judged is what is sent; the rest is sent straight from guest memory and its chain goes back when that is done.
 */
final class GuestToPort
{
    /** Most chains a cycle. */
    static final int BATCH = BatchSize.LONGEST;

    /** Frames of 64 KiB need about 20 vectors each; a batch is cut short when these run out. */
    static final int VECTORS = 2048;

    /**
     * Slot of a frame that nothing will make longer: 64 of them fill a first-level cache's sets evenly, where slots of
     * 2 KiB would all meet in two.
     */
    private static final int TINY_SLOT = 512;
    private static final int TINY_FRAME = TINY_SLOT - FrameLayout.HEADROOM;

    /**
     * Bytes of a frame that are copied, all of it or its head: the small-packet path for what is not longer. Settable
     * to measure what the path is worth; the headers have to be among them.
     */
    private static final int COPIED = Math.max(128, Math.min(FrameLayout.SMALL_FRAME,
        Integer.getInteger("ringtap.tuning.copied-bytes", FrameLayout.SMALL_FRAME)));

    /** Bytes of a frame, its net header included, that are looked at before the first frame is copied. */
    private static final int TOUCHED = Integer.getInteger("ringtap.tuning.touched-bytes", 256);

    /** Fewer frames go before the driver is notified, which is a call; with more it refills its ring while they go. */
    private static final int FEW = 8;

    private final RingEnd ring;
    private final PortQueue port;
    private final FragAllocator fragments;
    private final SlotStock tiny;
    private final SlotStock small;
    private final FrameBatch batch;
    private final FrameStages stages;
    private final BatchSize batchSize = new BatchSize();
    private final Waits waits;
    private final DirectionCounters side;
    private final CounterSet<WorkerCounter> counters;
    private final DescriptorChain[] chains = DescriptorChain.transmitBatch(BATCH);
    private final long[] tickets = new long[BATCH];
    /** What is being sent: the batch, or what the stages made of some of it. */
    private FrameBatch outgoing;
    private int taken;
    private long takenAtNs;
    private int touched;
    private boolean hasScatter;
    private long admittedBytes;
    private int scattered;
    private int headerLength = FrameLayout.NET_HEADER;
    private int allowedOffloads;

    GuestToPort(
        final RingEnd ring,
        final PortQueue port,
        final FragAllocator fragments,
        final FrameBatch batch,
        final FrameStages stages,
        final DirectionCounters side,
        final Waits waits)
    {
        this.waits = waits;
        this.ring = ring;
        this.port = port;
        this.fragments = fragments;
        tiny = new SlotStock(fragments, TINY_SLOT, BATCH);
        small = new SlotStock(fragments, FrameLayout.SMALL_SLOT, BATCH);
        this.batch = batch;
        outgoing = batch;
        this.stages = stages;
        this.side = side;
        counters = side.counters();
    }

    /** What the guest negotiated: the length of its net header and what it may send. */
    void negotiated(final int netHeaderLength, final int offloads)
    {
        headerLength = netHeaderLength;
        allowedOffloads = offloads;
    }

    /** One batch at most. */
    int doWork()
    {
        if (0 < batch.frames() || 0 < taken)
        {
            return send();
        }
        if (!ring.isStarted() || waits.mustRest() || waits.mustHoldOff() || gather() == 0)
        {
            return 0;
        }
        final int work = taken;
        counters.increment(WorkerCounter.GUEST_BATCHES);
        final int frames = batch.readyCount();
        side.batches().record(frames, 1);
        stages.begin(FrameView.FROM_GUEST, batch, takenAtNs);
        outgoing = stages.fromGuest(batch);
        batchSize.learn(work, frames, stages.guestFlows(), outgoing.readyCount());
        if (!hasScatter)
        {
            completeChains();
        }
        send();
        return work;
    }

    /** Frames wait for the port, or because of the rate limit, or the ring rests. */
    boolean isHeldBack()
    {
        return ring.isStarted() && waits.isHoldingOff() || !outgoing.isDrained() || !batch.isDrained();
    }

    /** Brings the batch in flight to an end because its ring or memory goes away: sends what can be sent at once. */
    void settle()
    {
        sendOff();
        abandon();
    }

    /**
     * As {@link #settle()}, but chains whose frames cannot be sent at once are not given back: they are in the
     * in-flight region, and whoever starts the ring again takes them again.
     *
     * @return whether there are none of them.
     */
    boolean letGo()
    {
        sendOff();
        final boolean isDrained = 0 == taken;
        giveUp();
        return isDrained;
    }

    private void sendOff()
    {
        int sent = 1;
        while (0 < sent && (0 < batch.frames() || 0 < taken))
        {
            // A batch that the stages take in parts is sent in as many calls.
            sent = send();
        }
    }

    private void abandon()
    {
        if (0 < batch.frames())
        {
            side.drop(outgoing);
            recycle();
            side.drop(batch);
            finish();
        }
    }

    /** After a failure: lets the batch go without a look at the guest's memory. */
    void giveUp()
    {
        taken = 0;
        abandon();
        stages.forget(FrameView.FROM_GUEST);
    }

    void close()
    {
        settle();
        tiny.close();
        small.close();
    }

    private int gather()
    {
        final Virtqueue queue = ring.queue();
        // What hooks send back has room for the usual batch.
        final int limit = stages.mayLengthenGuestFrames() ? BatchSize.USUAL : batchSize.limit();
        final int slots = Math.min(limit, Math.min(tiny.refill(limit), small.refill(limit)));
        if (slots == 0)
        {
            counters.increment(WorkerCounter.FRAGMENTS_EXHAUSTED);
            runShort();
            return 0;
        }
        final long beganNs = waits.beginNs();
        final int found = queue.take(chains, slots);
        if (found == Virtqueue.BROKEN)
        {
            ring.fail(queue.brokenBy().meaning());
            return 0;
        }
        takenAtNs = 0 < found ? System.nanoTime() : takenAtNs;
        touch(found);
        for (int i = 0; i < found; i++)
        {
            final DescriptorChain chain = chains[i];
            if (chain.isMalformed())
            {
                counters.increment(WorkerCounter.DROP_CHAIN);
            }
            else if (!ring.isEnabled())
            {
                counters.increment(WorkerCounter.DROP_DISABLED);
            }
            else if (!admit(chain.readable()))
            {
                queue.untake(found - i);
                break;
            }
            tickets[taken++] = chain.ticket();
        }
        final boolean isLong = queue.walked() > Virtqueue.MOST_WALKED;
        waits.took(beganNs, taken, isLong ? taken : ring.isEnabled() ? taken - batch.frames() : 0);
        count();
        if (slots < limit)
        {
            runShort();
        }
        return taken;
    }

    /** Others want fragments too. */
    private void runShort()
    {
        batchSize.shorten();
        tiny.trim(BatchSize.USUAL);
        small.trim(BatchSize.USUAL);
    }

    private void touch(final int found)
    {
        int seen = 0;
        for (int i = 0; i < found; i++)
        {
            seen += chains[i].readable().touch(TOUCHED);
        }
        touched = seen;
    }

    /** Once a batch: a counter's store makes the compiler load every field again. */
    private void count()
    {
        final int frames = batch.frames();
        counters.add(WorkerCounter.GUEST_FRAMES, frames);
        counters.add(WorkerCounter.GUEST_BYTES, admittedBytes);
        waits.went(admittedBytes);
        counters.add(WorkerCounter.SCATTER_PATH, scattered);
        counters.add(WorkerCounter.SMALL_PATH, frames - scattered);
        hasScatter = 0 < scattered;
        admittedBytes = 0;
        scattered = 0;
    }

    /**
     * Judges the chain at hand and adds its frame to the batch.
     *
     * @return false when the batch has no room for it.
     */
    private boolean admit(final GuestBuffers in)
    {
        final int length = in.length() - headerLength;
        if (length < FrameLayout.MIN_FRAME || length > FrameLayout.MAX_FRAME)
        {
            counters.increment(length < 0 ? WorkerCounter.DROP_CHAIN :
                length < FrameLayout.MIN_FRAME ? WorkerCounter.DROP_SHORT : WorkerCounter.DROP_LONG);
            return true;
        }
        final int linear = Math.min(length, COPIED);
        // a chain has fewer buffers than writev(2) takes vectors
        if (linear < length && in.count() >= batch.vectorsFree())
        {
            return false;
        }
        final SlotStock stock = length <= TINY_FRAME && !stages.mayLengthenGuestFrames() ? tiny : small;
        final int slot = stock.next();
        final int offset = slot + FrameLayout.HEADROOM;
        copyHead(in, offset, linear);
        if (VnetHeader.validate(batch.arena(), offset - FrameLayout.NET_HEADER, length, allowedOffloads) !=
            VnetFault.OK)
        {
            counters.increment(WorkerCounter.DROP_NET_HEADER);
            return true;
        }
        // Out of the stock first: an error that comes between the two loses the slot, and does not have it twice.
        stock.use();
        batch.add(slot, stock.slotLength(), offset, linear, 0);
        admittedBytes += length;
        if (linear < length)
        {
            attachRest(in, linear, length - linear);
        }
        return true;
    }

    /** The one copy; the net header comes along when it has the arena's own length. */
    private void copyHead(final GuestBuffers in, final int offset, final int linear)
    {
        final int netHeader = offset - FrameLayout.NET_HEADER;
        if (headerLength == FrameLayout.NET_HEADER)
        {
            in.copyIn(0, batch.arena(), netHeader, FrameLayout.NET_HEADER + linear);
        }
        else
        {
            in.copyIn(0, batch.arena(), netHeader, Math.min(headerLength, FrameLayout.NET_HEADER));
            in.copyIn(headerLength, batch.arena(), offset, linear);
        }
        VnetHeader.bufferCount(batch.arena(), netHeader, 0);
    }

    private void attachRest(final GuestBuffers in, final int linear, final int rest)
    {
        scattered++;
        final int count = in.fill(batch.vectors(), batch.nextVector(), headerLength + linear, rest);
        batch.claimSegments(count, rest);
    }

    private int send()
    {
        int sent = 0;
        if (outgoing.isDrained() && !batch.isDrained())
        {
            // The stages took a part of the batch; the next one counts as work even if no frame of it is left.
            recycle();
            outgoing = stages.fromGuest(batch);
            sent++;
        }
        if (!outgoing.isDrained())
        {
            sent += port.transmit(outgoing);
            port.flush();
        }
        if (outgoing.isDrained() && batch.isDrained())
        {
            stages.sent(FrameView.FROM_GUEST);
            recycle();
            finish();
        }
        else
        {
            counters.increment(WorkerCounter.PORT_HELD_BACK);
        }
        ring.notifier().tellDeferred();
        waits.stalled(0 < batch.frames());
        return sent;
    }

    private void recycle()
    {
        if (outgoing != batch)
        {
            stages.recycle(outgoing);
            outgoing = batch;
        }
    }

    private void finish()
    {
        completeChains();
        ring.notifier().tellDeferred();
        side.took(takenAtNs, System.nanoTime(), batch.frames());
        stages.done(FrameView.FROM_GUEST);
        batch.release(fragments);
        hasScatter = false;
    }

    private void completeChains()
    {
        if (0 < taken && ring.isStarted())
        {
            ring.queue().completeRead(tickets, taken);
            ring.publishFirst();
        }
        if (FEW <= taken)
        {
            ring.notifier().tellDeferred();
        }
        taken = 0;
    }
}
