package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Poll;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One queue pair of the guest's network card. One thread uses it, by polling or by sleeping until the device calls;
 * nothing is allocated per frame.
 */
public final class GuestQueue implements FrameWriter, AutoCloseable
{
    private final TransmitQueue transmit;
    private final ReceiveQueue receive;
    private final EventFd receiveCall;
    private final EventFd transmitCall;
    private final Epoll epoll;
    private final CounterSet<GuestCounter> counters;

    GuestQueue(
        final int pair,
        final FrontendRing receiveRing,
        final FrontendRing transmitRing,
        final FrontendMemory memory,
        final GuestLayout layout)
    {
        counters = new CounterSet<>("queue " + pair, GuestCounter.class);
        receive = new ReceiveQueue(receiveRing, memory, layout, counters);
        transmit = new TransmitQueue(transmitRing, memory, layout, counters);
        receiveCall = receiveRing.call();
        transmitCall = transmitRing.call();
        epoll = Epoll.create(2);
        if (null != receiveCall)
        {
            epoll.add(receiveCall.number(), Poll.IN, 0);
            epoll.add(transmitCall.number(), Poll.IN, 1);
        }
        receive.refill();
    }

    public CounterSet<GuestCounter> counters()
    {
        return counters;
    }

    @Override
    public UnsafeBuffer buffer()
    {
        return transmit.buffer();
    }

    @Override
    public int headerLength()
    {
        return transmit.headerLength();
    }

    @Override
    public int maxFrame()
    {
        return transmit.maxFrame();
    }

    @Override
    public int claim(final int length)
    {
        return transmit.claim(length);
    }

    @Override
    public void commit()
    {
        transmit.commit();
    }

    @Override
    public void flush()
    {
        transmit.flush();
    }

    /**
     * Copies a frame into the ring; the device sees it after {@link #flush}.
     *
     * @return false when there is no room at present.
     */
    public boolean offer(final DirectBuffer frame, final int offset, final int length)
    {
        return offer(null, 0, frame, offset, length);
    }

    /**
     * As the other, with a net header of {@link #headerLength} bytes.
     *
     * @param header may be null for a plain frame.
     */
    public boolean offer(
        final DirectBuffer header,
        final int headerOffset,
        final DirectBuffer frame,
        final int offset,
        final int length)
    {
        final int at = transmit.claim(length);
        if (FULL == at)
        {
            return false;
        }
        if (null != header)
        {
            buffer().putBytes(at - headerLength(), header, headerOffset, headerLength());
        }
        buffer().putBytes(at, frame, offset, length);
        transmit.commit();
        return true;
    }

    /** Sends one frame at once; false when there is no room at present. */
    public boolean send(final DirectBuffer frame, final int offset, final int length)
    {
        final boolean isTaken = offer(frame, offset, length);
        transmit.flush();
        return isTaken;
    }

    /**
     * Hands out received frames and refills the ring.
     *
     * @param limit most frames.
     * @return frames.
     */
    public int poll(final FrameConsumer consumer, final int limit)
    {
        return receive.poll(consumer, limit);
    }

    /** Takes back transmitted frames; sending does it when it needs room. @return frames. */
    public int reclaim()
    {
        return transmit.reclaim();
    }

    /** Frames that the device has not given back, as far as we looked. */
    public int inFlight()
    {
        return transmit.inFlight();
    }

    /**
     * Sleeps until the device calls, without costing anything: for a frame, or also for room to send.
     *
     * @param timeoutMs   -1 for ever.
     * @param alsoForRoom whether room in the transmit ring is waited for.
     * @return whether there may be something to do.
     */
    public boolean await(final int timeoutMs, final boolean alsoForRoom)
    {
        final boolean isReady = arm(alsoForRoom) || null != receiveCall && epoll.await(timeoutMs) > 0;
        disarm();
        return isReady;
    }

    /**
     * Asks the device for calls, for a thread that then waits for {@link #callDescriptor()} among others.
     *
     * @return true when there is something to do already.
     */
    boolean arm(final boolean alsoForRoom)
    {
        final boolean hasFrame = receive.arm();
        return alsoForRoom && transmit.arm() || hasFrame;
    }

    /** Takes the calls that came and asks for no more. */
    void disarm()
    {
        if (null != receiveCall && 0 != receiveCall.drain() + transmitCall.drain())
        {
            counters.increment(GuestCounter.WAKEUPS);
        }
        receive.disarm();
        transmit.disarm();
    }

    /** Becomes readable when the device calls. */
    int callDescriptor()
    {
        return epoll.number();
    }

    @Override
    public void close()
    {
        epoll.close();
    }
}
