package io.ringtap.flow;

import io.ringtap.sys.IoVectors;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded batch of frames as parallel arrays over one arena: what walks through hooks, sorter, coalescer and port.
 * <p>
 * A frame has a linear part in its slot of the arena (see {@link FrameLayout}) and, when it is longer, segments: a run
 * of {@link IoVectors} entries. Entry 0 of the run is reserved for the linear part, so that a port can hand the run to
 * writev(2) as it stands. {@code token} is what the frame's owner needs to finish it (a ring head); stages do not
 * touch it. Frames stay where they were added; stages that drop, reorder or merge rewrite the <i>ready list</i>: the
 * indexes of the frames to send, in order. A merged frame leaves the ready list and keeps its slot until the batch is
 * cleared by its owner, who releases every slot. Owned by one thread.
 */
public final class FrameBatch
{
    /** A frame without a slot of its own in the arena: nothing to release. */
    public static final int NO_SLOT = -1;

    /** Returned instead of an index when there is no room. */
    public static final int FULL = -1;

    private final UnsafeBuffer arena;
    private final int capacity;
    private final IoVectors vectors;
    private final int[] slot;
    private final int[] slotEnd;
    private final int[] offset;
    private final int[] linear;
    private final int[] length;
    private final int[] run;
    private final int[] segments;
    private final int[] count;
    private final long[] token;
    private final int[] ready;
    private int frames;
    private int vectorsUsed;
    private int readyCount;
    private int sent;

    /**
     * @param arena          every slot lies in it.
     * @param capacity       most frames.
     * @param vectorCapacity most vectors, one a frame included.
     */
    public FrameBatch(final UnsafeBuffer arena, final int capacity, final int vectorCapacity)
    {
        this.arena = arena;
        this.capacity = capacity;
        vectors = new IoVectors(vectorCapacity);
        slot = new int[capacity];
        slotEnd = new int[capacity];
        offset = new int[capacity];
        linear = new int[capacity];
        length = new int[capacity];
        run = new int[capacity];
        segments = new int[capacity];
        count = new int[capacity];
        token = new long[capacity];
        ready = new int[capacity];
    }

    public UnsafeBuffer arena()
    {
        return arena;
    }

    public IoVectors vectors()
    {
        return vectors;
    }

    public int capacity()
    {
        return capacity;
    }

    public int frames()
    {
        return frames;
    }

    public boolean isFull()
    {
        return frames == capacity;
    }

    /** Forgets every frame; the caller has released the slots. */
    public void clear()
    {
        frames = 0;
        vectorsUsed = 0;
        readyCount = 0;
        sent = 0;
    }

    /**
     * Adds a frame at the end of the batch and of the ready list.
     *
     * @param slotOffset where the slot begins in the arena; {@link #NO_SLOT} when there is none to release.
     * @param slotLength bytes of the slot.
     * @param dataOffset where the Ethernet header begins in the arena; the net header lies 12 bytes before.
     * @param dataLength bytes of the frame in the slot.
     * @param ownerToken returned by {@link #token(int)}.
     * @return the frame's index or {@link #FULL}.
     */
    public int add(
        final int slotOffset, final int slotLength, final int dataOffset, final int dataLength, final long ownerToken)
    {
        if (frames == capacity || vectorsUsed == vectors.capacity())
        {
            return FULL;
        }
        final int i = frames++;
        slot[i] = slotOffset;
        slotEnd[i] = slotOffset + slotLength;
        offset[i] = dataOffset;
        linear[i] = dataLength;
        length[i] = dataLength;
        run[i] = vectorsUsed++;
        segments[i] = 0;
        count[i] = 1;
        token[i] = ownerToken;
        ready[readyCount++] = i;
        return i;
    }

    /** Vectors still free for segments. */
    public int vectorsFree()
    {
        return vectors.capacity() - vectorsUsed;
    }

    /** Index of the vector that {@link #claimSegments} will claim first. */
    public int nextVector()
    {
        return vectorsUsed;
    }

    /**
     * Claims the next {@code n} vectors for segments of the frame added last; the caller then fills them.
     *
     * @return index of the first in {@link #vectors()} or {@link #FULL}.
     */
    public int claimSegments(final int n, final int bytes)
    {
        if (n > vectorsFree())
        {
            return FULL;
        }
        final int i = frames - 1;
        final int first = vectorsUsed;
        vectorsUsed += n;
        segments[i] += n;
        length[i] += bytes;
        return first;
    }

    /**
     * Gives a frame anywhere in the batch a new run (entry 0 for the linear part) with {@code n} segments, as the
     * coalescer does for the head of a super-frame; its old segments, if any, must be copied into it by the caller.
     *
     * @return index of the first segment in {@link #vectors()} or {@link #FULL}.
     */
    public int rerun(final int i, final int n, final int totalLength)
    {
        if (n + 1 > vectorsFree())
        {
            return FULL;
        }
        run[i] = vectorsUsed;
        segments[i] = n;
        length[i] = totalLength;
        vectorsUsed += n + 1;
        return run[i] + 1;
    }

    public int slot(final int i)
    {
        return slot[i];
    }

    public int slotEnd(final int i)
    {
        return slotEnd[i];
    }

    /** Arena offset of the frame's Ethernet header. */
    public int offset(final int i)
    {
        return offset[i];
    }

    /** Arena offset of the frame's net header. */
    public int netHeader(final int i)
    {
        return offset[i] - FrameLayout.NET_HEADER;
    }

    /** Bytes of the frame that lie in its slot. */
    public int linearLength(final int i)
    {
        return linear[i];
    }

    /** Bytes of the whole frame, without the net header. */
    public int length(final int i)
    {
        return length[i];
    }

    /** Index in {@link #vectors()} of the entry reserved for the linear part; segments follow it. */
    public int run(final int i)
    {
        return run[i];
    }

    public int segments(final int i)
    {
        return segments[i];
    }

    public long token(final int i)
    {
        return token[i];
    }

    /** Frames of the sender that this one stands for: 1, or more for a coalesced super-frame. */
    public int packets(final int i)
    {
        return count[i];
    }

    public void packets(final int i, final int packets)
    {
        count[i] = packets;
    }

    /** A stage changed the linear part (a hook moved the start or the end, the coalescer appended to it). */
    public void linear(final int i, final int dataOffset, final int dataLength)
    {
        length[i] += dataLength - linear[i];
        offset[i] = dataOffset;
        linear[i] = dataLength;
    }

    /** Frames to send, including those already {@link #sent()}. */
    public int readyCount()
    {
        return readyCount;
    }

    /** Index of the k-th frame to send. */
    public int ready(final int k)
    {
        return ready[k];
    }

    public void ready(final int k, final int i)
    {
        ready[k] = i;
    }

    /** Shortens the ready list after a stage rewrote it in place. */
    public void readyCount(final int n)
    {
        readyCount = n;
    }

    /** How many of the ready list the port has taken. */
    public int sent()
    {
        return sent;
    }

    public void sent(final int n)
    {
        sent = n;
    }

    public boolean isDrained()
    {
        return sent == readyCount;
    }

    public void close()
    {
        vectors.close();
    }
}
