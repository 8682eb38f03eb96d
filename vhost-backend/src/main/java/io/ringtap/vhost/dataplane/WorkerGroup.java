package io.ringtap.vhost.dataplane;

import io.ringtap.sys.Affinity;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.Poll;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * Runs several workers on one thread, one cycle of each in turn. It sleeps when none has work, in one wait over the
 * wait sets of all; workers come and go between two rounds. What one worker does wrong stays with it.
 */
public final class WorkerGroup implements Agent, Parking
{
    private static final int MAX_EVENTS = 64;
    private static final long WAKE_TOKEN = -1;
    private static final int FOREVER = -1;

    private final String name;
    private final int cpu;
    private final long maxSpinNs;
    private final Epoll epoll = Epoll.create(MAX_EVENTS);
    private final WorkerCommands commands;
    private QueuePairWorker[] workers = {};
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

    /** Any thread: the worker has started when this returns. */
    public void add(final QueuePairWorker worker)
    {
        commands.call(() ->
        {
            worker.onStart();
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
        commands.call(() -> take(worker));
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
        int work = commands.run();
        for (final QueuePairWorker worker : workers)
        {
            work += worker.doWork();
        }
        return work;
    }

    @Override
    public boolean park()
    {
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
            await(isAwake ? 0 : timeoutMs);
        }
        for (int i = 0; i < armed; i++)
        {
            workers[i].disarm();
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

    private static boolean arm(final QueuePairWorker worker)
    {
        try
        {
            return worker.arm();
        }
        catch (final RuntimeException | InternalError ex)
        {
            // As in a cycle: the front-end took guest memory away under us, and only this pair stands.
            worker.fail(ex);
            return false;
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
            else
            {
                workers[(int)token].await(0);
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
