package io.ringtap.capture;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.util.Arrays;

/**
 * The way of one worker's frames to the recorder: a ring in memory, written by the worker and read by the recorder.
 * <p>
 * A frame is copied as it arrived, before any hook sees it, and committed with the verdict when that is known:
 * {@link #add}, {@link #verdict} where it is not PASS, {@link #commit}.
 */
public final class CaptureQueue
{
    /** 4 MiB: some 40,000 small frames, or ten milliseconds of a fast guest. */
    static final int CAPACITY = 4 << 20;

    private static final int RECORD = 1;
    private static final int NONE = -1;

    private final int queue;
    private final int snapLength;
    private final int directions;
    private final byte passed;
    private final OneToOneRingBuffer ring;
    private final OffsetEpochNanoClock clock = new OffsetEpochNanoClock();
    private final CounterSet<CaptureCounter> counters;
    /** By frame of the batch at hand: where its record lies in the ring. */
    private int[] claims = new int[0];
    private int open;

    /**
     * @param queue  the worker's queue pair.
     * @param passed the number of the verdict that lets a frame through.
     */
    public CaptureQueue(final int queue, final CaptureOptions options, final int passed)
    {
        this.queue = queue;
        snapLength = options.handedLength();
        directions = options.directions();
        this.passed = (byte)passed;
        ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
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
        final long time = clock.nanoTime();
        int captured = 0;
        int missed = 0;
        for (int k = batch.sent(), n = batch.readyCount(); k < n; k++)
        {
            final int i = batch.ready(k);
            final int length = Math.min(batch.length(i), snapLength);
            final int at = ring.tryClaim(RECORD, CaptureLayout.FRAME + length);
            if (at < 0)
            {
                missed++;
            }
            else
            {
                captured++;
                claims[i] = at;
                write(batch, i, at, length, time, direction);
            }
        }
        counters.add(CaptureCounter.CAPTURED, captured);
        counters.add(CaptureCounter.MISSED, missed);
    }

    /** Worker: what was decided of frame {@code i}. */
    public void verdict(final int i, final int verdict)
    {
        if (i < open && claims[i] >= 0)
        {
            ring.buffer().putByte(claims[i] + CaptureLayout.VERDICT, (byte)verdict);
        }
    }

    /** Worker: the recorder may have what was added. */
    public void commit()
    {
        for (int i = 0; i < open; i++)
        {
            if (claims[i] >= 0)
            {
                ring.commit(claims[i]);
            }
        }
        open = 0;
    }

    /**
     * Recorder: takes what was committed.
     *
     * @param handler gets the ring's memory, and where a record lies in it.
     * @return records taken.
     */
    int drain(final MessageHandler handler, final int limit)
    {
        return ring.read(handler, limit);
    }

    private void write(
        final FrameBatch batch, final int i, final int at, final int length, final long time, final int direction)
    {
        final MutableDirectBuffer to = ring.buffer();
        to.putLong(at + CaptureLayout.TIME, time);
        to.putInt(at + CaptureLayout.LENGTH, batch.length(i));
        to.putShort(at + CaptureLayout.QUEUE, (short)queue);
        to.putByte(at + CaptureLayout.DIRECTION, (byte)direction);
        to.putByte(at + CaptureLayout.VERDICT, passed);
        final int linear = Math.min(length, batch.linearLength(i));
        to.putBytes(at + CaptureLayout.FRAME, batch.arena(), batch.offset(i), linear);
        if (linear < length)
        {
            batch.vectors().copyTo(batch.run(i) + 1, batch.segments(i), 0, length - linear,
                to, at + CaptureLayout.FRAME + linear);
        }
    }
}
