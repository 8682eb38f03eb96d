package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** A {@link HashTable} of keys of 8 bytes. */
final class HashOf8 extends HashTable
{
    HashOf8(final MapSpec spec, final int queues, final boolean isLru)
    {
        super(spec, queues, isLru);
    }

    @Override
    int hash(final UnsafeBuffer key, final int keyIndex)
    {
        return KeyHash.last(KeyHash.fold(key.getLong(keyIndex) ^ seed, otherSeed));
    }

    @Override
    boolean isKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        return entries.getLong(recordKey) == key.getLong(keyIndex);
    }

    @Override
    void putKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        entries.putLong(recordKey, key.getLong(keyIndex));
    }

    @Override
    HashTable like(final MapSpec other, final int queues, final boolean isLru)
    {
        return new HashOf8(other, queues, isLru);
    }
}
