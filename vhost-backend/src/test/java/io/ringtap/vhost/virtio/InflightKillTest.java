package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A device that is killed before any one of its stores, and again while its successor takes up what it left. */
class InflightKillTest
{
    private static final int SEEDS = Integer.getInteger("ringtap.inflight.seeds", 2);
    private static final long IN_ORDER = NetFeatures.bit(NetFeatures.IN_ORDER);

    @ParameterizedTest
    @EnumSource
    @Tag("protocol.INFLIGHT_SHMFD")
    void shouldLoseAndRepeatNothingWhereverItIsKilled(final RingKind kind) throws Exception
    {
        killEverywhere(kind, kind.name().startsWith("PACKED") ? 7 : 8, kind.features);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseAndRepeatNothingInOrderEither(final RingKind kind) throws Exception
    {
        killEverywhere(kind, 8, kind.features | IN_ORDER);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void shouldLoseAndRepeatNothingInRingsOfOtherSizes(final int size) throws Exception
    {
        killEverywhere(RingKind.SPLIT_EVENT, size, RingKind.SPLIT_EVENT.features);
        killEverywhere(RingKind.PACKED_EVENT, size, RingKind.PACKED_EVENT.features);
    }

    private static void killEverywhere(final RingKind kind, final int size, final long features) throws Exception
    {
        final Method run = Class.forName(InflightScenario.class.getName(), true, new KillingLoader())
            .getMethod("run", int.class, long.class, long.class, long[].class);
        long cases = 0;
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final Random random = new Random(seed);
            final long stores = call(run, size, features, seed);
            assertTrue(stores > 50, stores + " stores");
            for (long kill = 0; kill < stores; kill++)
            {
                call(run, size, features, seed, kill);
                call(run, size, features, seed, kill, random.nextInt(12), random.nextInt(40), random.nextInt(200));
                cases += 2;
            }
        }
        System.out.println(kind + " of " + size + ": " + cases + " cases, seeds 1 to " + SEEDS);
    }

    private static long call(
        final Method run, final int size, final long features, final long seed, final long... kills) throws Exception
    {
        try
        {
            return (Long)run.invoke(null, size, features, seed, kills);
        }
        catch (final InvocationTargetException ex)
        {
            throw new AssertionError(ex.getCause().getMessage(), ex.getCause());
        }
    }
}
