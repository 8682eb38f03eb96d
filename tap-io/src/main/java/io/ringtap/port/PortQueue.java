package io.ringtap.port;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;

/** One transmit and receive queue of a port; used by one worker thread, never blocks. */
public interface PortQueue extends AutoCloseable
{
    /**
     * Sends the ready list of the batch from {@link FrameBatch#sent()} on, in order, and moves {@code sent} forward.
     * A frame that the port refuses for its content (EINVAL, EIO, too long) is counted and passed over. What is left
     * when this returns was held back by the port (its queue is full): the caller tries again later.
     *
     * @return frames taken or passed over by this call.
     */
    int transmit(FrameBatch batch);

    /**
     * Appends received frames to the batch, each in a slot with headroom and a valid net header before it.
     *
     * @param limit most frames.
     * @return frames appended; 0 when there is nothing.
     */
    int receive(FrameBatch batch, int limit);

    /**
     * Gives back what {@link #receive} lent (every slot of the batch, and what lies outside the slots) and clears the
     * batch; called for every received batch before the next receive. Who wants a frame longer retains its fragment.
     */
    void release(FrameBatch batch);

    /** Sends whatever transmit deferred (flush threshold); called at the end of a batch and before the worker parks. */
    void flush();

    /**
     * Whether frames that {@link #transmit} took still wait for the host to have room: {@link #flush} is then to be
     * called again soon, even when nothing more is sent.
     */
    default boolean isHolding()
    {
        return false;
    }

    /**
     * Gets ready for the worker's sleep: after this, {@link #waitDescriptor()} becomes readable when there is something
     * to receive.
     *
     * @return false when there is something to receive already, so the worker must not sleep.
     */
    boolean armReceive();

    /**
     * Descriptor to poll for input while the worker sleeps (level-triggered), or -1 when this queue cannot have input.
     * It changes when {@link #isGone()} changes.
     */
    int waitDescriptor();

    /**
     * Takes part in the port's traffic or not: the kernel spreads flows over attached queues only, so the queue of a
     * pair that the guest does not use must not hold any.
     */
    void attach(boolean on);

    /**
     * Whether the host's device was deleted under the port. Frames are then counted and passed over and nothing is
     * received, until {@link #revive} brings the device back.
     */
    default boolean isGone()
    {
        return false;
    }

    /**
     * Tries to get a lost device back; called by the worker now and then while {@link #isGone()}. Does something at
     * most once a second, so it may be called with each cycle.
     *
     * @param nowNs the worker's clock.
     * @return true when the device is there (again).
     */
    default boolean revive(final long nowNs)
    {
        return true;
    }

    /** Written by the worker alone, read by anybody. */
    CounterSet<PortCounter> counters();

    @Override
    void close();
}
