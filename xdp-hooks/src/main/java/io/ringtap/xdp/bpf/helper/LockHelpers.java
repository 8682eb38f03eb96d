package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.Holding;
import io.ringtap.xdp.bpf.map.ValueLock;
import org.agrona.concurrent.UnsafeBuffer;

/** bpf_spin_lock: one lock at a time, which is given back at the end of the run at the latest. */
final class LockHelpers
{
    private static final Holding OWNER = ValueLock::release;

    private LockHelpers()
    {
    }

    static long lock(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer memory = lockMemory(c, r1);
        final int index = c.index();
        if (c.holds(OWNER))
        {
            throw c.refuse("a lock is held already", r1);
        }
        if (!ValueLock.acquire(memory, index))
        {
            throw c.refuse("the lock does not come", r1);
        }
        if (!c.hold(OWNER, memory, index))
        {
            ValueLock.release(memory, index);
            throw c.refuse("too much is held", r1);
        }
        return 0;
    }

    static long unlock(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer memory = lockMemory(c, r1);
        final int index = c.index();
        if (OWNER != c.letGo(memory, index))
        {
            throw c.refuse("that lock is not held", r1);
        }
        ValueLock.release(memory, index);
        return 0;
    }

    /** Whether the program holds a lock. */
    static boolean isHeld(final BpfContext c)
    {
        return c.holds(OWNER);
    }

    private static UnsafeBuffer lockMemory(final BpfContext c, final long address)
    {
        if (!c.isValue(address) || (address & 3) != 0)
        {
            throw c.refuse("that is no lock in a value of a map", address);
        }
        return c.writable(address, Integer.BYTES);
    }
}
