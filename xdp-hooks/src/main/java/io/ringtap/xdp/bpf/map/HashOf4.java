package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** A {@link HashTable} of keys of 4 bytes. */
final class HashOf4 extends HashTable
{
    HashOf4(final MapSpec spec, final int queues, final boolean isLru)
    {
        super(spec, queues, isLru);
    }

    @Override
    int hash(final UnsafeBuffer key, final int keyIndex)
    {
        return KeyHash.last(KeyHash.fold(key.getInt(keyIndex) ^ seed, otherSeed));
    }

    @Override
    boolean isKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        return entries.getInt(recordKey) == key.getInt(keyIndex);
    }

    @Override
    void putKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        entries.putInt(recordKey, key.getInt(keyIndex));
    }

    @Override
    HashTable like(final MapSpec other, final int queues, final boolean isLru)
    {
        return new HashOf4(other, queues, isLru);
    }
}
