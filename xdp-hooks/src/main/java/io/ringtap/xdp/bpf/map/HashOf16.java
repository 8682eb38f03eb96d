package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** A {@link HashTable} of keys of 16 bytes. */
final class HashOf16 extends HashTable
{
    HashOf16(final MapSpec spec, final int queues, final boolean isLru)
    {
        super(spec, queues, isLru);
    }

    @Override
    int hash(final UnsafeBuffer key, final int keyIndex)
    {
        return KeyHash.last(KeyHash.fold(key.getLong(keyIndex) ^ seed, key.getLong(keyIndex + 8) ^ otherSeed));
    }

    @Override
    boolean isKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        return entries.getLong(recordKey) == key.getLong(keyIndex) &&
            entries.getLong(recordKey + 8) == key.getLong(keyIndex + 8);
    }

    @Override
    void putKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        entries.putLong(recordKey, key.getLong(keyIndex));
        entries.putLong(recordKey + 8, key.getLong(keyIndex + 8));
    }

    @Override
    HashTable like(final MapSpec other, final int queues, final boolean isLru)
    {
        return new HashOf16(other, queues, isLru);
    }
}
