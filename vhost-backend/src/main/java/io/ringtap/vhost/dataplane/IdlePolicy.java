package io.ringtap.vhost.dataplane;

import org.agrona.concurrent.IdleStrategy;

/**
 * How a worker waits: it spins for a while after the last work, then parks itself in the kernel until a kick, the port
 * or a command wakes it. The spinning adapts: it grows to the limit while work keeps coming soon after parking, and
 * shrinks to nothing while it does not, so an idle guest costs no CPU.
 */
final class IdlePolicy implements IdleStrategy
{
    private static final int SPINS_PER_CLOCK_READ = 32;
    private static final long FIRST_WINDOW_NS = 2_000;

    private final Parking worker;
    private final long maxSpinNs;
    private long windowNs;
    private long idleSinceNs;
    private int spins;

    IdlePolicy(final Parking worker, final long maxSpinNs)
    {
        this.worker = worker;
        this.maxSpinNs = maxSpinNs;
        windowNs = maxSpinNs;
    }

    @Override
    public void idle(final int workCount)
    {
        if (0 < workCount)
        {
            reset();
            return;
        }
        if (0 < windowNs && mustSpin())
        {
            Thread.onSpinWait();
            return;
        }
        final long parkedAtNs = System.nanoTime();
        if (worker.park())
        {
            adapt(System.nanoTime() - parkedAtNs);
        }
        reset();
    }

    @Override
    public void idle()
    {
        idle(0);
    }

    @Override
    public void reset()
    {
        idleSinceNs = 0;
        spins = 0;
    }

    private boolean mustSpin()
    {
        if (++spins < SPINS_PER_CLOCK_READ)
        {
            return true;
        }
        spins = 0;
        final long nowNs = System.nanoTime();
        if (idleSinceNs == 0)
        {
            idleSinceNs = nowNs;
            return true;
        }
        return nowNs - idleSinceNs < windowNs;
    }

    private void adapt(final long sleptNs)
    {
        windowNs = sleptNs < maxSpinNs ?
            Math.min(maxSpinNs, Math.max(FIRST_WINDOW_NS, windowNs * 2)) :
            windowNs / 2;
        if (windowNs < FIRST_WINDOW_NS)
        {
            windowNs = 0;
        }
    }
}
