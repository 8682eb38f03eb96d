package io.ringtap.it.rig;

import java.time.Duration;
import java.util.function.Predicate;

/** Waits for who listens on a TCP port: a program that goes to the background may do so before it listens. */
final class Listeners
{
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Listeners()
    {
    }

    /** @param shell runs a command where the listener is to be; says whether it succeeded. */
    static void await(final int port, final Predicate<String> shell)
    {
        // In the state LISTEN, of either family: what is left of an older connection has the port too, for a minute.
        final String look = "cat /proc/net/tcp /proc/net/tcp6 | grep -q '" +
            String.format(":%04X 0*:0000 0A ", port) + "'";
        Await.until("a listener on port " + port, LIMIT, () -> shell.test(look));
    }
}
