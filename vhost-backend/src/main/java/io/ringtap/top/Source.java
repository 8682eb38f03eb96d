package io.ringtap.top;

/** Where snapshots come from. */
@FunctionalInterface
interface Source
{
    /**
     * Asks the backend.
     *
     * @throws io.ringtap.vhost.ops.CommandException when it does not answer.
     */
    Snapshot next();
}
