package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * HASH, PERCPU_HASH and their LRU forms: a table of buckets, each a chain of entries.
 * <pre>
 * bucket   63..33 changes   32 locked   31..0 first entry + 1
 * record    0 next entry + 1   4 hash of the key   8 key, padded to 8 bytes
 * </pre>
 * Readers take no lock: they read the bucket's word, walk the chain and read the word again. When it is the same and
 * not locked, nothing happened to the chain meanwhile, else they walk again. Writers lock the one bucket. As in the
 * kernel an update puts a new entry in the place of the old one, so that who holds the address of a value goes on to
 * see the value that was found; values of which each queue has its own are written in place.
 * <p>
 * Keys come from frames, so the hash has a seed of its own in each map: nobody can choose keys for one chain.
 */
abstract class HashTable extends StoredMap
{
    static final int KEY = 8;

    private static final int HASH = 4;
    /**
     * Next power of two above half of this: a second entry in a chain costs a branch that nobody can predict, some
     * 5 ns, and a bucket has 8 bytes.
     */
    private static final long BUCKETS_PER_ENTRY = 4;
    private static final int SCRATCH_ENTRIES = 256;
    /** Entries in flight while old ones are replaced: more than threads that write at the same time. */
    private static final int SPARES = 64;

    final UnsafeBuffer entries;
    final long seed;
    final long otherSeed;

    private final UnsafeBuffer buckets;
    private final int mask;
    private final int recordLength;
    private final ValueArea area;
    private final int stride;
    private final int queueStride;
    private final SlotList free;
    private final SlotList spare;
    private final Recency recency;
    private boolean isPractice;
    private int misses;

    /** @param queues 0 when they share values. */
    HashTable(final MapSpec spec, final int queues, final boolean isLru)
    {
        super(spec, queues);
        final int count = spec.maxEntries();
        final int slots = queues > 0 ? count : Math.addExact(count, SPARES);
        final long table = Long.highestOneBit(Math.max(1, BUCKETS_PER_ENTRY * count - 1));
        recordLength = KEY + (int)Words.align(spec.keySize(), Long.BYTES);
        buckets = MapMemory.allocate(spec.name(), table + " buckets", table * Long.BYTES);
        entries = MapMemory.allocate(spec.name(), slots + " keys", (long)slots * recordLength);
        area = new ValueArea(spec, slots, queues);
        stride = area.stride();
        queueStride = area.queueStride();
        mask = (int)table - 1;
        free = new SlotList(spec.name(), slots);
        free.giveAll(0, count);
        spare = new SlotList(spec.name(), free);
        spare.giveAll(count, slots);
        recency = isLru ? new Recency(spec.name(), slots) : null;
        final boolean isSeeded = !spec.has(MapFlags.ZERO_SEED);
        seed = isSeeded ? ThreadLocalRandom.current().nextLong() : 0x243f_6a88_85a3_08d3L;
        otherSeed = (isSeeded ? ThreadLocalRandom.current().nextLong() : 0x1319_8a2e_0370_7344L) | 1;
    }

    /** Hash of a key. */
    abstract int hash(UnsafeBuffer key, int keyIndex);

    /** Whether a record has this key. */
    abstract boolean isKey(int recordKey, UnsafeBuffer key, int keyIndex);

    /** Puts a key into a record. */
    abstract void putKey(int recordKey, UnsafeBuffer key, int keyIndex);

    /** A map like this one. */
    abstract HashTable like(MapSpec other, int queues, boolean isLru);

    @Override
    public final UnsafeBuffer values()
    {
        return area.memory();
    }

