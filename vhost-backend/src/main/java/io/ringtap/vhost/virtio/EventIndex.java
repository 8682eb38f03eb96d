package io.ringtap.vhost.virtio;

/** The one formula of notification suppression (virtio 1.x, 2.7.10). */
final class EventIndex
{
    private EventIndex()
    {
    }

    /**
     * Whether moving an index from {@code before} to {@code now} passed {@code event}; all three run freely in 16 bits.
     */
    static boolean isPassed(final int event, final int now, final int before)
    {
        return (now - event - 1 & 0xffff) < (now - before & 0xffff);
    }
}
