package io.ringtap.frag;

/**
 * One page-fragment cache for all queues, made safe for them by a spin lock. Allocating a batch takes the lock once.
 */
final class SharedFragAllocator extends ArenaAllocator
{
    private final SpinLock lock = new SpinLock();
    private final PageFragAllocator cache;

    SharedFragAllocator(final PageArena arena)
    {
        super(arena);
        cache = new PageFragAllocator(arena);
    }

    @Override
    public int allocate(final int length)
    {
        lock.lock();
        try
        {
            return cache.allocate(length);
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public int allocate(final int length, final int count, final int[] into)
    {
        lock.lock();
        try
        {
            return cache.allocate(length, count, into);
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    int unspent()
    {
        return 0;
    }

    @Override
    public void close()
    {
        lock.lock();
        try
        {
            cache.close();
        }
        finally
        {
            lock.unlock();
        }
    }
}
