package io.ringtap.port;

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

    /** Gives back what {@link #receive} lent; called for every received batch before the next receive. */
    void release(FrameBatch batch);

    /** Sends whatever transmit deferred (flush threshold); called at the end of a batch and before the worker parks. */
    void flush();

    /**
     * Gets ready for the worker's sleep: after this, {@link #waitDescriptor()} becomes readable when there is something
     * to receive.
     *
     * @return false when there is something to receive already, so the worker must not sleep.
     */
    boolean armReceive();

    /** Descriptor to poll for input while the worker sleeps, or -1 when this queue never has input. */
    int waitDescriptor();

    /**
     * Takes part in the port's traffic or not: the kernel spreads flows over attached queues only, so the queue of a
     * pair that the guest does not use must not hold any.
     */
    void attach(boolean on);

    @Override
    void close();
}
