package io.ringtap.it.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Progress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every fuzz target for a few seconds; for half an hour each with {@code -Dfuzz.seconds=1800}. The seed is printed, and
 * set from outside with {@code -Dfuzz.seed=N}.
 */
class FuzzIT
{
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 3);
    private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime() & 0x7fff_ffffL);

    @ParameterizedTest
    @EnumSource(FuzzTarget.class)
    void shouldFindNothing(final FuzzTarget target)
    {
        final FuzzRun.Outcome outcome = new FuzzRun(target).run(SECONDS, SEED);
        Progress.say("fuzz " + target + ", " + SECONDS + " s, seed " + SEED + ": " + outcome);
        assertTrue(outcome.executions() > 0 && outcome.coverage() > 0, outcome::toString);
    }
}
