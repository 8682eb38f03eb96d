package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Poll;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.virtio.DescriptorChain;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.vhost.virtio.Virtqueue;

/**
 * The control ring, served by the session's thread: its commands change what all workers do, and the session is who may
 * ask them to. Each service is bounded, so that a driver cannot keep the session from its front-end.
 */
final class ControlRing implements AutoCloseable
{
    /** Most commands of one service. */
    static final int BATCH = 16;

    private static final int WAIT_SET = 2;
    private static final long AGAIN = -1;

    private final Epoll epoll = Epoll.create(WAIT_SET);
    private final EventFd again = EventFd.create();
    private final DescriptorChain chain = new DescriptorChain();
    private final RingEnd end;

    ControlRing(final String port, final int index)
    {
        end = new RingEnd(port, index, epoll, new CounterSet<>("control", WorkerCounter.class));
        epoll.add(again.number(), Poll.IN, AGAIN);
    }

    RingEnd end()
    {
        return end;
    }

    /** Readable when there is something to serve. */
    int number()
    {
        return epoll.number();
    }

    void start(final RingSetup setup, final GuestMemory memory)
    {
        end.start(setup, memory);
        again.signal();
    }

    void enable(final boolean isOn)
    {
        end.enable(isOn);
        again.signal();
    }

    void translated(final boolean hasLost)
    {
        end.translated(hasLost);
        again.signal();
    }

    /** The driver never kicks: somebody has to look at the ring from time to time. */
    boolean mustBePolled()
    {
        return end.isRunning() && end.mustBePolled();
    }

    void serve(final ChainHandler handler)
    {
        final int ready = epoll.await(0);
        for (int i = 0; i < ready; i++)
        {
            if (AGAIN == epoll.token(i))
            {
                again.drain();
            }
            else
            {
                end.drainKick();
            }
        }
        try
        {
            if (end.isRunning() && (BATCH == take(handler) || end.isRunning() && end.queue().arm()))
            {
                again.signal();
            }
        }
        catch (final InternalError ex)
        {
            // How the JVM tells of a page that its owner has taken out of a shared file.
            end.fail("its memory was taken away");
        }
    }

    private int take(final ChainHandler handler)
    {
        final Virtqueue queue = end.queue();
        int taken = 0;
        int result = queue.take(chain);
        while (Virtqueue.TAKEN == result || Virtqueue.MALFORMED == result)
        {
            taken++;
            queue.completeWritten(chain, chain.isMalformed() ? 0 : handler.onChain(chain));
            result = BATCH == taken ? Virtqueue.EMPTY : queue.take(chain);
        }
        if (0 < taken)
        {
            end.publish(System.nanoTime());
        }
        if (Virtqueue.BROKEN == result)
        {
            end.fail(queue.brokenBy().meaning());
        }
        return taken;
    }

    @Override
    public void close()
    {
        end.close();
        again.close();
        epoll.close();
    }
}
