package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.If;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the queues of a TAP share, whichever way they cross to the kernel: the judgement of errors, the buffers of
 * reads, the loss and the return of the device.
 */
abstract class TapQueue implements PortQueue
{
    /** The frame was refused: count it and go on with the next. */
    static final int PASS_OVER = 0;
    /** The kernel's queue is full: keep the frame. */
    static final int HOLD = 1;
    /** There is no device any more. */
    static final int LOST = 2;

    private static final Logger LOG = LoggerFactory.getLogger(TapPort.class);
    private static final int CUT_FRAMES_A_LOOK = 64;
    /** Between two looks at a device that does not tell of its end. */
    private static final int BATCHES_A_LOOK = 256;
    private static final long REVIVE_INTERVAL_NS = 1_000_000_000L;

    final CounterSet<PortCounter> counters;
    final UnsafeBuffer arena;
    final ReceiveBuffers buffers;
    private final TapPort port;
    private final int index;
    private final Fd fd;
    private final int fdNumber;
    /** Null where reads and writes tell of the device's end. */
    private final TapSentry sentry;
    private volatile ReceiveLayout nextLayout;
    private ReceiveLayout roomiest;
    private ReceiveLayout pendingLayout;
    private volatile boolean isGone;
    private boolean isDry;
    private int cutFrames;
    private int batches;
    private boolean isDetached;
    private boolean hasTriedRevival;
    private long lastRevivalNs;

    TapQueue(
        final TapPort port,
        final int index,
        final Fd fd,
        final UnsafeBuffer arena,
        final FragAllocator allocator,
        final ReceiveLayout layout)
    {
        this.port = port;
        this.index = index;
        this.fd = fd;
        this.arena = arena;
        fdNumber = fd.number();
        sentry = port.sentry(fd);
        counters = new CounterSet<>(port.name() + " queue " + index, PortCounter.class);
        nextLayout = layout;
        roomiest = layout;
        buffers = new ReceiveBuffers(arena, allocator, counters, port.batch(), layout);
    }

    @Override
    public final void release(final FrameBatch batch)
    {
        buffers.release(batch);
    }

    /** Nothing waits here after {@link #transmit}: it submits at the latest with the last frame of a batch. */
    @Override
    public final void flush()
    {
    }

    /** The descriptor is waited for by level, so nothing that came in between is missed; but a loss may be news. */
    @Override
    public boolean armReceive()
    {
        return !hasLostDevice();
    }

    @Override
    public final int waitDescriptor()
    {
        return isGone || isDetached ? -1 : null == sentry ? fdNumber : sentry.number();
    }

    @Override
    public final void attach(final boolean on)
    {
        if (port.isMultiQueue() && isDetached == on)
        {
            final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
            request.putShort(If.IFREQ_VALUE, (short)(on ? Tun.IFF_ATTACH_QUEUE : Tun.IFF_DETACH_QUEUE));
            final int result = Syscalls.ioctlResult(fdNumber, Tun.TUNSETQUEUE, request);
            if (result >= 0)
            {
                isDetached = !on;
            }
            else
            {
                // A TAP-like descriptor that cannot leave: its flows stay where they are, as without multi-queue.
                LOG.warn("{} queue {}: cannot {} ({})", port.name(), index, on ? "attach" : "detach",
                    Errno.nameOf(-result));
            }
        }
    }

    @Override
    public final boolean isGone()
    {
        return isGone;
    }

    @Override
    public final boolean revive(final long nowNs)
    {
        if (isGone && (!hasTriedRevival || nowNs - lastRevivalNs >= REVIVE_INTERVAL_NS))
        {
            final boolean isFirst = !hasTriedRevival;
            hasTriedRevival = true;
            lastRevivalNs = nowNs;
            if (port.reattach(fd, isFirst))
            {
                reopened();
                hasTriedRevival = false;
                isDetached = false;
                isGone = false;
                counters.increment(PortCounter.DEVICE_BACK);
                LOG.info("{} queue {}: the interface is there again", port.name(), index);
            }
        }
        return !isGone;
    }

    @Override
    public final CounterSet<PortCounter> counters()
    {
        return counters;
    }

    @Override
    public void close()
    {
        buffers.close();
        if (null != sentry)
        {
            sentry.close();
        }
        fd.close();
    }

    /** On the worker: the descriptor leads to a device again, perhaps as another open file. */
    void reopened()
    {
        if (null != sentry)
        {
            sentry.watch(port.linkIndex());
        }
    }

    /** @return whether a loss that reads and writes do not tell of was found just now. */
    final boolean hasLostDevice()
    {
        if (null == sentry || isGone || !sentry.isDeviceLost())
        {
            return false;
        }
        lost();
        return true;
    }

    final Fd fd()
    {
        return fd;
    }

    final int fdNumber()
    {
        return fdNumber;
    }

    /** Frames that come from now on may be of this shape; any thread. Taken up by the worker with a later receive. */
    final synchronized void layout(final ReceiveLayout next)
    {
        roomiest = next.covers(roomiest) ? next : roomiest;
        nextLayout = next;
    }

    /** @return how many frames to read; 0 for none. */
    final int prepareReceive(final FrameBatch batch, final int limit)
    {
        if (nextLayout != buffers.layout())
        {
            takeUpLayout();
        }
        return isGone || isDetached ? 0 : buffers.room(batch, limit);
    }