    @Override
    public final int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        final int slot = find(key, keyIndex);
        if (slot < 0)
        {
            return isPractice ? practise(key, keyIndex) : MISSING;
        }
        if (null != recency)
        {
            recency.touch(slot);
        }
        return 0 == queueStride ? slot * stride : slot * stride + context.queue() * queueStride;
    }

    @Override
    final int lookupOn(final int queue, final UnsafeBuffer key, final int keyIndex)
    {
        final int slot = find(key, keyIndex);
        return slot < 0 ? MISSING : slot * stride + queue * queueStride;
    }

    /** The slot of a key; negative when there is none. */
    private int find(final UnsafeBuffer key, final int keyIndex)
    {
        final int hash = hash(key, keyIndex);
        final int bucket = (hash & mask) << 3;
        while (true)
        {
            final long word = buckets.getLongAcquire(bucket);
            int slot = (int)word - 1;
            while (slot >= 0)
            {
                final int record = slot * recordLength;
                if (hash == entries.getInt(record + HASH) && isKey(record + KEY, key, keyIndex))
                {
                    break;
                }
                slot = entries.getInt(record) - 1;
                // An entry that moved to another chain must not lead there for long.
                VarHandle.loadLoadFence();
                if (word != buckets.getLong(bucket))
                {
                    break;
                }
            }
            VarHandle.loadLoadFence();
            if (word == buckets.getLong(bucket) && (word & Buckets.LOCKED) == 0)
            {
                return slot;
            }
            Buckets.settled(buckets, bucket);
        }
    }

    /** As {@link #find}, while the bucket is locked. */
    private int search(final int first, final int hash, final UnsafeBuffer key, final int keyIndex)
    {
        int slot = first - 1;
        while (slot >= 0)
        {
            final int record = slot * recordLength;
            if (hash == entries.getInt(record + HASH) && isKey(record + KEY, key, keyIndex))
            {
                return slot;
            }
            slot = entries.getInt(record) - 1;
        }
        return MISSING;
    }

    /** Takes an entry out of a locked chain: what the chain begins with then; negative when it is not in there. */
    private int unlink(final int first, final int slot)
    {
        final int following = entries.getInt(slot * recordLength);
        if (first == slot + 1)
        {
            return following;
        }
        for (int at = first; 0 != at; at = entries.getInt((at - 1) * recordLength))
        {
            if (entries.getInt((at - 1) * recordLength) == slot + 1)
            {
                entries.putInt((at - 1) * recordLength, following);
                return first;
            }
        }
        return MISSING;
    }

    @Override
    final int write(
        final int queue, final UnsafeBuffer key, final int keyIndex,
        final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        if (0 != area.flagError(flags))
        {
            return BpfErrno.EINVAL;
        }
        final int known = null != recency || (flags & MapFlags.LOCK) != 0 ? find(key, keyIndex) : MISSING;
        if (known >= 0 && (flags & MapFlags.LOCK) != 0)
        {
            // In place and under the value's own lock only: who waits for that must not hold a bucket.
            return (flags & MapFlags.NOEXIST) != 0 ? BpfErrno.EEXIST :
                area.putLocked(known, value, valueIndex);
        }
        if (null == recency || known >= 0)
        {
            return store(SlotList.NONE, queue, key, keyIndex, value, valueIndex, flags);
        }
        if ((flags & MapFlags.EXIST) != 0)
        {
            return BpfErrno.ENOENT;
        }
        final int fresh = takeOrEvict();
        return SlotList.NONE == fresh ? BpfErrno.ENOMEM :
            store(fresh, queue, key, keyIndex, value, valueIndex, flags);
    }

    /** @param fresh a slot taken before; {@link SlotList#NONE} to take one when it is known which kind. */
    private int store(
        final int fresh, final int queue, final UnsafeBuffer key, final int keyIndex,
        final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        final int hash = hash(key, keyIndex);
        final int bucket = (hash & mask) << 3;
        final long word = Buckets.lock(buckets, bucket);
        final int first = (int)word;
        final int old = search(first, hash, key, keyIndex);
        final int refused = old < 0 ?
            (flags & MapFlags.EXIST) != 0 ? BpfErrno.ENOENT : 0 :
            (flags & MapFlags.NOEXIST) != 0 ? BpfErrno.EEXIST : 0;
        if (0 != refused || old >= 0 && queues() > 0)
        {
            if (0 == refused)
            {
                area.put(old, queue, false, value, valueIndex);
            }
            Buckets.unlock(buckets, bucket, word, first);
            if (SlotList.NONE != fresh)
            {
                free.give(fresh);
            }
            return refused;
        }
        int slot = fresh;
        for (int spins = 0; SlotList.NONE == slot; spins = Words.pause(spins))
        {
            slot = old < 0 ? null == recency ? free.take() : takeOrEvict() : spare.take();
            if (SlotList.NONE == slot && old < 0)
            {
                Buckets.unlock(buckets, bucket, word, first);
                return null == recency ? BpfErrno.E2BIG : BpfErrno.ENOMEM;
            }
        }
        final int record = slot * recordLength;
        entries.putInt(record + HASH, hash);
        putKey(record + KEY, key, keyIndex);
        area.put(slot, queue, true, value, valueIndex);
        entries.putInt(record, old < 0 ? first : unlink(first, old));
        if (null != recency)
        {
            recency.begin(slot, old >= 0);
        }
        Buckets.unlock(buckets, bucket, word, slot + 1);
        if (old >= 0)
        {
            (SlotList.NONE == fresh ? spare : free).give(old);
        }
        return 0;
    }

    /** An entry that nobody uses, even if somebody did: waits for no bucket, since the caller may have one locked. */
    private int takeOrEvict()
    {
        int slot = free.take();
        for (int i = recency.rounds(); SlotList.NONE == slot && i > 0; i--)
        {
            final int passed = recency.pass();
            slot = passed >= 0 && evict(passed) ? passed : free.take();
        }
        return slot;
    }

    private boolean evict(final int slot)
    {
        final int bucket = (entries.getInt(slot * recordLength + HASH) & mask) << 3;
        final long word = buckets.getLongAcquire(bucket);
        if (!Buckets.tryLock(buckets, bucket, word))
        {
            return false;
        }
        final int first = unlink((int)word, slot);
        if (first < 0)
        {
            Buckets.unlock(buckets, bucket, word, (int)word);
            return false;
        }
        Buckets.unlock(buckets, bucket, word, first);
        return true;
    }

    @Override
    final int remove(final UnsafeBuffer key, final int keyIndex)
    {
        final int hash = hash(key, keyIndex);
        final int bucket = (hash & mask) << 3;
        final long word = Buckets.lock(buckets, bucket);
        final int old = search((int)word, hash, key, keyIndex);
        Buckets.unlock(buckets, bucket, word, old < 0 ? (int)word : unlink((int)word, old));
        if (old < 0)
        {
            return BpfErrno.ENOENT;
        }
        free.give(old);
        return 0;
    }

    @Override
    final int read(
        final int queue, final UnsafeBuffer key, final int keyIndex,
        final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        final int bucket = (hash(key, keyIndex) & mask) << 3;
        while (true)
        {
            final long word = Buckets.settled(buckets, bucket);
            final int slot = find(key, keyIndex);
            if (slot < 0)
            {
                return BpfErrno.ENOENT;
            }
            final int result = area.get(slot, queue, value, valueIndex, flags);
            VarHandle.loadLoadFence();
            if (0 != result || word == buckets.getLong(bucket))
            {
                return result;
            }
        }
    }

    @Override
    final int queueDistance()
    {
        return queueStride;
    }

    @Override
    final int places()
    {
        return mask + 1;
    }

    @Override
    final long version(final int place)
    {
        return Buckets.settled(buckets, place << 3);
    }

    @Override
    final int entryAt(final int place, final int n, final UnsafeBuffer key, final int keyIndex)
    {
        while (true)
        {
            final long word = Buckets.settled(buckets, place << 3);
            int slot = (int)word - 1;
            for (int i = 0; i < n && slot >= 0; i++)
            {
                slot = entries.getInt(slot * recordLength) - 1;
            }
            if (slot >= 0)
            {
                key.putBytes(keyIndex, entries, slot * recordLength + KEY, keySize());
            }
            VarHandle.loadLoadFence();
            if (word == buckets.getLong(place << 3))
            {
                return slot < 0 ? MISSING : slot * stride;
            }
        }
    }

    /** Half of the keys that are not there come to be, so that programs practise with what they find as well. */
    private int practise(final UnsafeBuffer key, final int keyIndex)
    {
        if ((++misses & 1) == 0)
        {
            write(0, key, keyIndex, area.memory(), 0, MapFlags.ANY);
        }
        return MISSING;
    }

    @Override
    public final BpfMap scratch()
    {
        final HashTable twin = like(
            spec().withMaxEntries(Math.min(SCRATCH_ENTRIES, maxEntries())), queues(), null != recency);
        twin.isPractice = true;
        return twin;
    }
}
