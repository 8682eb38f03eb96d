package io.ringtap.frontend;

import io.ringtap.sys.Affinity;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.SystemNanoClock;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A guest without a virtual machine: a front-end with threads that answer, check and generate. Make it, {@link #start}
 * it, {@link #close} it; several may live in one process.
 */
public final class Guest implements AutoCloseable
{
    private static final int ASK_EVERY_MS = 100;

    private final Frontend frontend;
    private final GuestConfig config;
    private final List<GuestAgent> agents = new ArrayList<>();
    private final List<AgentRunner> runners = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private boolean isClosed;

    /** Nothing is opened before {@link #start}. */
    public Guest(final FrontendConfig frontendConfig, final GuestConfig config)
    {
        if (null == config.addresses())
        {
            throw new IllegalArgumentException("a guest needs addresses");
        }
        this.config = config;
        frontend = new Frontend(frontendConfig);
    }

    /**
     * Connects, starts the rings and the threads.
     *
     * @throws FrontendException when there is no back-end or it refuses.
     */
    public void start()
    {
        frontend.connect();
        final GuestNic nic = frontend.nic();
        frontend.start();
        final int threads = Math.min(config.threads(), nic.queueCount());
        final Sink sink = config.sinkFlows() > 0 ?
            new Sink("guest", config.sinkFlows(), config.verifiesChecksums()) : null;
        for (int i = 0; i < threads; i++)
        {
            agents.add(makeAgent(nic, i, threads, sink));
        }
        for (int i = 0; i < threads; i++)
        {
            launch(i);
        }
    }

    /** The front-end, for its features and control calls. */
    public Frontend frontend()
    {
        return frontend;
    }

    /**
     * Starts generating on every queue, instead of what was generated before.
     *
     * @throws IllegalArgumentException when the configuration cannot be sent with the features in force.
     */
    public void generate(final PktgenConfig what)
    {
        what.conclude(frontend.has(NetFeatures.CSUM));
        final int total = frontend.nic().queueCount();
        for (int i = 0; i < agents.size(); i++)
        {
            final GuestAgent agent = agents.get(i);
            final Pktgen[] generators = new Pktgen[agent.queueCount()];
            for (int j = 0; j < generators.length; j++)
            {
                generators[j] = new Pktgen(
                    what, agent.queue(j), SystemNanoClock.INSTANCE, i + j * agents.size(), total);
            }
            agent.generate(generators);
        }
    }

    /** Ends generating; what was sent is counted when {@link #isGenerating} says no. */
    public void stopGenerating()
    {
        agents.forEach(agent -> agent.generate(new Pktgen[agent.queueCount()]));
    }

    /** Whether something is still to be sent. */
    public boolean isGenerating()
    {
        return agents.stream().anyMatch(GuestAgent::isGenerating);
    }

    /**
     * Finds out the MAC of a neighbour by ARP or neighbour discovery.
     *
     * @return null when nobody answered in time.
     */
    public MacAddress resolve(final InetAddress neighbour, final long timeoutMs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutMs * 1_000_000;
        final NeighbourTalk neighbours = agents.get(0).stack(0).neighbours();
        neighbours.forget();
        while (System.nanoTime() - deadlineNs < 0 && null == failure.get())
        {
            agents.get(0).ask(neighbour);
            for (int i = 0; i < ASK_EVERY_MS; i += 5)
            {
                Thread.sleep(5);
                if (null != neighbours.answer())
                {
                    return neighbours.answer();
                }
            }
        }
        return null;
    }

    /** Of all queues together. */
    public long sum(final GuestCounter counter)
    {
        long sum = 0;
        for (final GuestAgent agent : agents)
        {
            for (int i = 0; i < agent.queueCount(); i++)
            {
                sum += agent.queue(i).counters().get(counter);
            }
        }
        return sum;
    }

    /** Of all queues together. */
    public long sum(final StackCounter counter)
    {
        long sum = 0;
        for (final GuestAgent agent : agents)
        {
            for (int i = 0; i < agent.queueCount(); i++)
            {
                sum += agent.stack(i).counters().get(counter);
            }
        }
        return sum;
    }

    /** Frames that were sent and have not come back from the device. */
    public long inFlight()
    {
        final long returned = sum(GuestCounter.RETURNED_FRAMES);
        return sum(GuestCounter.SENT_FRAMES) - returned;
    }

    /** The sink; null when there is none. */
    public Sink sink()
    {
        return agents.get(0).sink();
    }

    /** What ended a thread; null while all is well. */
    public Throwable failure()
    {
        final Throwable thrown = failure.get();
        return thrown instanceof AgentTerminationException ? thrown.getCause() : thrown;
    }

    /** Whether the back-end hung up; then {@link #reconnect}. */
    public boolean isPeerGone()
    {
        return frontend.isPeerGone();
    }

    /** Takes up with a restarted back-end, as QEMU does; waits for it until the front-end's timeout. */
    public void reconnect()
    {
        frontend.reconnect();
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        for (int i = 0; i < runners.size(); i++)
        {
            agents.get(i).stop();
            runners.get(i).close();
        }
        agents.forEach(GuestAgent::close);
        frontend.close();
    }

    private GuestAgent makeAgent(final GuestNic nic, final int first, final int step, final Sink sink)
    {
        final int count = (nic.queueCount() - first + step - 1) / step;
        final GuestQueue[] queues = new GuestQueue[count];
        final GuestStack[] stacks = new GuestStack[count];
        for (int i = 0; i < count; i++)
        {
            final int pair = first + i * step;
            queues[i] = nic.queue(pair);
            stacks[i] = new GuestStack("queue " + pair, config.addresses(), queues[i], config.echoPort());
        }
        return new GuestAgent("ringtap-guest-" + first, queues, stacks, sink, config.spinNs());
    }

    private void launch(final int index)
    {
        final GuestAgent agent = agents.get(index);
        final AgentRunner runner =
            new AgentRunner(agent, thrown -> failure.compareAndSet(null, thrown), null, agent);
        runners.add(runner);
        AgentRunner.startOnThread(runner, work ->
        {
            final Thread thread = new Thread(() -> runPinned(index, work), agent.roleName());
            thread.setDaemon(true);
            return thread;
        });
    }

    private void runPinned(final int index, final Runnable work)
    {
        final int[] cpus = config.cpus();
        try
        {
            if (cpus.length > 0)
            {
                Affinity.pin(cpus[index % cpus.length]);
            }
        }
        catch (final RuntimeException thrown)
        {
            failure.compareAndSet(null, thrown);
        }
        work.run();
    }
}
