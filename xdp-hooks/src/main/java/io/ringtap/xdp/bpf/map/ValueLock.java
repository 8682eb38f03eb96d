package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** The struct bpf_spin_lock inside the values of a map, and copies that leave it alone. */
public final class ValueLock
{
    private static final int LENGTH = Integer.BYTES;
    /** Pauses until whoever waits gives up: tens of milliseconds, where a program's fuel lasts for some. */
    private static final int PATIENCE = 1 << 17;

    private final int valueSize;
    private final int offset;

    ValueLock(final int valueSize, final int offset)
    {
        this.valueSize = valueSize;
        this.offset = offset;
    }

    /** Whether values have a lock. */
    boolean exists()
    {
        return offset >= 0;
    }

    /**
     * Puts a value into the map, under its lock if asked to; the lock stays as it is.
     *
     * @return 0, or EBUSY when somebody holds the lock for longer than a program can.
     */
    int store(
        final UnsafeBuffer values, final int at, final UnsafeBuffer source, final int sourceIndex, final boolean locked)
    {
        if (locked)
        {
            if (!acquire(values, at + offset))
            {
                return BpfErrno.EBUSY;
            }
            copy(values, at, source, sourceIndex);
            release(values, at + offset);
        }
        else
        {
            copy(values, at, source, sourceIndex);
        }
        return 0;
    }

    /** Takes a value out of the map, under its lock if asked to; the lock is 0 in the copy. Returns as store does. */
    int load(
        final UnsafeBuffer values, final int at, final UnsafeBuffer target, final int targetIndex, final boolean locked)
    {
        if (locked)
        {
            if (!acquire(values, at + offset))
            {
                return BpfErrno.EBUSY;
            }
            copy(target, targetIndex, values, at);
            release(values, at + offset);
        }
        else
        {
            copy(target, targetIndex, values, at);
        }
        if (exists())
        {
            target.putInt(targetIndex + offset, 0);
        }
        return 0;
    }

    /** Copies all of a value but its lock. */
    private void copy(
        final UnsafeBuffer target, final int targetIndex, final UnsafeBuffer source, final int sourceIndex)
    {
        if (!exists())
        {
            Words.copy(target, targetIndex, source, sourceIndex, valueSize);
            return;
        }
        final int behind = offset + LENGTH;
        Words.copy(target, targetIndex, source, sourceIndex, offset);
        Words.copy(target, targetIndex + behind, source, sourceIndex + behind, valueSize - behind);
    }

    /** One attempt to take a lock. */
    private static boolean tryAcquire(final UnsafeBuffer values, final int at)
    {
        return 0 == values.getIntVolatile(at) && values.compareAndSetInt(at, 0, 1);
    }

    /** Gives a lock back. */
    public static void release(final UnsafeBuffer values, final int at)
    {
        values.putIntRelease(at, 0);
    }

    /** Waits for a lock, but not for ever: false when it did not come. */
    public static boolean acquire(final UnsafeBuffer values, final int at)
    {
        int spins = 0;
        while (!tryAcquire(values, at))
        {
            spins = Words.pause(spins);
            if (spins > PATIENCE)
            {
                return false;
            }
        }
        return true;
    }
}
