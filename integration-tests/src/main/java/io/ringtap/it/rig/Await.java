package io.ringtap.it.rig;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for a state of the world, with a limit that is generous because the machine may be busy. */
public final class Await
{
    private static final long STEP_MS = 20;

    private Await()
    {
    }

    public static void until(final String what, final Duration limit, final BooleanSupplier condition)
    {
        until(() -> what, limit, condition);
    }

    public static void until(final Supplier<String> what, final Duration limit, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new RigException("not within " + limit.toSeconds() + " s: " + what.get());
            }
            pause(Duration.ofMillis(STEP_MS));
        }
    }

    /** Waits until a figure has not changed for {@code quiet}, and returns it. */
    public static long settled(final Duration quiet, final Duration limit, final Supplier<Long> figure)
    {
        final long deadlineNs = System.nanoTime() + limit.toNanos();
        long last = figure.get();
        long sinceNs = System.nanoTime();
        while (System.nanoTime() - sinceNs < quiet.toNanos() && System.nanoTime() < deadlineNs)
        {
            pause(Duration.ofMillis(STEP_MS));
            final long now = figure.get();
            if (now != last)
            {
                last = now;
                sinceNs = System.nanoTime();
            }
        }
        return last;
    }

    public static void pause(final Duration time)
    {
        try
        {
            Thread.sleep(time.toMillis());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted", ex);
        }
    }
}
