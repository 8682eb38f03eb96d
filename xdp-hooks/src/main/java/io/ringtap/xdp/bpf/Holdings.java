package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the running program holds. The kernel's verifier proves that everything is given back; here it is given back
 * when the run ends, also by a fault: no program can leave a lock taken that other queues wait for.
 */
final class Holdings
{
    /** More than programs of the kernel's verifier hold at the same time. */
    private static final int MOST = 16;

    private final Holding[] owners = new Holding[MOST];
    private final UnsafeBuffer[] memories = new UnsafeBuffer[MOST];
    private final int[] indexes = new int[MOST];
    private int count;

    /** False when it holds too much already. */
    boolean add(final Holding owner, final UnsafeBuffer memory, final int index)
    {
        if (MOST == count)
        {
            return false;
        }
        owners[count] = owner;
        memories[count] = memory;
        indexes[count] = index;
        count++;
        return true;
    }

    /** What is held at a place, which from now on is not; null for nothing. */
    Holding remove(final UnsafeBuffer memory, final int index)
    {
        for (int i = count - 1; i >= 0; i--)
        {
            if (memories[i] == memory && indexes[i] == index)
            {
                final Holding owner = owners[i];
                count--;
                owners[i] = owners[count];
                memories[i] = memories[count];
                indexes[i] = indexes[count];
                return owner;
            }
        }
        return null;
    }

    boolean has(final Holding owner)
    {
        for (int i = 0; i < count; i++)
        {
            if (owners[i] == owner)
            {
                return true;
            }
        }
        return false;
    }

    int count()
    {
        return count;
    }

    /** Gives all back. */
    void release()
    {
        while (count > 0)
        {
            count--;
            owners[count].release(memories[count], indexes[count]);
        }
    }
}
