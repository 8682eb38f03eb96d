package io.ringtap.port;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that flushes a ring, so that its writer makes no system call. It is woken by the first frames (a doorbell
 * is rung), flushes until there are no more, lingers a while for others, and sleeps.
 * <p>
 * No ring of the bell is lost: the writer publishes its frames and then looks whether the flusher sleeps; the flusher
 * says that it sleeps and then looks for frames. All four are volatile accesses, so at least one of the two sees the
 * other. Lingering is given up for a while when it seldom finds frames: with sparse traffic it wastes a CPU, and where
 * writer and flusher share one it keeps the writer from its work.
 */
final class Doorbell implements AutoCloseable, Runnable
{
    private static final VarHandle SLEEPS;

    /** Nothing stands between the flusher and its work. */
    private static final int NO_FAULT = TransmitRing.FLUSHED;

    private static final int SPINS_PER_CLOCK_READ = 32;

    /** About the time of a batch on its way, and of a sleep with its wake-up. */
    private static final long ADAPTIVE_LINGER_NS = 50_000;

    /** Lingers that are judged together, and how many must have found frames for more of them. */
    private static final int TRIAL = 16;
    private static final int LEAST_HITS = 4;

    /** Sleeps without lingering before it is tried again. */
    private static final int FIRST_PAUSE = 256;
    private static final int LONGEST_PAUSE = 4096;

    /** While the host has no room: a few frames' time, then a tick, then the writer's turn to look at the link. */
    private static final long RETRY_NS = 20_000;
    private static final int MOST_RETRIES = 50;

    static
    {
        try
        {
            SLEEPS = MethodHandles.lookup().findVarHandle(Doorbell.class, "sleeps", boolean.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final EventFd bell = EventFd.create();
    private final Thread thread;
    private final boolean isAdaptive;
    private volatile TransmitRing ring;
    private volatile boolean sleeps;
    private volatile boolean isClosed;
    private volatile int fault = NO_FAULT;
    /** Written by the flusher, read by the writer. */
    private volatile long flushes;
    private volatile long lingers;
    private final long lingerNs;
    private int hits;
    private int tries;
    private int pause;
    private int nextPause = FIRST_PAUSE;
    private long rung;

    /** @param lingerUs microseconds, or {@link PacketOptions#ADAPTIVE_LINGER}. */
    Doorbell(final String name, final TransmitRing ring, final int lingerUs)
    {
        this.ring = ring;
        isAdaptive = PacketOptions.ADAPTIVE_LINGER == lingerUs;
        lingerNs = isAdaptive ? ADAPTIVE_LINGER_NS : lingerUs * 1000L;
        thread = new Thread(this, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The writer has published frames. */
    void ring()
    {
        if (sleeps && SLEEPS.compareAndSet(this, true, false))
        {
            rung++;
            bell.signal();
        }
    }

    /** The writer's: how often the bell was rung. */
    long rung()
    {
        return rung;
    }

    /** How often the flusher called the kernel to send. */
    long flushes()
    {
        return flushes;
    }

    /** How often lingering found frames. */
    long lingers()
    {
        return lingers;
    }

    /** Why the flusher stands still until {@link #resume}, as a result of {@link TransmitRing#flush}. */
    int fault()
    {
        return fault;
    }

    boolean isAtFault()
    {
        return NO_FAULT != fault;
    }

    /** The writer dealt with the fault, perhaps with a new ring. */
    void resume(final TransmitRing next)
    {
        ring = next;
        fault = NO_FAULT;
        ring();
    }

    @Override
    public void run()
    {
        while (!isClosed)
        {
            if (hasWork())
            {
                flush();
            }
            else if (!linger())
            {
                sleep();
            }
        }
        if (hasWork())
        {
            ring.flush();
        }
    }

    /** What is in the ring goes out first, if the host takes it. */
    @Override
    public void close()
    {
        isClosed = true;
        bell.signal();
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        bell.close();
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasWork()
    {
        final TransmitRing current = ring;
        return NO_FAULT == fault && current.published() != current.taken();
    }

    private void flush()
    {
        final TransmitRing current = ring;
        int result = current.flush();
        flushes++;
        for (int i = 0; TransmitRing.HELD == result && i < MOST_RETRIES && !isClosed; i++)
        {
            LockSupport.parkNanos(RETRY_NS);
            result = current.flush();
            flushes++;
        }
        if (TransmitRing.FLUSHED != result && current == ring)
        {
            fault = result;
        }
    }

    /** @return whether frames came. */
    private boolean linger()
    {
        if (0 == lingerNs || 0 < pause || NO_FAULT != fault)
        {
            return false;
        }
        final boolean isHit = awaitWork();
        if (isHit)
        {
            lingers++;
        }
        if (isAdaptive)
        {
            judge(isHit);
        }
        return isHit;
    }

    private boolean awaitWork()
    {
        final long startNs = System.nanoTime();
        do
        {
            for (int i = 0; i < SPINS_PER_CLOCK_READ; i++)
            {
                if (hasWork() || isClosed)
                {
                    return true;
                }
                Thread.onSpinWait();
            }
        }
        while (System.nanoTime() - startNs < lingerNs);
        return false;
    }

    private void judge(final boolean isHit)
    {
        hits += isHit ? 1 : 0;
        if (++tries == TRIAL)
        {
            if (hits < LEAST_HITS)
            {
                pause = nextPause;
                nextPause = Math.min(LONGEST_PAUSE, 2 * nextPause);
            }
            else
            {
                nextPause = FIRST_PAUSE;
            }
            hits = 0;
            tries = 0;
        }
    }

    private void sleep()
    {
        pause = Math.max(0, pause - 1);
        sleeps = true;
        if ((hasWork() || isClosed) && SLEEPS.compareAndSet(this, true, false))
        {
            return;
        }
        Syscalls.poll(bell.number(), Poll.IN, -1);
        bell.drain();
        sleeps = false;
    }
}
