package io.ringtap.it.soak;

import io.ringtap.it.rig.Provision;
import org.junit.jupiter.api.Test;

/**
 * A soak of 20 seconds; longer with {@code -Dsoak.seconds=1800}. The seed is printed, and set from outside with
 * {@code -Dsoak.seed=N}.
 */
class SoakIT
{
    private static final int SECONDS = Integer.getInteger("soak.seconds", 20);
    private static final long SEED = Long.getLong("soak.seed", System.nanoTime());

    @Test
    void shouldBalanceAfterEverythingWasMixed() throws Exception
    {
        Provision.kit();
        try (SoakBed bed = new SoakBed())
        {
            new Soak(bed, SEED).run(SECONDS);
        }
    }
}
