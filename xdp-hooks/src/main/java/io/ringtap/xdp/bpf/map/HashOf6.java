package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** A {@link HashTable} of keys of 6 bytes: addresses of Ethernet. */
final class HashOf6 extends HashTable
{
    HashOf6(final MapSpec spec, final int queues, final boolean isLru)
    {
        super(spec, queues, isLru);
    }

    @Override
    int hash(final UnsafeBuffer key, final int keyIndex)
    {
        return KeyHash.last(KeyHash.fold(number(key, keyIndex) ^ seed, otherSeed));
    }

    @Override
    boolean isKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        return entries.getLong(recordKey) == number(key, keyIndex);
    }

    @Override
    void putKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        entries.putLong(recordKey, number(key, keyIndex));
    }

    private static long number(final UnsafeBuffer key, final int keyIndex)
    {
        return key.getInt(keyIndex) & 0xffff_ffffL | (key.getShort(keyIndex + 4) & 0xffffL) << 32;
    }

    @Override
    HashTable like(final MapSpec other, final int queues, final boolean isLru)
    {
        return new HashOf6(other, queues, isLru);
    }
}
