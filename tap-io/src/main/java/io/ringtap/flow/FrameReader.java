package io.ringtap.flow;

import io.ringtap.sys.IoVectors;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a frame of a batch from front to back, across its linear part and its segments. */
final class FrameReader
{
    private UnsafeBuffer arena;
    private IoVectors vectors;
    private int linear;
    private int linearLeft;
    private int vector;
    private int vectorsEnd;
    private int skip;

    /** Begins at the Ethernet header. */
    void wrap(final FrameBatch batch, final int frame)
    {
        arena = batch.arena();
        vectors = batch.vectors();
        linear = batch.offset(frame);
        linearLeft = batch.linearLength(frame);
        vector = batch.run(frame) + 1;
        vectorsEnd = vector + batch.segments(frame);
        skip = 0;
    }

    /** @return bytes copied; fewer than asked for when the frame ends. */
    int read(final UnsafeBuffer to, final int offset, final int length)
    {
        final int fromLinear = Math.min(length, linearLeft);
        if (fromLinear > 0)
        {
            SmallCopy.copy(arena, linear, to, offset, fromLinear);
            linear += fromLinear;
            linearLeft -= fromLinear;
        }
        return fromLinear == length ? length : fromLinear + readVectors(to, offset + fromLinear, length - fromLinear);
    }

    private int readVectors(final UnsafeBuffer to, final int offset, final int length)
    {
        final int copied = vectors.copyTo(vector, vectorsEnd - vector, skip, length, to, offset);
        skipVectors(copied);
        return copied;
    }

    /** Passes over bytes. */
    void skip(final int length)
    {
        final int fromLinear = Math.min(length, linearLeft);
        linear += fromLinear;
        linearLeft -= fromLinear;
        skipVectors(length - fromLinear);
    }

    private void skipVectors(final int length)
    {
        skip += length;
        while (vector < vectorsEnd && skip >= vectors.length(vector))
        {
            skip -= vectors.length(vector++);
        }
    }
}
