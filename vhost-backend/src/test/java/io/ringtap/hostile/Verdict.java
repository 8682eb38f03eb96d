package io.ringtap.hostile;

import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.RingCounter;

/**
 * What an attack may cost, and which counter tells of it.
 *
 * @param cost          how much is lost.
 * @param ringCounter   of the attacked ring, counted once; null for none.
 * @param workerCounter of its worker, counted once; null for none.
 */
record Verdict(Cost cost, RingCounter ringCounter, WorkerCounter workerCounter)
{
    /** How much is lost. */
    enum Cost
    {
        /** Nothing: it is odd, and allowed. */
        NOTHING,
        /** The device sees nothing to do. */
        UNSEEN,
        /** The chain goes back with length 0, and the ring goes on. */
        FRAME,
        /** Frames that wait for this ring, for as long as its driver keeps it so; the ring is not stopped. */
        RECEIVED_FRAME,
        /** The ring stops, and its error descriptor tells. */
        RING,
        /** The rings in question may do what they want; nobody else may notice. */
        ITSELF
    }

    static final Verdict PASSES = new Verdict(Cost.NOTHING, null, null);
    static final Verdict UNSEEN = new Verdict(Cost.UNSEEN, null, null);
    static final Verdict ITSELF = new Verdict(Cost.ITSELF, null, null);

    static Verdict frame(final RingCounter why)
    {
        return new Verdict(Cost.FRAME, why, WorkerCounter.DROP_CHAIN);
    }

    static Verdict frame(final WorkerCounter why)
    {
        return new Verdict(Cost.FRAME, null, why);
    }

    static Verdict received(final WorkerCounter why)
    {
        return new Verdict(Cost.RECEIVED_FRAME, null, why);
    }

    static Verdict ring(final RingCounter why)
    {
        return new Verdict(Cost.RING, why, null);
    }
}
