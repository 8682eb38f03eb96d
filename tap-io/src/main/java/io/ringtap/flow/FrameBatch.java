package io.ringtap.flow;

import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.IoVectors;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded batch of frames over one arena: what walks through hooks, sorter, coalescer and port.
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

    /** What {@link #flow(int)} says of a frame that no sorter has looked at. */
    public static final long NO_FLOW = 0;

    private static final int ROW_SHIFT = 3;
    private static final int SLOT = 0;
    private static final int SLOT_END = 1;
    private static final int OFFSET = 2;
    private static final int LINEAR = 3;
    private static final int LENGTH = 4;
    private static final int RUN = 5;
    private static final int SEGMENTS = 6;
    private static final int PACKETS = 7;
    /** Shares the packets' word. */
    private static final int FIXED_ID = 1 << 30;

    private final UnsafeBuffer arena;
    private final int capacity;
    private final IoVectors vectors;
    /** A row of eight ints for each frame: one cache line serves two frames, and one bounds check a row. */
    private final int[] rows;
    private final long[] flow;
    private final long[] token;
    private final int[] ready;
    private final int[] slots;
    private final LentFragments lent;
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
        rows = new int[capacity << ROW_SHIFT];
        flow = new long[capacity];
        token = new long[capacity];
        ready = new int[capacity];
        slots = new int[capacity];
        lent = new LentFragments(capacity);
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

    /**
     * Forgets every frame, then releases the slots, cheaper than one by one: a failure in between loses some of them,
     * and releases none twice.
     */
    public void release(final FragAllocator fragments)
    {
        int count = 0;
        for (int i = 0; i < frames; i++)
        {
            slots[count] = slot(i);
            count += NO_SLOT == slots[count] ? 0 : 1;
        }
        clear();
        fragments.release(slots, count);
    }

    /** Forgets every frame; the caller has released the slots. Fragments that stages lent go back here. */
    public void clear()
    {
        lent.giveBack();
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
        final int row = i << ROW_SHIFT;
        rows[row + SLOT] = slotOffset;
        rows[row + SLOT_END] = slotOffset + slotLength;
        rows[row + OFFSET] = dataOffset;
        rows[row + LINEAR] = dataLength;
        rows[row + LENGTH] = dataLength;
        rows[row + RUN] = vectorsUsed++;
        rows[row + SEGMENTS] = 0;
        rows[row + PACKETS] = 1;
        flow[i] = NO_FLOW;
        token[i] = ownerToken;
        ready[readyCount++] = i;
        return i;
    }

    /** Takes back the frame added last, without segments; its slot is the caller's again. */
    public void removeLast()
    {
        frames--;
        vectorsUsed--;
        readyCount--;
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
        vectorsUsed += n;
        rows[(i << ROW_SHIFT) + SEGMENTS] += n;
        rows[(i << ROW_SHIFT) + LENGTH] += bytes;
        return vectorsUsed - n;
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
        rows[(i << ROW_SHIFT) + RUN] = vectorsUsed;
        rows[(i << ROW_SHIFT) + SEGMENTS] = n;
        rows[(i << ROW_SHIFT) + LENGTH] = totalLength;
        vectorsUsed += n + 1;
        return rows[(i << ROW_SHIFT) + RUN] + 1;
    }

    /** To be read only: a row begins with its slot's begin and end, the offset, the linear and the whole length. */
    public int[] rows()
    {
        return rows;
    }

    /** Index in {@link #rows()} where the row of a frame begins. */
    public int row(final int i)
    {
        return i << ROW_SHIFT;
    }

    public int slot(final int i)
    {
        return rows[(i << ROW_SHIFT) + SLOT];
    }

    public int slotEnd(final int i)
    {
        return rows[(i << ROW_SHIFT) + SLOT_END];
    }

    /** Arena offset of the frame's Ethernet header. */
    public int offset(final int i)
    {
        return rows[(i << ROW_SHIFT) + OFFSET];
    }

    /** Arena offset of the frame's net header. */
    public int netHeader(final int i)
    {
        return rows[(i << ROW_SHIFT) + OFFSET] - FrameLayout.NET_HEADER;
    }

    /** Bytes of the frame that lie in its slot. */
    public int linearLength(final int i)
    {
        return rows[(i << ROW_SHIFT) + LINEAR];
    }

    /** Bytes of the whole frame, without the net header. */
    public int length(final int i)
    {
        return rows[(i << ROW_SHIFT) + LENGTH];
    }

    /** Index in {@link #vectors()} of the entry reserved for the linear part; segments follow it. */
    public int run(final int i)
    {
        return rows[(i << ROW_SHIFT) + RUN];
    }

    public int segments(final int i)
    {
        return rows[(i << ROW_SHIFT) + SEGMENTS];
    }

    /** Whether any frame has or had segments. */
    public boolean hasSegments()
    {
        return frames < vectorsUsed;
    }

    public long token(final int i)
    {
        return token[i];
    }

    /** Frames of the sender that this one stands for: 1, or more for a coalesced super-frame. */
    public int packets(final int i)
    {
        return rows[(i << ROW_SHIFT) + PACKETS] & ~FIXED_ID;
    }

    public void packets(final int i, final int packets)
    {
        rows[(i << ROW_SHIFT) + PACKETS] = packets;
    }

    /** Whether all packets of a super-frame carry the same IPv4 identification, which a net header cannot say. */
    public boolean hasFixedId(final int i)
    {
        return (rows[(i << ROW_SHIFT) + PACKETS] & FIXED_ID) != 0;
    }

    /** Says so; {@link #packets(int, int)} takes it back. */
    public void fixedId(final int i)
    {
        rows[(i << ROW_SHIFT) + PACKETS] |= FIXED_ID;
    }

    /** What the sorter found to be the frame's flow (see {@link FlowKey}), or {@link #NO_FLOW}. */
    public long flow(final int i)
    {
        return flow[i];
    }

    public void flow(final int i, final long key)
    {
        flow[i] = key;
    }

    /**
     * A stage moves the linear part of a frame into a fragment of its own, which goes back when the batch is cleared.
     * The frame's slot stays what its owner has to release.
     *
     * @param fragment   holds the net header and the frame from now on; the caller copies them.
     * @param end        arena offset behind the fragment.
     * @param dataOffset where the frame begins now.
     * @return false when the batch has no place to note it.
     */
    public boolean lend(
        final int i, final FragAllocator allocator, final int fragment, final int end, final int dataOffset)
    {
        final boolean isNoted = lent.add(allocator, fragment);
        if (isNoted)
        {
            rows[(i << ROW_SHIFT) + SLOT_END] = end;
            rows[(i << ROW_SHIFT) + OFFSET] = dataOffset;
        }
        return isNoted;
    }

    /** A stage changed the linear part (a hook moved the start or the end, the coalescer appended to it). */
    public void linear(final int i, final int dataOffset, final int dataLength)
    {
        rows[(i << ROW_SHIFT) + LENGTH] += dataLength - rows[(i << ROW_SHIFT) + LINEAR];
        rows[(i << ROW_SHIFT) + OFFSET] = dataOffset;
        rows[(i << ROW_SHIFT) + LINEAR] = dataLength;
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

    /** Takes what was sent off the ready list, so that stages meet only what is left. */
    public void forgetSent()
    {
        if (0 < sent)
        {
            readyCount -= sent;
            System.arraycopy(ready, sent, ready, 0, readyCount);
            sent = 0;
        }
    }

    public boolean isDrained()
    {
        return sent == readyCount;
    }

    public void close()
    {
        clear();
        vectors.close();
    }
}
