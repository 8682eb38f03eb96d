package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * A map as the control side sees it, while programs use it: copies of keys and values, never their memory. A value that
 * an update stores is read whole or not at all; what a program writes through an address may be read half way, as in
 * the kernel, unless the values have a bpf_spin_lock, which every read and write here takes.
 */
public final class MapAccess
{
    private final StoredMap map;
    private final int stride;
    private final int values;
    private final long lockFlag;

    private MapAccess(final StoredMap map)
    {
        this.map = map;
        stride = (int)Words.align(map.valueSize(), Long.BYTES);
        values = Math.max(1, map.queues());
        lockFlag = map.spec().lockOffset() == MapSpec.NO_LOCK ? 0 : MapFlags.LOCK;
    }

    /**
     * Access to a map of keys and values.
     *
     * @throws MapException when it has none: queues, rings, and maps of programs or maps.
     */
    public static MapAccess of(final BpfMap map)
    {
        if (map instanceof StoredMap stored)
        {
            return new MapAccess(stored);
        }
        throw new MapException("map " + map.name() + " (" + map.kind() + "): has no keys with values in memory");
    }

    /** Whether a map has keys and values. */
    public static boolean isFor(final BpfMap map)
    {
        return map instanceof StoredMap;
    }

    public BpfMap map()
    {
        return map;
    }

    /** How many values each key has: one a queue, or one. */
    public int valuesPerKey()
    {
        return values;
    }

    /** The value of a key, the first queue's if each has its own; null when there is none. */
    public byte[] get(final byte[] key)
    {
        return get(key, 0);
    }

    /** A queue's value of a key; null when there is none. */
    public byte[] get(final byte[] key, final int queue)
    {
        checkQueue(queue);
        final byte[] value = new byte[map.valueSize()];
        final int result =
            map.read(queue, wrap("key", key, map.keySize()), 0, new UnsafeBuffer(value), 0, lockFlag);
        if (BpfErrno.EBUSY == result)
        {
            throw new MapException("map " + map.name() + ": the value's lock is not given back");
        }
        return 0 == result ? value : null;
    }

    /** All values of a key, by queue; null when there is none. */
    public List<byte[]> getAll(final byte[] key)
    {
        final List<byte[]> all = new ArrayList<>();
        for (int queue = 0; queue < values; queue++)
        {
            final byte[] value = get(key, queue);
            if (null == value)
            {
                return null;
            }
            all.add(value);
        }
        return all;
    }

    /** Stores a value, for all queues if each has its own. */
    public int put(final byte[] key, final byte[] value)
    {
        return put(key, value, MapFlags.ANY);
    }

    /**
     * Stores a value, for all queues if each has its own.
     *
     * @param flags of {@link MapFlags}: ANY, NOEXIST or EXIST.
     * @return 0 or a negative errno, see {@link BpfErrno}.
     */
    public int put(final byte[] key, final byte[] value, final int flags)
    {
        final List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < values; i++)
        {
            all.add(value);
        }
        return putAll(key, all, flags);
    }

    /** Stores a value for each queue. Returns as {@link #put}. */
    public int putAll(final byte[] key, final List<byte[]> all, final int flags)
    {
        if (all.size() != values)
        {
            throw new MapException("map " + map.name() + ": " + all.size() + " values for a key, must be " + values);
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[stride * values]);
        for (int i = 0; i < values; i++)
        {
            buffer.putBytes(i * stride, wrap("value", all.get(i), map.valueSize()), 0, map.valueSize());
        }
        final int queue = map.queues() > 0 ? StoredMap.ALL_QUEUES : 0;
        return map.write(queue, wrap("key", key, map.keySize()), 0, buffer, 0, flags | lockFlag);
    }

    /** Stores a value for one queue; the others' stay, or are 0 when the key is new. Returns as {@link #put}. */
    public int putOne(final byte[] key, final int queue, final byte[] value)
    {
        checkQueue(queue);
        return map.write(queue, wrap("key", key, map.keySize()), 0, wrap("value", value, map.valueSize()), 0, lockFlag);
    }

    /** Removes a key. Returns 0 or a negative errno. */
    public int delete(final byte[] key)
    {
        return map.remove(wrap("key", key, map.keySize()), 0);
    }

    /**
     * All keys: each that is there from beginning to end is met once; those that come or go meanwhile may be met.
     *
     * @param limit most keys, so that a large map does not fill memory.
     */
    public List<byte[]> keys(final int limit)
    {
        final List<byte[]> keys = new ArrayList<>();
        for (int place = 0; place < map.places() && keys.size() < limit; place++)
        {
            final int before = keys.size();
            long version;
            do
            {
                keys.subList(before, keys.size()).clear();
                version = map.version(place);
                byte[] key = new byte[map.keySize()];
                for (int n = 0; StoredMap.MISSING != map.entryAt(place, n, new UnsafeBuffer(key), 0); n++)
                {
                    keys.add(key);
                    key = new byte[map.keySize()];
                }
            }
            while (version != map.version(place));
        }
        return keys.size() > limit ? keys.subList(0, limit) : keys;
    }

    /** Calls back for each entry that is there, with its values by queue. */
    public void forEach(final EntryHandler handler)
    {
        for (final byte[] key : keys(Integer.MAX_VALUE))
        {
            final List<byte[]> all = getAll(key);
            if (null != all)
            {
                handler.onEntry(key, all);
            }
        }
    }

    private void checkQueue(final int queue)
    {
        if (queue < 0 || queue >= values)
        {
            throw new MapException("map " + map.name() + ": queue " + queue + ", must be 0 to " + (values - 1));
        }
    }

    private UnsafeBuffer wrap(final String what, final byte[] bytes, final int length)
    {
        if (bytes.length != length)
        {
            throw new MapException("map " + map.name() + ": " + what + " of " + bytes.length + " bytes, must be " +
                length);
        }
        return new UnsafeBuffer(bytes);
    }

    /** Takes entries. */
    @FunctionalInterface
    public interface EntryHandler
    {
        /** One key and its values: one, or one a queue. */
        void onEntry(byte[] key, List<byte[]> values);
    }
}
