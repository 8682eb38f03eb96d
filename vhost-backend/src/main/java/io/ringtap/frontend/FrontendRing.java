package io.ringtap.frontend;

import io.ringtap.sys.EventFd;

/** One ring with what notifies about it; it outlives connections, as a guest outlives its back-end. */
public final class FrontendRing implements AutoCloseable
{
    private final int index;
    private DriverRing ring;
    private final int offset;
    private final EventFd kick;
    private final EventFd call;
    private final EventFd error;
    private int base;
    private boolean isRunning;

    FrontendRing(final int index, final DriverRing ring, final int offset, final boolean hasNotifications)
    {
        this.index = index;
        this.ring = ring;
        this.offset = offset;
        kick = hasNotifications ? EventFd.create() : null;
        call = hasNotifications ? EventFd.create() : null;
        error = EventFd.create();
        base = ring.startBase();
    }

    /** Even ones receive. */
    public int index()
    {
        return index;
    }

    public DriverRing ring()
    {
        return ring;
    }

    /** Wakes the device; null when it polls. */
    public EventFd kick()
    {
        return kick;
    }

    /** Wakes us; null when we poll. */
    public EventFd call()
    {
        return call;
    }

    /** Tells that the device found the ring broken. */
    public EventFd error()
    {
        return error;
    }

    /** What the device is told as its base at the next start. */
    public int base()
    {
        return base;
    }

    public boolean isRunning()
    {
        return isRunning;
    }

    /** Whether the device said that this ring is broken; asking clears it. */
    public boolean hasError()
    {
        return 0 != error.drain();
    }

    int offsetOf(final long guestAddress)
    {
        return offset + (int)(guestAddress - ring.descriptorAddress());
    }

    /** Another ring in the place of this one, which must not be longer. */
    void replaced(final DriverRing fresh)
    {
        ring = fresh;
        base = fresh.startBase();
    }

    int offset()
    {
        return offset;
    }

    void started()
    {
        isRunning = true;
    }

    void stopped(final int baseOfDevice)
    {
        isRunning = false;
        base = baseOfDevice;
    }

    /**
     * The device is gone without a word.
     *
     * @param isTracked the base of a packed ring is the next one's business then, and our threads may go on.
     */
    void forsaken(final boolean isTracked)
    {
        if (isRunning)
        {
            stopped(isTracked ? base : ring.resumeBase());
        }
    }

    @Override
    public void close()
    {
        if (null != kick)
        {
            kick.close();
            call.close();
        }
        error.close();
    }
}
