package io.ringtap.frag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Mutual exclusion, with a witness. */
@Timeout(60)
class SpinLockTest
{
    private final SpinLock lock = new SpinLock();
    private long plain;

    @Test
    void shouldBeHeldByOneAtATime()
    {
        assertTrue(lock.tryLock());
        assertTrue(lock.isHeld());
        assertFalse(lock.tryLock());
        lock.unlock();
        assertFalse(lock.isHeld());
        lock.lock();
        assertTrue(lock.isHeld());
        lock.unlock();
    }

    @Test
    void shouldKeepThreadsApartAndShowEachWhatTheLastOneWrote() throws InterruptedException
    {
        final int perThread = 200_000;
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger together = new AtomicInteger();
        final Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++)
        {
            threads[t] = new Thread(() ->
            {
                for (int i = 0; i < perThread; i++)
                {
                    lock.lock();
                    if (inside.incrementAndGet() != 1)
                    {
                        together.incrementAndGet();
                    }
                    plain++;
                    inside.decrementAndGet();
                    lock.unlock();
                }
            });
            threads[t].start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(0, together.get());
        assertEquals((long)perThread * threads.length, plain);
    }
}
