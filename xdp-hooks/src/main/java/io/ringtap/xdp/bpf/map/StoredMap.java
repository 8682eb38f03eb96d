package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A map of keys to values in memory: what programs do with it, in terms of what a thread without a context can do as
 * well. Queues are named by number; {@link #ALL_QUEUES} stands for the control side, which has none.
 */
abstract class StoredMap extends BpfMap
{
    /** Instead of a queue: a value is written for all of them. */
    static final int ALL_QUEUES = -1;

    private final MapSpec spec;
    private final int queues;

    /** @param queues how many values each key has; 0 when queues share one. */
    StoredMap(final MapSpec spec, final int queues)
    {
        super(spec.name(), spec.kind(), spec.keySize(), spec.valueSize(), spec.maxEntries(),
            spec.has(MapFlags.RDONLY_PROG));
        this.spec = spec;
        this.queues = queues;
    }

    final MapSpec spec()
    {
        return spec;
    }

    /** How many values each key has; 0 when queues share one. */
    final int queues()
    {
        return queues;
    }

    /**
     * Where a queue's value of a key is, whoever asks; for maps that queues share the queue does not count.
     *
     * @return its offset or {@link #MISSING}.
     */
    abstract int lookupOn(int queue, UnsafeBuffer key, int keyIndex);

    /**
     * Stores a value for one queue; the others' of a new entry are 0.
     *
     * @param queue {@link #ALL_QUEUES} to store as many values as there are, 8-byte aligned one behind the other.
     * @return 0 or a negative errno.
     */
    abstract int write(
        int queue, UnsafeBuffer key, int keyIndex, UnsafeBuffer value, int valueIndex, long flags);

    /**
     * Copies a value out whole: never half of one and half of another that an update put there.
     *
     * @param flags {@link MapFlags#LOCK} to copy under the value's lock.
     * @return 0 or a negative errno.
     */
    abstract int read(int queue, UnsafeBuffer key, int keyIndex, UnsafeBuffer value, int valueIndex, long flags);

    /** Removes a key, as {@link #delete}. */
    abstract int remove(UnsafeBuffer key, int keyIndex);

    /** Bytes from a queue's value to the next queue's; 0 when they share it. */
    abstract int queueDistance();

    /** How many places entries can be at, to meet all of them one by one; a place may hold several or none. */
    abstract int places();

    /** A number that changes with each change of which entries are at a place. */
    abstract long version(int place);

    /**
     * Copies out the key of the entry that is number {@code n} at a place.
     *
     * @return the offset of its first value, or {@link #MISSING} when there are no more than {@code n}.
     */
    abstract int entryAt(int place, int n, UnsafeBuffer key, int keyIndex);

    @Override
    public final int update(
        final BpfContext context,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        return write(queues > 0 ? context.queue() : 0, key, keyIndex, value, valueIndex, flags);
    }

    @Override
    public final int delete(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return remove(key, keyIndex);
    }
}
