package io.ringtap.vhost.virtio;

/** Counts stores to shared memory and ends the device before one of them, as SIGKILL does. */
public final class KillSwitch
{
    private static long stores;
    private static long killAt = Long.MAX_VALUE;

    private KillSwitch()
    {
    }

    /** Called before each store by {@link KillingLoader}'s version of the window. */
    public static void store()
    {
        if (stores == killAt)
        {
            killAt = Long.MAX_VALUE;
            throw new Killed();
        }
        stores++;
    }

    /** Lets so many more stores pass. */
    static void arm(final long more)
    {
        killAt = more == Long.MAX_VALUE ? more : stores + more;
    }

    static long stores()
    {
        return stores;
    }

    /** The device is gone. */
    static final class Killed extends Error
    {
        private static final long serialVersionUID = 1L;

        Killed()
        {
            super("killed", null, false, false);
        }
    }
}
