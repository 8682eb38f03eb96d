package io.ringtap.demo;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.PortKind;
import io.ringtap.frontend.FrontendConfig;

import java.nio.file.Path;

/** A demonstration without spectators: goes the way of a usual start once, so that its classes are known. */
public final class Rehearsal
{
    private static final int LONG_ENOUGH_MS = 200;

    private Rehearsal()
    {
    }

    /**
     * Serves the built-in guest for a moment, over the null port, and over a TAP where this user may have one.
     *
     * @param directory where the socket may be.
     */
    public static void run(final Path directory) throws InterruptedException
    {
        serve(directory, PortKind.NULL);
        if (DemoNamespace.enter())
        {
            try
            {
                serve(directory, PortKind.TAP);
            }
            catch (final RuntimeException ignored)
            {
                // No TAP for this user: its first start reads a few more classes.
            }
        }
    }

    private static void serve(final Path directory, final PortKind port) throws InterruptedException
    {
        final String socket = directory.resolve("warm-up-" + ProcessHandle.current().pid() + ".sock").toString();
        final BackendConfigBuilder config = BackendConfig.builder().socketPath(socket);
        config.port(port, PortKind.TAP == port ? "tap0" : null);
        try (Backend backend = Backend.launch(config.conclude());
            DemoGuest guest = new DemoGuest(new FrontendConfig().socketPath(socket), Demo.guestAddresses(), 1))
        {
            guest.count();
            Thread.sleep(backend.workers().size() * LONG_ENOUGH_MS);
        }
    }
}
