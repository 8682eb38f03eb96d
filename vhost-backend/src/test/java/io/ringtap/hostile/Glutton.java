package io.ringtap.hostile;

import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.SplitDriverRing;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A driver that makes every turn of its worker as dear as it can: a ring full of chains that go round and round. */
final class Glutton implements AutoCloseable
{
    private static final int SIZE = 4096;
    private static final long PAUSE_NS = 20_000;

    private final HostileDriver driver;

    Glutton(final HostileBed bed)
    {
        driver = bed.welcomeDriver(new FrontendConfig().socketPath(bed.path(HostileBed.ATTACKED)).queuePairs(2)
            .ringSize(SIZE).regions(2, Attack.HOLE).timeoutMs(30_000));
        for (int i = 0; i < SIZE; i++)
        {
            // Empty buffers are no fault and count as none, so only the descriptors themselves are an end.
            ring().pokeDescriptor(i, driver.frameAddress(), 0, Piece.NEXT, (i + 1) % SIZE);
            ring().pokeAvailable(i, 0);
        }
    }

    /** Whatever comes back is shown again at once. @return chains that came back. */
    long run(final BooleanSupplier isOver)
    {
        long returned = 0;
        int seen = 0;
        while (!isOver.getAsBoolean())
        {
            final int used = ring().usedIndex();
            returned += used - seen & 0xFFFF;
            seen = used;
            ring().pokeAvailableIndex(used + SIZE);
            driver.kick(HostileDriver.SEND);
            LockSupport.parkNanos(PAUSE_NS);
        }
        return returned;
    }

    private SplitDriverRing ring()
    {
        return driver.split(HostileDriver.SEND).split();
    }

    @Override
    public void close()
    {
        driver.close();
    }
}