    /**
     * More room is made at once. Less waits until the host's queue was seen empty after the change: what lies in it now
     * may be as big as before, also when the worker slept through the time that it was allowed.
     */
    private synchronized void takeUpLayout()
    {
        if (roomiest.covers(buffers.layout()))
        {
            buffers.layout(roomiest);
        }
        if (isDry && nextLayout == pendingLayout)
        {
            buffers.layout(nextLayout);
            roomiest = nextLayout;
        }
        pendingLayout = nextLayout;
        isDry = false;
    }

    /** Appends what read j brought. */
    final void accept(final FrameBatch batch, final int j, final int bytes)
    {
        if (!buffers.accept(batch, j, bytes) && 0 == (cutFrames++ & CUT_FRAMES_A_LOOK - 1))
        {
            port.refresh();
        }
    }

    /** Closes a round of reads. @return frames appended. */
    final int received(final FrameBatch batch, final int before)
    {
        final int after = batch.frames();
        if (after > before)
        {
            buffers.settle();
            long bytes = 0;
            for (int i = before; i < after; i++)
            {
                bytes += batch.length(i);
            }
            counters.add(PortCounter.RX_FRAMES, after - before);
            counters.add(PortCounter.RX_BYTES, bytes);
        }
        return after - before;
    }

    final void readFailed(final int result)
    {
        switch (-result)
        {
            case Errno.EAGAIN:
                isDry = true;
                break;
            case Errno.EBADFD:
                lost();
                break;
            default:
                counters.increment(PortCounter.RX_FAILED);
                break;
        }
    }

    final boolean isDry()
    {
        return isDry;
    }

    final void dry(final boolean on)
    {
        isDry = on;
    }

    /** Whether a frame is of a length that may be sent; counted when it is not. */
    final boolean isSendable(final FrameBatch batch, final int i)
    {
        // A hook may have cut the frame down to anything.
        if (batch.linearLength(i) < FrameLayout.MIN_FRAME)
        {
            counters.increment(PortCounter.TX_RUNT);
            return false;
        }
        if (batch.length(i) > FrameLayout.MAX_FRAME)
        {
            counters.increment(PortCounter.TX_TOO_LONG);
            return false;
        }
        return true;
    }

    /** Puts the linear part with its net header before the frame's segments. @return index of the first vector. */
    final int vectors(final FrameBatch batch, final int i)
    {
        final int run = batch.run(i);
        batch.vectors().set(
            run, arena.addressOffset() + batch.netHeader(i), FrameLayout.NET_HEADER + batch.linearLength(i));
        return run;
    }

    /** Writes one frame. @return false when the kernel did not take it and it has to be kept. */
    final boolean writeOne(final FrameBatch batch, final int i)
    {
        if (!isSendable(batch, i))
        {
            return true;
        }
        final int segments = batch.segments(i);
        final int result = 0 == segments ?
            Syscalls.write(
                fdNumber, arena, batch.netHeader(i), FrameLayout.NET_HEADER + batch.linearLength(i)) :
            Syscalls.writev(fdNumber, batch.vectors(), vectors(batch, i), segments + 1);
        counters.increment(PortCounter.TX_CALLS);
        if (result >= 0)
        {
            counters.increment(PortCounter.TX_FRAMES);
            counters.add(PortCounter.TX_PACKETS, batch.packets(i));
            counters.add(PortCounter.TX_BYTES, batch.length(i));
            return true;
        }
        return PASS_OVER == judge(-result);
    }

    /** Counts why the kernel did not take a frame. @return one of {@link #PASS_OVER}, {@link #HOLD}, {@link #LOST}. */
    final int judge(final int errno)
    {
        switch (errno)
        {
            case Errno.EAGAIN:
                counters.increment(PortCounter.TX_HELD_BACK);
                return HOLD;
            case Errno.EBADFD:
                if (isDetached)
                {
                    counters.increment(PortCounter.TX_FAILED);
                    return PASS_OVER;
                }
                lost();
                return LOST;
            case Errno.EINVAL:
                counters.increment(PortCounter.TX_REJECTED);
                return PASS_OVER;
            case Errno.EIO:
                counters.increment(PortCounter.TX_LINK_DOWN);
                return PASS_OVER;
            case Errno.EFAULT:
                counters.increment(PortCounter.TX_FAULT);
                return PASS_OVER;
            case Errno.ENOBUFS:
            case Errno.ENOMEM:
                counters.increment(PortCounter.TX_NO_MEMORY);
                return PASS_OVER;
            default:
                counters.increment(PortCounter.TX_FAILED);
                return PASS_OVER;
        }
    }

    /** Counts the frames from the k-th on as lost with the device. @return the end of the ready list. */
    final int abandon(final FrameBatch batch, final int k)
    {
        counters.add(PortCounter.TX_GONE, batch.readyCount() - k);
        return batch.readyCount();
    }

    final int sent(final FrameBatch batch, final int k)
    {
        final int taken = k - batch.sent();
        batch.sent(k);
        if (null != sentry && 0 == (++batches & BATCHES_A_LOOK - 1))
        {
            hasLostDevice();
        }
        return taken;
    }

    private void lost()
    {
        if (!isGone)
        {
            isGone = true;
            counters.increment(PortCounter.DEVICE_GONE);
            LOG.warn("{} queue {}: the interface was deleted; its traffic is lost until it can be opened again",
                port.name(), index);
        }
    }
}
