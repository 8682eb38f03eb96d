package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.Holding;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * RINGBUF: records from programs to one reader. A record that a program reserves and never finishes is discarded when
 * its run ends, so that no program can hold up the reader for good.
 */
public final class RingBufMap extends BpfMap implements Holding
{
    private static final int SCRATCH_SIZE = 1 << 16;

    private final MapSpec spec;
    private final RecordRing ring;
    private final boolean isPractice;

    RingBufMap(final MapSpec spec)
    {
        this(spec, false);
    }

    private RingBufMap(final MapSpec spec, final boolean isPractice)
    {
        super(spec.name(), spec.kind(), 0, 0, spec.maxEntries(), false);
        this.spec = spec;
        this.isPractice = isPractice;
        ring = new RecordRing(spec.name(), spec.maxEntries());
    }

    @Override
    public UnsafeBuffer values()
    {
        return ring.memory();
    }

    /**
     * Takes room for a record, until {@link #commit}.
     *
     * @return its offset in {@link #values()}, or {@link #MISSING} when there is none.
     */
    public int reserve(final long length)
    {
        if (isPractice)
        {
            ring.drain();
        }
        return ring.reserve(length);
    }

    /** Lets the reader have a record, or pass over it. */
    public void commit(final int offset, final boolean isDiscarded)
    {
        ring.commit(offset, isDiscarded);
    }

    /** Bytes of the ring. */
    public int size()
    {
        return ring.size();
    }

    /** Bytes ever reserved. */
    public long produced()
    {
        return ring.produced();
    }

    /** Bytes ever consumed. */
    public long consumed()
    {
        return ring.consumed();
    }

    /** Hands out at most so many records; for one thread at a time. Returns how many. */
    public int consume(final RecordHandler handler, final int limit)
    {
        return ring.consume(0, handler, limit);
    }

    @Override
    public void release(final UnsafeBuffer memory, final int offset)
    {
        ring.commit(offset, true);
    }

    @Override
    public int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return MISSING;
    }

    @Override
    public int update(
        final BpfContext context,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        return BpfErrno.EOPNOTSUPP;
    }

    @Override
    public int delete(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return BpfErrno.EOPNOTSUPP;
    }

    @Override
    public BpfMap scratch()
    {
        return new RingBufMap(spec.withMaxEntries(Math.min(SCRATCH_SIZE, maxEntries())), true);
    }
}
