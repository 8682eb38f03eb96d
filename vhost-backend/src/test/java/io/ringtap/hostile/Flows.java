package io.ringtap.hostile;

import static io.ringtap.hostile.HostileBed.await;
import static io.ringtap.hostile.HostileDriver.OTHER_RECEIVE;
import static io.ringtap.hostile.HostileDriver.RECEIVE;

/**
 * Two source ports whose flows the exchange gives to the first and to the second pair of the attacked NIC.
 *
 * @param first  for the first pair.
 * @param second for the second.
 */
record Flows(int first, int second)
{
    private static final int TRIED = 64;

    /** Finds out by trying. */
    static Flows find(final HostileBed bed, final HostileSetting setting)
    {
        int first = 0;
        int second = 0;
        final Attack none = Attack.sending("none", Verdict.PASSES, (driver) -> {});
        try (HostileDriver driver = new HostileDriver(none.frontend(setting, bed.path(HostileBed.ATTACKED))))
        {
            driver.lend(RECEIVE);
            driver.lend(OTHER_RECEIVE);
            for (int port = 1; port < TRIED && (0 == first || 0 == second); port++)
            {
                final byte[] frame = bed.frameTo(HostileBed.ATTACKED, port, WireFrames.LENGTH);
                bed.source().send(frame);
                await(() -> driver.holds(RECEIVE, frame) || driver.holds(OTHER_RECEIVE, frame), "no way to the guest");
                final boolean isFirst = driver.holds(RECEIVE, frame);
                driver.lend(isFirst ? RECEIVE : OTHER_RECEIVE);
                first = isFirst ? port : first;
                second = isFirst ? second : port;
            }
        }
        return new Flows(first, second);
    }
}
