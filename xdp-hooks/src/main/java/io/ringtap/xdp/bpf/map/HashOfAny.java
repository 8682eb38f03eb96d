package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** A {@link HashTable} of keys of any size. */
final class HashOfAny extends HashTable
{
    private static final long PRIME = 0xa076_1d64_78bd_642fL;

    private final int words;
    private final int rest;

    HashOfAny(final MapSpec spec, final int queues, final boolean isLru)
    {
        super(spec, queues, isLru);
        words = spec.keySize() - 1 >> 3;
        rest = spec.keySize() - 8 * words;
    }

    @Override
    int hash(final UnsafeBuffer key, final int keyIndex)
    {
        long hash = otherSeed;
        int at = keyIndex;
        for (int i = 0; i < words; i++)
        {
            hash = KeyHash.fold(key.getLong(at) ^ seed, hash ^ PRIME);
            at += 8;
        }
        return KeyHash.last(KeyHash.fold(tail(key, at) ^ seed, hash));
    }

    @Override
    boolean isKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        int at = 0;
        for (int i = 0; i < words; i++)
        {
            if (entries.getLong(recordKey + at) != key.getLong(keyIndex + at))
            {
                return false;
            }
            at += 8;
        }
        return entries.getLong(recordKey + at) == tail(key, keyIndex + at);
    }

    @Override
    void putKey(final int recordKey, final UnsafeBuffer key, final int keyIndex)
    {
        final int whole = 8 * words;
        for (int at = 0; at < whole; at += 8)
        {
            entries.putLong(recordKey + at, key.getLong(keyIndex + at));
        }
        entries.putLong(recordKey + whole, tail(key, keyIndex + whole));
    }

    /** The last 1 to 8 bytes as a number. */
    private long tail(final UnsafeBuffer key, final int at)
    {
        return switch (rest)
        {
            case 8 -> key.getLong(at);
            case 4 -> key.getInt(at);
            case 6 -> key.getInt(at) & 0xffff_ffffL | (key.getShort(at + 4) & 0xffffL) << 32;
            case 2 -> key.getShort(at);
            case 1 -> key.getByte(at);
            default -> KeyHash.odd(key, at, rest);
        };
    }

    @Override
    HashTable like(final MapSpec other, final int queues, final boolean isLru)
    {
        return new HashOfAny(other, queues, isLru);
    }
}
