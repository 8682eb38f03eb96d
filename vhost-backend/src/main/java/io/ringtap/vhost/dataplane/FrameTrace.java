package io.ringtap.vhost.dataplane;

import io.ringtap.capture.PacketFilter;
import io.ringtap.flow.FrameBatch;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Follows single frames of one worker and notes when each step of their way was done: one of so many, or of those that
 * a filter fits. The worker writes a record when a frame has arrived; whoever wants to know drains them. Records that
 * find no room are counted.
 * <pre>
 *   0 time of TAKEN, milliseconds since 1970       8 + 8 k   nanoseconds from TAKEN to step k, -1 when it had none
 *  56 length of the frame   60 packets   64 fate   68 direction   72 bytes of the frame that follow   76 frame
 * </pre>
 */
public final class FrameTrace
{
    /** Steps of a frame, in this order; a frame to the guest is admitted as it is read. */
    public enum Step
    {
        TAKEN,
        ADMITTED,
        JUDGED,
        SORTED,
        SENT,
        DONE
    }

    /** What became of a frame. */
    public enum Fate
    {
        /** It went on by itself. */
        PASSED,
        /** A hook dropped it, sent it back or redirected it. */
        STOPPED,
        /** Hooks had to see it cut or whole, so it went on as other frames. */
        RECUT,
        /** It went on inside the super-frame of another. */
        MERGED
    }

    public static final int TIME = 0;
    public static final int STEPS = 8;
    public static final int LENGTH = 56;
    public static final int PACKETS = 60;
    public static final int FATE = 64;
    public static final int DIRECTION = 68;
    public static final int HEAD_LENGTH = 72;
    public static final int HEAD = 76;
    /** Bytes of a frame in its record: enough for the ports behind IPv6. */
    public static final int MAX_HEAD = 64;
    public static final int NO_STEP = -1;

    private static final int CAPACITY = 64 * 1024;
    private static final int RECORD = 1;
    private static final Step[] ALL = Step.values();

    /** A frame that is followed at the moment. */
    private static final class Way
    {
        private final long[] steps = new long[ALL.length];
        private final UnsafeBuffer head = new UnsafeBuffer(new byte[MAX_HEAD]);
        private boolean isFollowed;
        private boolean isJudged;
        private int index;
        private int headLength;
        private int length;
        private int packets;
        private Fate fate;
        private long seen;
    }

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
        CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
    private final Way[] ways = {new Way(), new Way()};
    private final int directions;
    private final long every;
    private final PacketFilter filter;
    /** Volatile for its readers only: the worker alone writes it, and nothing hangs on the order. */
    private volatile long missed;

    /**
     * @param directions bits 1 for frames from the guest, 2 for those to it.
     * @param every      one of so many.
     * @param filter     of those that it fits; null for all.
     */
    public FrameTrace(final int directions, final long every, final PacketFilter filter)
    {
        this.directions = directions;
        this.every = every;
        this.filter = filter;
    }

    /** Any one thread: takes what is there. */
    public int drain(final MessageHandler handler, final int limit)
    {
        return ring.read(handler, limit);
    }

    /** Frames that were followed and found no room. */
    public long missed()
    {
        return missed;
    }

    /** A batch is there: is one of its frames to be followed? */
    void begin(final int direction, final FrameBatch batch, final long takenNs)
    {
        final Way way = ways[direction];
        way.isFollowed = false;
        if (0 == (directions >> direction & 1))
        {
            return;
        }
        for (int k = batch.sent(); k < batch.readyCount() && !way.isFollowed; k++)
        {
            final int i = batch.ready(k);
            if ((null == filter || 0 != filter.run(
                batch.arena(), batch.offset(i), batch.linearLength(i), batch.length(i))) && every <= ++way.seen)
            {
                way.seen = 0;
                follow(way, batch, i, takenNs);
            }
        }
    }

    private static void follow(final Way way, final FrameBatch batch, final int i, final long takenNs)
    {
        way.isFollowed = true;
        way.isJudged = false;
        way.index = i;
        way.fate = Fate.PASSED;
        way.length = batch.length(i);
        way.packets = batch.packets(i);
        way.headLength = Math.min(MAX_HEAD, batch.linearLength(i));
        way.head.putBytes(0, batch.arena(), batch.offset(i), way.headLength);
        for (int k = 0; k < ALL.length; k++)
        {
            way.steps[k] = 0;
        }
        way.steps[Step.TAKEN.ordinal()] = takenNs;
        way.steps[Step.ADMITTED.ordinal()] = System.nanoTime();
    }

    /** Hooks have judged; the frames that go on are in {@code judged}. */
    void judged(final int direction, final FrameBatch batch, final FrameBatch judged)
    {
        final Way way = ways[direction];
        if (way.isFollowed && !way.isJudged)
        {
            way.isJudged = true;
            mark(way, Step.JUDGED);
            way.fate = batch != judged ? Fate.RECUT : isThere(judged, way.index) ? Fate.PASSED : Fate.STOPPED;
        }
    }

    /** Frames were sorted and merged. */
    void sorted(final int direction, final FrameBatch judged)
    {
        final Way way = ways[direction];
        if (way.isFollowed && 0 == way.steps[Step.SORTED.ordinal()])
        {
            mark(way, Step.SORTED);
            if (Fate.PASSED == way.fate)
            {
                final boolean isThere = isThere(judged, way.index);
                way.fate = isThere ? Fate.PASSED : Fate.MERGED;
                way.packets = isThere ? judged.packets(way.index) : way.packets;
            }
        }
    }

    /** The other side has taken the batch. */
    void sent(final int direction)
    {
        final Way way = ways[direction];
        if (way.isFollowed && 0 == way.steps[Step.SENT.ordinal()])
        {
            mark(way, Step.SENT);
        }
    }

    /** The batch is done with: its chains are back with the guest, or published. */
    void done(final int direction)
    {
        final Way way = ways[direction];
        if (way.isFollowed)
        {
            mark(way, Step.DONE);
            way.isFollowed = false;
            write(way, direction);
        }
    }

    private static void mark(final Way way, final Step step)
    {
        way.steps[step.ordinal()] = System.nanoTime();
    }

    private static boolean isThere(final FrameBatch batch, final int index)
    {
        for (int k = batch.sent(); k < batch.readyCount(); k++)
        {
            if (batch.ready(k) == index)
            {
                return true;
            }
        }
        return false;
    }

    private void write(final Way way, final int direction)
    {
        final int at = ring.tryClaim(RECORD, HEAD + way.headLength);
        if (at < 0)
        {
            missed++;
            return;
        }
        final var to = ring.buffer();
        final long taken = way.steps[0];
        to.putLong(at + TIME, System.currentTimeMillis() -
            (way.steps[Step.DONE.ordinal()] - taken) / 1_000_000);
        for (int k = 0; k < ALL.length; k++)
        {
            to.putLong(at + STEPS + k * Long.BYTES, 0 == way.steps[k] ? NO_STEP : way.steps[k] - taken);
        }
        to.putInt(at + LENGTH, way.length);
        to.putInt(at + PACKETS, way.packets);
        to.putInt(at + FATE, way.fate.ordinal());
        to.putInt(at + DIRECTION, direction);
        to.putInt(at + HEAD_LENGTH, way.headLength);
        to.putBytes(at + HEAD, way.head, 0, way.headLength);
        ring.commit(at);
    }
}
