package io.ringtap.vhost.dataplane;

import io.ringtap.sys.Affinity;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.Poll;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs several workers on one thread, one cycle of each in turn. It sleeps when none has work, in one wait over the
 * wait sets of all; workers come and go between two rounds. What one worker does wrong stays with it.
 */
public final class WorkerGroup implements Agent, Parking, Watched
{
    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);
    private static final int MAX_EVENTS = 64;
    private static final long WAKE_TOKEN = -1;
    private static final int FOREVER = -1;

    private final String name;
    private final int cpu;
    private final long maxSpinNs;
    private final Epoll epoll = Epoll.create(MAX_EVENTS);
    private final WorkerCommands commands;
    private final WorkerHealth health;
    private final Map<QueuePairWorker, Runnable> mourners = new ConcurrentHashMap<>();
    private volatile QueuePairWorker[] workers = {};
    private volatile boolean isEnded;
    private volatile boolean isAwake;

    /**
     * @param index     number of the group, for people.
     * @param cpu       CPU to run on, -1 for any.
     * @param maxSpinNs longest time to spin before parking.
     */
    public WorkerGroup(final int index, final int cpu, final long maxSpinNs)
    {
        name = "workers-" + index;
        health = new WorkerHealth(name);
        this.cpu = cpu;
        this.maxSpinNs = maxSpinNs;
        commands = new WorkerCommands(() -> !isEnded);
        epoll.add(commands.wake().number(), Poll.IN, WAKE_TOKEN);
    }

    @Override
    public String roleName()
    {
        return name;
    }

    /** How the thread that runs this group waits. */
    public IdleStrategy idlePolicy()
    {
        return new IdlePolicy(this, maxSpinNs);
    }

    /**
     * Any thread: the worker has started when this returns.
     *
     * @param onDeath called when the worker gives up, after it was closed.
     */
    public void add(final QueuePairWorker worker, final Runnable onDeath)
    {
        commands.call(() ->
        {
            worker.onStart();
            mourners.put(worker, onDeath);
            epoll.add(worker.waitDescriptor(), Poll.IN, workers.length);
            final QueuePairWorker[] more = new QueuePairWorker[workers.length + 1];
            System.arraycopy(workers, 0, more, 0, workers.length);
            more[workers.length] = worker;
            workers = more;
        });
    }

    /** Any thread: the worker has ended and is closed when this returns. */
    public void remove(final QueuePairWorker worker)
    {
        try
        {
            commands.call(() -> take(worker));
        }
        catch (final InternalError late)
        {
            // Of memory that was taken away before: once.
            commands.call(() -> take(worker));
        }
    }

    @Override
    public void onStart()
    {
        if (0 <= cpu)
        {
            Affinity.pin(cpu);
        }
    }

    @Override
    public int doWork()
    {
        health.begin();
        try
        {
            int work = commands.run();
            for (final QueuePairWorker worker : workers)
            {
                work += work(worker);
            }
            return work;
        }
        catch (final InternalError ex)
        {
            blame(ex);
            return 1;
        }
    }

    private int work(final QueuePairWorker worker)
    {
        try
        {
            return worker.doWork();
        }
        catch (final AgentTerminationException ex)
        {
            bury(worker, ex);
        }
        catch (final InternalError ex)
        {
            blame(ex);
        }
        return 1;
    }

    /** Some guest's memory was taken away, and the error may have come late: whose memory is not whole stands. */
    private void blame(final InternalError fault)
    {
        for (final QueuePairWorker worker : workers)
        {
            if (!worker.isMemoryWhole())
            {
                fail(worker, fault);
            }
        }
    }

    @Override
    public boolean park()
    {
        final QueuePairWorker[] workers = this.workers;
        int armed = 0;
        boolean isIdle = true;
        int timeoutMs = FOREVER;
        while (isIdle && armed < workers.length)
        {
            final QueuePairWorker worker = workers[armed++];
            isIdle = arm(worker);
            final int sleepMs = worker.sleepMs();
            timeoutMs = sleepMs == FOREVER || timeoutMs != FOREVER && timeoutMs < sleepMs ? timeoutMs : sleepMs;
        }
        if (isIdle)
        {
            health.asleep(true);
            try
            {
                await(isAwake ? 0 : timeoutMs);
            }
            finally
            {
                health.asleep(false);
            }
        }
        for (int i = 0; i < armed; i++)
        {
            disarm(workers[i]);
        }
        return isIdle;
    }

    @Override
    public void onClose()
    {
        commands.run();
        isEnded = true;
        while (0 < workers.length)
        {
            take(workers[workers.length - 1]);
        }
        commands.close();
        epoll.close();
    }

    /** Any thread: ends the sleep and every later one, so that whoever runs the group can stop doing so. */
    public void wakeUp()
    {
        isAwake = true;
        commands.wake().signal();
    }

    @Override
    public long cycles()
    {
        return health.cycles();
    }

    @Override
    public boolean isAsleep()
    {
        return health.isAsleep();
    }

    @Override
    public void unblock()
    {
        for (final QueuePairWorker worker : workers)
        {
            worker.unblock();
        }
    }

    /** Its thread ended although nobody wanted it to: nobody works for the members any more. */
    public void died()
    {
        isEnded = true;
        mourners.forEach((worker, mourner) ->
        {
            worker.ended();
            mourner.run();
        });
    }

    private void bury(final QueuePairWorker worker, final Throwable cause)
    {
        LOG.error("{}", cause.getMessage());
        final Runnable mourner = mourners.get(worker);
        take(worker);
        mourner.run();
    }

    private boolean arm(final QueuePairWorker worker)
    {
        try
        {
            return worker.arm();
        }
        catch (final InternalError ex)
        {
            blame(ex);
            return false;
        }
        catch (final RuntimeException ex)
        {
            fail(worker, ex);
            return false;
        }
    }

    private void await(final QueuePairWorker worker)
    {
        try
        {
            worker.await(0);
        }
        catch (final InternalError ex)
        {
            blame(ex);
        }
        catch (final RuntimeException ex)
        {
            fail(worker, ex);
        }
    }

    private void disarm(final QueuePairWorker worker)
    {
        try
        {
            worker.disarm();
        }
        catch (final InternalError ex)
        {
            blame(ex);
        }
        catch (final RuntimeException ex)
        {
            fail(worker, ex);
        }
    }

    /** As in a cycle: only this pair stands. */
    private void fail(final QueuePairWorker worker, final Throwable cause)
    {
        try
        {
            worker.fail(cause);
        }
        catch (final AgentTerminationException ex)
        {
            bury(worker, ex);
        }
    }

    private void await(final int timeoutMs)
    {
        final int ready = epoll.await(timeoutMs);
        for (int i = 0; i < ready; i++)
        {
            final long token = epoll.token(i);
            if (token == WAKE_TOKEN)
            {
                commands.wake().drain();
            }
            else if (token < workers.length)
            {
                // One that failed just now may have left its place.
                await(workers[(int)token]);
            }
        }
    }

    /** The last worker takes the place, and with it the token, of the one that goes. */
    private void take(final QueuePairWorker worker)
    {
        final int last = workers.length - 1;
        for (int i = 0; i <= last; i++)
        {
            if (workers[i] == worker)
            {
                epoll.remove(worker.waitDescriptor());
                mourners.remove(worker);
                worker.onClose();
                final QueuePairWorker[] fewer = new QueuePairWorker[last];
                System.arraycopy(workers, 0, fewer, 0, last);
                if (i < last)
                {
                    fewer[i] = workers[last];
                    epoll.modify(fewer[i].waitDescriptor(), Poll.IN, i);
                }
                workers = fewer;
                return;
            }
        }
    }
}
