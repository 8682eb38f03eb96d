package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

import java.lang.invoke.VarHandle;

/** The word of a bucket, which is lock, count of changes and beginning of its chain in one; see {@link HashTable}. */
final class Buckets
{
    static final long LOCKED = 1L << 32;
    private static final long CHANGED = 1L << 33;

    private Buckets()
    {
    }

    /** The word when nobody has the bucket locked. */
    static long settled(final UnsafeBuffer words, final int bucket)
    {
        int spins = 0;
        while (true)
        {
            final long word = words.getLongAcquire(bucket);
            if ((word & LOCKED) == 0)
            {
                return word;
            }
            spins = Words.pause(spins);
        }
    }

    /** Locks the bucket; its word is what it was before. */
    static long lock(final UnsafeBuffer words, final int bucket)
    {
        while (true)
        {
            final long word = settled(words, bucket);
            if (tryLock(words, bucket, word))
            {
                return word;
            }
        }
    }

    /** Locks the bucket if its word is still this one, and not locked. */
    static boolean tryLock(final UnsafeBuffer words, final int bucket, final long word)
    {
        final boolean isLocked = (word & LOCKED) == 0 && words.compareAndSetLong(bucket, word, word | LOCKED);
        // The lock is seen before what is done under it.
        VarHandle.storeStoreFence();
        return isLocked;
    }

    /** Lets others see what was done: who read the word before will read again. */
    static void unlock(final UnsafeBuffer words, final int bucket, final long word, final int first)
    {
        words.putLongRelease(bucket, (word & -LOCKED) + CHANGED | first & 0xffff_ffffL);
    }
}
