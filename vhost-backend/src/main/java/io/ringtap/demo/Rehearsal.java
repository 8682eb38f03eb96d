package io.ringtap.demo;

import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;

/** A demonstration without spectators: a backend that starts is visited by a guest, so that its classes are known. */
public final class Rehearsal
{
    private static final int LONG_ENOUGH_MS = 200;

    private Rehearsal()
    {
    }

    /** Moves the calling thread where it may make a TAP. @return false when this user may not. */
    public static boolean enterNamespace()
    {
        return DemoNamespace.enter();
    }

    /** Plays a guest for a moment, on a backend that starts about now. One that does not is not visited. */
    public static void visit(final String socketPath) throws InterruptedException
    {
        try (DemoGuest guest = new DemoGuest(
            new FrontendConfig().socketPath(socketPath), Demo.guestAddresses(), 1))
        {
            guest.count();
            Thread.sleep(LONG_ENOUGH_MS);
        }
        catch (final FrontendException ignored)
        {
            // Its first start reads a few more classes.
        }
    }
}
