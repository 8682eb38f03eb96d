package io.ringtap.frontend;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Poll;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

import java.net.InetAddress;

/**
 * The duty cycle of a guest's thread over one or several queue pairs: receives, answers or checks, generates. It is its
 * own idle strategy: with nothing to do it spins a while, then sleeps until a device calls.
 */
public final class GuestAgent implements Agent, IdleStrategy, AutoCloseable
{
    private static final int BATCH = 64;
    /** The end of a sleep that nobody interrupted: one wake-up a second at most. */
    private static final int SLEEP_MS = 1000;
    /** How finely a generator with a rate is paced while it has nothing due. */
    private static final int PACE_MS = 1;

    private final String name;
    private final GuestQueue[] queues;
    private final GuestStack[] stacks;
    private final Pktgen[] generators;
    private final FrameConsumer[] consumers;
    private final Sink sink;
    private final boolean isBusy;
    private final long spinNs;
    private final Epoll epoll;
    private final EventFd wake = EventFd.create();
    private long idleSinceNs;
    private boolean isIdle;
    private boolean isPaced;
    private volatile InetAddress question;
    private volatile Pktgen[] nextGenerators;
    private volatile boolean isGenerating;
    private volatile boolean isStopping;

    /**
     * @param name   for the thread.
     * @param queues that this thread serves.
     * @param stacks one for each queue.
     * @param sink   takes generators' frames; null leaves them to the stacks.
     * @param spinNs how long to spin before a sleep; negative for ever.
     */
    GuestAgent(
        final String name,
        final GuestQueue[] queues,
        final GuestStack[] stacks,
        final Sink sink,
        final long spinNs)
    {
        this.name = name;
        this.queues = queues;
        this.stacks = stacks;
        this.sink = sink;
        this.spinNs = spinNs;
        isBusy = spinNs < 0;
        generators = new Pktgen[queues.length];
        consumers = new FrameConsumer[queues.length];
        epoll = Epoll.create(queues.length + 1);
        epoll.add(wake.number(), Poll.IN, queues.length);
        for (int i = 0; i < queues.length; i++)
        {
            final GuestStack stack = stacks[i];
            consumers[i] = null == sink ? stack :
                (buffer, header, offset, length) -> onFrame(stack, buffer, header, offset, length);
            epoll.add(queues[i].callDescriptor(), Poll.IN, i);
        }
    }

    @Override
    public String roleName()
    {
        return name;
    }

    @Override
    public int doWork()
    {
        try
        {
            return work();
        }
        catch (final RuntimeException broken)
        {
            // The device broke a ring: there is nothing to go on with.
            throw new AgentTerminationException(broken);
        }
    }

    private int work()
    {
        takeCommands();
        int work = 0;
        for (int i = 0; i < queues.length; i++)
        {
            work += queues[i].poll(consumers[i], BATCH);
            final Pktgen generator = generators[i];
            if (null != generator)
            {
                final long before = generator.sentPackets();
                work += generator.doWork();
                queues[i].counters().add(GuestCounter.GENERATED_PACKETS, generator.sentPackets() - before);
                if (generator.isDone())
                {
                    generators[i] = null;
                    lookWhetherGenerating();
                }
            }
            queues[i].flush();
        }
        if (0 == work)
        {
            for (final GuestQueue queue : queues)
            {
                work += queue.reclaim();
            }
        }
        return work;
    }

    /**
     * Starts generating; the old generators, if any, stop. Called by any thread.
     *
     * @param perQueue null for a queue that generates nothing.
     */
    synchronized void generate(final Pktgen[] perQueue)
    {
        isGenerating = true;
        nextGenerators = perQueue;
        wake.signal();
    }

    boolean isGenerating()
    {
        return isGenerating;
    }

    /** Asks on the first queue who has an address. Called by any thread. */
    void ask(final InetAddress address)
    {
        question = address;
        wake.signal();
    }

    GuestStack stack(final int index)
    {
        return stacks[index];
    }

    GuestQueue queue(final int index)
    {
        return queues[index];
    }

    int queueCount()
    {
        return queues.length;
    }

    /** What checks generators' frames; null for none. */
    Sink sink()
    {
        return sink;
    }

    /** Ends a sleep and lets no other begin. Called by any thread. */
    void stop()
    {
        isStopping = true;
        wake.signal();
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            isIdle = false;
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        if (isBusy)
        {
            Thread.onSpinWait();
            return;
        }
        if (!isIdle)
        {
            isIdle = true;
            idleSinceNs = System.nanoTime();
        }
        if (System.nanoTime() - idleSinceNs < spinNs)
        {
            Thread.onSpinWait();
            return;
        }
        sleep();
        isIdle = false;
    }

    @Override
    public void reset()
    {
        isIdle = false;
    }

    @Override
    public String alias()
    {
        return "guest";
    }

    @Override
    public void close()
    {
        epoll.close();
        wake.close();
    }

    private void sleep()
    {
        final boolean generates = isGenerating;
        boolean isReady = isStopping;
        for (final GuestQueue queue : queues)
        {
            // A paced generator has room and waits for the clock; its own sends must not wake it.
            isReady |= queue.arm(generates && !isPaced);
        }
        if (!isReady)
        {
            final int events = epoll.await(generates && isPaced ? PACE_MS : SLEEP_MS);
            for (int i = 0; i < events; i++)
            {
                if (queues.length == epoll.token(i))
                {
                    wake.drain();
                }
            }
        }
        for (final GuestQueue queue : queues)
        {
            queue.disarm();
        }
    }

    private void takeCommands()
    {
        if (null != nextGenerators)
        {
            takeGenerators();
        }
        final InetAddress address = question;
        if (null != address)
        {
            question = null;
            stacks[0].neighbours().ask(address);
        }
    }

    private synchronized void takeGenerators()
    {
        isPaced = false;
        for (int i = 0; i < queues.length; i++)
        {
            generators[i] = nextGenerators[i];
            isPaced |= null != generators[i] && generators[i].isPaced();
        }
        nextGenerators = null;
        lookWhetherGenerating();
    }

    /** Under the same lock as a new command, which must not be forgotten over the end of an old one. */
    private synchronized void lookWhetherGenerating()
    {
        boolean isOne = null != nextGenerators;
        for (final Pktgen generator : generators)
        {
            isOne |= null != generator;
        }
        isGenerating = isOne;
    }

    private void onFrame(
        final GuestStack stack, final DirectBuffer buffer, final int header, final int offset, final int length)
    {
        if (!sink.take(buffer, header, offset, length))
        {
            stack.onFrame(buffer, header, offset, length);
        }
    }
}
