package io.ringtap.vhost.dataplane;

/**
 * How fast the frames of a NIC may go, by direction, and what it wasted; shared by its workers.
 *
 * @param fromGuest frames from the guest: beyond it they stay in the guest's ring.
 * @param toGuest   frames to the guest: beyond it they stay in the host's queue, which drops what it cannot hold.
 * @param fruitless time spent on chains without frames, after which the rings rest.
 */
public record RateLimits(RateLimit fromGuest, RateLimit toGuest, FruitlessTime fruitless)
{
    /** Without limits. */
    public RateLimits()
    {
        this(new RateLimit(), new RateLimit(), new FruitlessTime());
    }
}
