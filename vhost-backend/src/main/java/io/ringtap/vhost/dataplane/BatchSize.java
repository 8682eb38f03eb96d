package io.ringtap.vhost.dataplane;

/**
 * How many chains the next cycle takes from a guest's ring. Sixty-four as a rule. More only when the ring had as many
 * and their flows were interleaved: then a longer batch has longer runs of each flow, which leave as fewer and longer
 * super-frames. Where that turns out not to be so, it is not tried again for a while, since a long batch costs cache,
 * and keeps frames in the other direction waiting.
 */
final class BatchSize
{
    /** As many as fit one io_uring submission and one UDP super-frame. */
    static final int USUAL = 64;

    static final int LONGEST = 256;

    /** Batches of the usual length after a longer one did not pay. */
    static final int HOLD_OFF = 1000;

    /** A longer batch pays when it merges at least three packets into two. */
    private static final int GAIN_PERCENT = 150;
    private static final int PERCENT = 100;

    private int limit = USUAL;
    private int holdOff;

    int limit()
    {
        return limit;
    }

    /** There is no memory for long batches at the moment. */
    void shorten()
    {
        limit = USUAL;
        holdOff = HOLD_OFF;
    }

    /**
     * Tells how a batch turned out.
     *
     * @param taken  chains that the ring had.
     * @param frames of them that were sorted.
     * @param flows  among these frames; 0 when they were not sorted.
     * @param ready  super-frames and single frames that they became.
     */
    void learn(final int taken, final int frames, final int flows, final int ready)
    {
        if (holdOff > 0)
        {
            holdOff--;
            return;
        }
        if (taken < limit)
        {
            limit = USUAL;
        }
        else if (limit > USUAL && frames * PERCENT < ready * GAIN_PERCENT)
        {
            shorten();
        }
        else
        {
            limit = flows < 2 ? USUAL : Math.min(LONGEST, USUAL * flows);
        }
    }
}
