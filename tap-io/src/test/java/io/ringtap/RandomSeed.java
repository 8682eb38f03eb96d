package io.ringtap;

import java.util.Random;

/** Seeds of random tests: printed, and set from outside with {@code -Dringtap.seed=N} to run one again. */
public final class RandomSeed
{
    private RandomSeed()
    {
    }

    /** A source of randomness whose seed stands in the test's output. */
    public static Random random(final Class<?> test)
    {
        return new Random(seed(test));
    }

    public static long seed(final Class<?> test)
    {
        final long seed = Long.getLong("ringtap.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + ": seed " + seed);
        return seed;
    }
}
