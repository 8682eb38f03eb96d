package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.VnetHeader;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Poll;
import io.ringtap.sys.SyscallException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving half of a queue: frames are copied from the ring into fragments, super-frames read from the socket.
 * Its ring exists while the queue takes part in the port's traffic. Used by the queue's worker.
 */
final class PacketReceiver implements AutoCloseable
{
    private static final int LONG_FRAMES_A_LOOK = 64;

    private final PacketRingPort port;
    private final CounterSet<PortCounter> counters;
    private final UnsafeBuffer arena;
    private final ReceiveBuffers buffers;
    /** What the worker waits for: it stays while sockets come and go. */
    private final Epoll watch = Epoll.create(1);
    private ReceiveRing ring;
    private int longFrames;
    private boolean wasIdle;
    private boolean hasFailed;

    PacketReceiver(
        final PacketRingPort port,
        final CounterSet<PortCounter> counters,
        final UnsafeBuffer arena,
        final FragAllocator allocator)
    {
        this.port = port;
        this.counters = counters;
        this.arena = arena;
        buffers = new ReceiveBuffers(arena, allocator, counters, port.options().batch(), port.receiveLayout());
    }

    void open(final int index)
    {
        ring = port.receiveRing(index);
        watch.add(ring.descriptor(), Poll.IN, 0);
    }

    /** Leaves the traffic, or what was left of an interface. */
    void shut()
    {
        if (null != ring)
        {
            countDrops();
            watch.remove(ring.descriptor());
            ring.close();
            ring = null;
        }
    }

    int receive(final FrameBatch batch, final int limit)
    {
        if (null == ring || !ring.isReady())
        {
            return 0;
        }
        if (ring.isLosing())
        {
            countDrops();
        }
        takeUpLayout();
        final int room = buffers.room(batch, limit);
        final int offered = room > 0 ? buffers.offer(room) : 0;
        final int before = batch.frames();
        // Frames that are not appended cost a turn, so that a ring full of them does not hold the worker.
        for (int j = 0; j < offered && ring.isReady(); j++)
        {
            if (!ring.isOutgoing())
            {
                take(batch, j);
            }
            ring.advance();
        }
        return settle(batch, before);
    }

    void release(final FrameBatch batch)
    {
        buffers.release(batch);
    }

    /** @return false when there are frames already. */
    boolean arm()
    {
        if (null == ring)
        {
            return true;
        }
        if (ring.isReady())
        {
            return false;
        }
        if (wasIdle && Errno.ENETDOWN == ring.error())
        {
            // Nothing came since the last sleep, so this may be what ended it: an error wakes until it is fetched.
            hasFailed = true;
        }
        wasIdle = true;
        return true;
    }

    /** @return whether the interface went down or away since this was asked for the last time. */
    boolean takeFailure()
    {
        final boolean failed = hasFailed;
        hasFailed = false;
        return failed;
    }

    int descriptor()
    {
        return null == ring ? -1 : watch.number();
    }

    @Override
    public void close()
    {
        shut();
        watch.close();
        buffers.close();
    }

    private void take(final FrameBatch batch, final int j)
    {
        if (ring.isCut())
        {
            counters.increment(PortCounter.RX_TRUNCATED);
            lookAtMtu();
            return;
        }
        final int room = buffers.layout().readLength();
        int bytes = ring.isInSocket() ? ring.read(buffers, arena, j) : ring.copyTo(arena, buffers.readOffset(j), room);
        counters.add(PortCounter.RX_CALLS, ring.isInSocket() ? 1 : 0);
        if (bytes < 0)
        {
            counters.increment(PortCounter.RX_FAILED);
            return;
        }
        // A slot may be longer than a fragment after the MTU was lowered; nothing was copied then.
        bytes = !ring.isInSocket() && bytes > room ? buffers.layout().capacity() : bytes;
        final int before = batch.frames();
        if (!buffers.accept(batch, j, bytes))
        {
            lookAtMtu();
        }
        else if (batch.frames() > before)
        {
            if (ring.isInSocket() && VnetHeader.GSO_NONE == VnetHeader.gsoType(arena, batch.netHeader(before)))
            {
                lookAtMtu();
            }
            if (0 != ring.vlanTag())
            {
                VlanTag.insert(batch, before, ring.vlanTag());
            }
        }
    }

    /** A frame that was too long without being a super-frame: perhaps an administrator raised the MTU. */
    private void lookAtMtu()
    {
        if (0 == (longFrames++ & LONG_FRAMES_A_LOOK - 1))
        {
            port.refresh();
        }
    }

    private int settle(final FrameBatch batch, final int before)
    {
        final int after = batch.frames();
        if (after > before)
        {
            wasIdle = false;
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

    private void takeUpLayout()
    {
        final ReceiveLayout next = port.receiveLayout();
        if (next != buffers.layout())
        {
            buffers.layout(next);
        }
    }

    private void countDrops()
    {
        try
        {
            counters.add(PortCounter.RX_DROPPED, ring.dropped());
        }
        catch (final SyscallException e)
        {
            counters.increment(PortCounter.RX_FAILED);
        }
    }
}
