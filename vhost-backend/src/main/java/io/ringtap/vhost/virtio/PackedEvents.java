package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestWindow;

/** The device's half of the two event suppression structures: what it asks for, and what the driver wants. */
final class PackedEvents
{
    /** Written by the driver: when it wants to be notified. */
    final GuestWindow driver = new GuestWindow();
    /** Written by us: when we want to be kicked. */
    final GuestWindow device = new GuestWindow();
    private final int size;
    private final boolean hasEventIndex;
    private boolean hasPublished;

    PackedEvents(final int size, final boolean hasEventIndex)
    {
        this.size = size;
        this.hasEventIndex = hasEventIndex;
    }

    /** Asks for a kick when the chain that begins here becomes available. */
    void ask(final int nextAvailable, final boolean availableWrap)
    {
        device.putInt(0, PackedLayout.event(nextAvailable, availableWrap,
            hasEventIndex ? PackedLayout.EVENT_DESCRIPTOR : PackedLayout.EVENT_ENABLE));
    }

    /** Asks not to be kicked. */
    void refuse()
    {
        device.putInt(0, PackedLayout.event(0, false, PackedLayout.EVENT_DISABLE));
    }

    /**
     * Whether the driver wants to know of what was just returned.
     *
     * @param before   slot of the first chain.
     * @param nextUsed slot behind the last one.
     * @param usedWrap our wrap counter there.
     */
    boolean isNotificationWanted(final int before, final int nextUsed, final boolean usedWrap)
    {
        final int event = driver.getInt(0);
        final int flags = PackedLayout.eventFlags(event);
        final boolean isFirst = !hasPublished;
        hasPublished = true;
        if (!hasEventIndex || flags != PackedLayout.EVENT_DESCRIPTOR)
        {
            return flags != PackedLayout.EVENT_DISABLE;
        }
        // all three as if the ring went on without end, seen from this lap
        final int index = PackedLayout.index(event) - (PackedLayout.wrap(event) == usedWrap ? 0 : size);
        return isFirst || EventIndex.isPassed(index, nextUsed, nextUsed <= before ? before - size : before);
    }
}
