package io.ringtap.vhost.dataplane;

/** What can sleep in the kernel until there is something to do. */
interface Parking
{
    /**
     * Sleeps until there is something to do: asks for signs of work, looks once more, then blocks on all of them.
     *
     * @return false when it did not sleep because work was there already.
     */
    boolean park();
}
