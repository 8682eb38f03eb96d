package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.EventFd;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The guest's transmit half of a queue pair. Frames lie one behind the other in a part of guest memory that is used as
 * a ring of bytes, and are freed in the order they were sent, whatever the order the device returns them in.
 */
final class TransmitQueue implements FrameWriter
{
    private static final int CACHE_LINE = 64;

    private final DriverRing ring;
    private final EventFd kick;
    private final UnsafeBuffer buffer;
    private final ChainWriter writer;
    private final CounterSet<GuestCounter> counters;
    private final int headerLength;
    private final int frameOffset;
    private final int maxFrame;
    private final int start;
    private final int capacity;
    /** Of each frame in the order of sending, by its number: where its bytes end, and whether it came back. */
    private final long[] endOf;
    private final boolean[] isUsed;
    private final int orderMask;
    /** Number of the frame that has this chain. */
    private final long[] numberOf;
    private final int chains;
    private long orderHead;
    private long orderTail;
    private long head;
    private long tail;
    private int table;
    private long claimedEnd;
    private int claimedAt;
    private int claimedLength;
    private int stagedFrames;
    private long stagedBytes;

    TransmitQueue(
        final FrontendRing frontendRing,
        final FrontendMemory memory,
        final GuestLayout layout,
        final CounterSet<GuestCounter> counters)
    {
        ring = frontendRing.ring();
        kick = frontendRing.kick();
        buffer = memory.buffer();
        this.counters = counters;
        final int at = frontendRing.offsetOf(ring.descriptorAddress());
        writer = new ChainWriter(ring, memory, layout, at, false);
        headerLength = layout.headerLength();
        frameOffset = layout.frameOffset();
        capacity = layout.transmitBytes();
        maxFrame = Math.min(GuestLayout.MAX_FRAME, capacity / 2 - 2 * CACHE_LINE);
        start = memory.allocate(capacity, CACHE_LINE);
        chains = layout.chains();
        final int order = BitUtil.findNextPositivePowerOfTwo(ring.size());
        orderMask = order - 1;
        endOf = new long[order];
        isUsed = new boolean[order];
        numberOf = new long[ring.size()];
        ring.disarm();
    }

    @Override
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int headerLength()
    {
        return headerLength;
    }

    @Override
    public int maxFrame()
    {
        return maxFrame;
    }

    @Override
    public int claim(final int length)
    {
        if (length > maxFrame || length < 0)
        {
            throw new IllegalArgumentException("frame of " + length + " bytes, limit is " + maxFrame);
        }
        final int room = frameOffset + length + CACHE_LINE - 1 & -CACHE_LINE;
        if (!tryClaim(room) && (0 == reclaim() || !tryClaim(room)))
        {
            counters.increment(GuestCounter.SEND_FULL);
            return FULL;
        }
        claimedLength = length;
        final int frame = claimedAt + frameOffset;
        buffer.putLong(frame - headerLength, 0);
        buffer.putInt(frame - Integer.BYTES, 0);
        if (headerLength > NetHeader.LENGTH)
        {
            buffer.putLong(frame - NetHeader.LENGTH, 0);
        }
        return frame;
    }

    @Override
    public void commit()
    {
        final int id = writer.add(claimedAt + frameOffset - headerLength, headerLength + claimedLength, table);
        final int at = (int)orderHead & orderMask;
        numberOf[id] = orderHead++;
        endOf[at] = claimedEnd;
        isUsed[at] = false;
        head = claimedEnd;
        if (++table == chains)
        {
            table = 0;
        }
        stagedFrames++;
        stagedBytes += claimedLength;
    }

    @Override
    public void flush()
    {
        if (0 == stagedFrames)
        {
            return;
        }
        final boolean wantsKick = ring.publish();
        counters.add(GuestCounter.SENT_FRAMES, stagedFrames);
        counters.add(GuestCounter.SENT_BYTES, stagedBytes);
        stagedFrames = 0;
        stagedBytes = 0;
        if (wantsKick && null != kick)
        {
            counters.increment(GuestCounter.KICKS);
            kick.signal();
        }
    }

    /**
     * Takes back what the device has used.
     *
     * @return chains.
     */
    int reclaim()
    {
        int count = 0;
        for (int id = ring.poll(); DriverRing.NONE != id; id = ring.poll())
        {
            isUsed[(int)numberOf[id] & orderMask] = true;
            count++;
        }
        if (count > 0)
        {
            free();
            counters.add(GuestCounter.RETURNED_FRAMES, count);
            ring.disarm();
        }
        return count;
    }

    /** Frames in the device's hands or staged. */
    int inFlight()
    {
        return (int)(orderHead - orderTail);
    }

    /** Asks for a call when there is room again; true when there is. */
    boolean arm()
    {
        return ring.armLater();
    }

    void disarm()
    {
        ring.disarm();
    }

    private void free()
    {
        while (orderTail < orderHead && isUsed[(int)orderTail & orderMask])
        {
            tail = endOf[(int)orderTail++ & orderMask];
        }
    }

    private boolean tryClaim(final int room)
    {
        if (!writer.hasRoom() || orderHead - orderTail >= chains)
        {
            return false;
        }
        final int at = (int)head & capacity - 1;
        // A frame lies in one piece: the rest of the lap is left empty when it does not fit.
        final long from = at + room <= capacity ? head : head + capacity - at;
        if (from + room - tail > capacity)
        {
            return false;
        }
        claimedAt = start + ((int)from & capacity - 1);
        claimedEnd = from + room;
        return true;
    }
}
