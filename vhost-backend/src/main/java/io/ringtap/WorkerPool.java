package io.ringtap;

import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.WorkerGroup;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Gives workers their threads: one each, or a few that all share. */
final class WorkerPool implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

    private final List<Shared> groups = new ArrayList<>();
    private final StallWatch watch = new StallWatch();
    private final ProcessConfig config;
    private boolean isClosed;

    /** A thread that workers share, and how many do. */
    private final class Shared
    {
        private final WorkerGroup group;
        private final AgentRunner runner;
        private int members;
        private volatile boolean isClosing;

        private Shared(final WorkerGroup group)
        {
            this.group = group;
            runner = start(group, group.idlePolicy(), "ringtap", this::ended);
        }

        private void ended()
        {
            if (!isClosing)
            {
                replaceDead(this);
                group.died();
            }
        }
    }

    WorkerPool(final ProcessConfig config)
    {
        this.config = config;
        final int threads = WorkerMode.SHARED == config.workers() ? config.threads() : 0;
        for (int i = 0; i < threads; i++)
        {
            groups.add(shared(i));
        }
    }

    private Shared shared(final int index)
    {
        final int cpu = config.cpus().isEmpty() ? BackendConfig.NONE : config.cpus().get(index % config.cpus().size());
        final Shared shared = new Shared(new WorkerGroup(
            index, cpu, TimeUnit.MICROSECONDS.toNanos(ConfigLimits.DEFAULT_BUSY_POLL_US)));
        watch.add(shared.group, "ringtap");
        return shared;
    }

    /** NICs that start anew find a thread that lives. */
    private synchronized void replaceDead(final Shared dead)
    {
        final int index = groups.indexOf(dead);
        watch.remove(dead.group);
        if (0 <= index && !isClosed)
        {
            groups.set(index, shared(index));
        }
    }

    /**
     * Runs a worker until the result is closed.
     *
     * @param nic     whose worker it is, for the name of the thread.
     * @param onDeath called when it ends before that.
     */
    AutoCloseable run(final QueuePairWorker worker, final String nic, final Runnable onDeath)
    {
        if (WorkerMode.DEDICATED == config.workers())
        {
            final AtomicBoolean isWanted = new AtomicBoolean(true);
            final AgentRunner runner = start(worker, worker.idlePolicy(), nic, () ->
            {
                worker.ended();
                if (isWanted.get())
                {
                    onDeath.run();
                }
            });
            watch.add(worker, nic);
            return () ->
            {
                isWanted.set(false);
                if (!runner.isClosed())
                {
                    // First, so that no interrupt reaches a thread that sleeps in epoll.
                    worker.wakeUp();
                    worker.unblock();
                }
                runner.close();
                watch.remove(worker);
            };
        }
        final Shared shared = join();
        shared.group.add(worker, nic, onDeath);
        return () ->
        {
            shared.group.remove(worker);
            leave(shared);
        };
    }

    /** Has something looked at every two seconds until the result is closed. */
    AutoCloseable look(final Runnable action)
    {
        watch.addLook(action);
        return () -> watch.removeLook(action);
    }

    @Override
    public void close()
    {
        final List<Shared> all;
        synchronized (this)
        {
            isClosed = true;
            all = List.copyOf(groups);
            groups.clear();
        }
        for (final Shared each : all)
        {
            each.isClosing = true;
            each.group.wakeUp();
            CloseHelper.quietClose(each.runner);
            watch.remove(each.group);
        }
    }

    /**
     * Runs an agent on a thread that tells in its name whose it is.
     *
     * @param onEnd called on that thread when it ends, whatever ended it.
     */
    static AgentRunner start(
        final Agent agent, final IdleStrategy idle, final String owner, final Runnable onEnd)
    {
        final Sturdy sturdy = new Sturdy(agent, idle);
        final AgentRunner runner = new AgentRunner(sturdy, WorkerPool::failed, null, sturdy);
        AgentRunner.startOnThread(runner, (work) -> new Thread(() ->
        {
            try
            {
                work.run();
            }
            finally
            {
                onEnd.run();
            }
        }, owner + '/' + agent.roleName()));
        return runner;
    }

    private synchronized Shared join()
    {
        Shared least = groups.get(0);
        for (final Shared each : groups)
        {
            least = each.members < least.members ? each : least;
        }
        least.members++;
        return least;
    }

    private synchronized void leave(final Shared shared)
    {
        shared.members--;
    }

    private static void failed(final Throwable error)
    {
        LOG.error("an agent failed: {}", error.toString(), error);
    }
}
