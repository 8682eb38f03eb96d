package io.ringtap.capture;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The way of one worker's frames to the recorder: blocks in a ring, written by the worker as they will stand in the
 * file.
 * <p>
 * A frame is copied as it arrived, before any hook sees it, and handed over with the verdict when that is known:
 * {@link #add}, {@link #verdict} where it is not PASS, {@link #commit}.
 */
public final class CaptureQueue
{
    /** 8 MiB: some 60,000 small frames, or eight milliseconds of a fast guest. */
    static final int CAPACITY = 8 << 20;

    private static final int NONE = CaptureRing.FULL;
    /** Up to this length a loop is faster than the copy of whole regions. */
    private static final int SHORT = 128;
    /** How long the clock may go by the monotonic one, before it is held against the time of day again. */
    private static final long SAMPLE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int queue;
    private final int snapLength;
    private final int directions;
    private final int passed;
    private final CaptureRing ring =
        new CaptureRing(CAPACITY, PacketBlockLayout.blockLength(CaptureOptions.MAX_SNAP_LENGTH));
    private final OffsetEpochNanoClock clock = new OffsetEpochNanoClock();
    private final CounterSet<CaptureCounter> counters;
    /** By frame of the batch at hand: where its block lies in the ring. */
    private int[] claims = new int[0];
    private int open;
    private long lastNs = clock.nanoTime();
    private long sampledNs = lastNs;

    /**
     * @param queue  the worker's queue pair.
     * @param passed the number of the verdict that lets a frame through.
     */
    public CaptureQueue(final int queue, final CaptureOptions options, final int passed)
    {
        this.queue = queue;
        snapLength = options.handedLength();
        directions = options.directions();
        this.passed = passed;
        counters = new CounterSet<>("capture-" + queue, CaptureCounter.class);
    }

    /** Written by the worker. */
    public CounterSet<CaptureCounter> counters()
    {
        return counters;
    }

    /**
     * Worker: copies the frames of the batch's ready list that may be recorded.
     *
     * @param direction 0 from the guest, 1 to it.
     */
    public void add(final FrameBatch batch, final int direction)
    {
        commit();
        if ((directions >> direction & 1) == 0)
        {
            return;
        }
        if (claims.length < batch.capacity())
        {
            claims = new int[batch.capacity()];
        }
        Arrays.fill(claims, 0, batch.frames(), NONE);
        open = batch.frames();
        final long timeNs = timeNs();
        final UnsafeBuffer to = ring.buffer();
        int missed = 0;
        final int first = batch.sent();
        final int end = batch.readyCount();
        for (int k = first; k < end; k++)
        {
            final int i = batch.ready(k);
            final int length = batch.length(i);
            final int captured = Math.min(length, snapLength);
            final int at = ring.claim(PacketBlockLayout.blockLength(captured));
            if (at < 0)
            {
                missed++;
            }
            else
            {
                claims[i] = at;
                PacketBlockLayout.write(to, at, captured, length, timeNs, direction, queue, passed);
                copy(batch, i, captured, at + PacketBlockLayout.FRAME);
            }
        }
        counters.add(CaptureCounter.CAPTURED, end - first - missed);
        counters.add(CaptureCounter.MISSED, missed);
    }

    /** Worker: what was decided of frame {@code i}. */
    public void verdict(final int i, final int verdict)
    {
        if (i < open && claims[i] >= 0)
        {
            PacketBlockLayout.verdict(ring.buffer(), claims[i], verdict);
        }
    }

    /** Worker: the recorder may have what was added. */
    public void commit()
    {
        if (open > 0)
        {
            ring.publish();
            open = 0;
        }
    }

    /** Read by the recorder. */
    CaptureRing ring()
    {
        return ring;
    }

    private void copy(final FrameBatch batch, final int i, final int captured, final int to)
    {
        final int linear = Math.min(captured, batch.linearLength(i));
        if (Long.BYTES <= linear && linear <= SHORT)
        {
            copyShort(batch.arena(), batch.offset(i), ring.buffer(), to, linear);
        }
        else
        {
            ring.buffer().putBytes(to, batch.arena(), batch.offset(i), linear);
        }
        if (linear < captured)
        {
            batch.vectors().copyTo(batch.run(i) + 1, batch.segments(i), 0, captured - linear,
                ring.buffer(), to + linear);
        }
    }

    /** Eight bytes at a time, the last eight over some of those before them. */
    private static void copyShort(
        final UnsafeBuffer from, final int offset, final UnsafeBuffer to, final int at, final int length)
    {
        final int last = length - Long.BYTES;
        for (int k = 0; k < last; k += Long.BYTES)
        {
            to.putLong(at + k, from.getLong(offset + k));
        }
        to.putLong(at + last, from.getLong(offset + last));
    }

    /** Of the batch; follows the time of day, but never back. */
    private long timeNs()
    {
        long timeNs = clock.nanoTime();
        if (timeNs - sampledNs > SAMPLE_NS)
        {
            clock.sample();
            timeNs = clock.nanoTime();
            sampledNs = timeNs;
        }
        lastNs = Math.max(lastNs, timeNs);
        return lastNs;
    }
}
