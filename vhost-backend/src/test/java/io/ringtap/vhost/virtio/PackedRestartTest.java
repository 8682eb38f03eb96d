package io.ringtap.vhost.virtio;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A device that is killed before any of its stores, and comes back to a packed ring of which nobody wrote anything. */
class PackedRestartTest
{
    private static final int RESTARTS = Integer.getInteger("ringtap.packed.restarts", 100);
    private static final int[] SIZES = {1, 2, 3, 4, 7, 16, 64};
    private static final int SEEDS = 4;

    @ParameterizedTest
    @ValueSource(ints = {
        PackedRestartScenario.NO_DROPS, PackedRestartScenario.ONE_DROP, PackedRestartScenario.ALL_DROPS})
    void shouldLoseAndRepeatNothingWhateverTheFrontEndDropped(final int drops) throws Exception
    {
        final Method run = Class.forName(PackedRestartScenario.class.getName(), true, new KillingLoader())
            .getMethod("run", int.class, int.class, long.class, int.class);
        final long[] sums = new long[3];
        for (final int size : SIZES)
        {
            for (long seed = 1; seed <= SEEDS; seed++)
            {
                final long[] counts = call(run, size, drops, seed);
                for (int i = 0; i < sums.length; i++)
                {
                    sums[i] += counts[i];
                }
            }
        }
        assertTrue(sums[0] > RESTARTS && sums[2] > 0 == drops > 0);
        System.out.println("drops " + drops + ", " + SIZES.length * SEEDS * RESTARTS + " restarts, " + sums[0] +
            " chains came back, of them " + sums[1] + " with no bytes, " + sums[2] + " dropped by the front-end");
    }

    private static long[] call(final Method run, final int size, final int drops, final long seed) throws Exception
    {
        try
        {
            return (long[])run.invoke(null, size, drops, seed, RESTARTS);
        }
        catch (final InvocationTargetException ex)
        {
            throw new AssertionError(ex.getCause().getMessage(), ex.getCause());
        }
    }
}
