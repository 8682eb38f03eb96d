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

/** Gives workers their threads: one each, or a few that all share. */
final class WorkerPool implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

    private final List<Shared> groups = new ArrayList<>();

    /** A thread that workers share, and how many do. */
    private static final class Shared
    {
        private final WorkerGroup group;
        private final AgentRunner runner;
        private int members;

        private Shared(final WorkerGroup group)
        {
            this.group = group;
            runner = start(group, group.idlePolicy(), "ringtap");
        }
    }

    WorkerPool(final ProcessConfig config)
    {
        final int threads = WorkerMode.SHARED == config.workers() ? config.threads() : 0;
        for (int i = 0; i < threads; i++)
        {
            final int cpu = config.cpus().isEmpty() ? BackendConfig.NONE : config.cpus().get(i % config.cpus().size());
            groups.add(new Shared(new WorkerGroup(
                i, cpu, TimeUnit.MICROSECONDS.toNanos(ConfigLimits.DEFAULT_BUSY_POLL_US))));
        }
    }

    /**
     * Runs a worker until the result is closed.
     *
     * @param nic whose worker it is, for the name of the thread.
     */
    AutoCloseable run(final QueuePairWorker worker, final String nic)
    {
        if (groups.isEmpty())
        {
            final AgentRunner runner = start(worker, worker.idlePolicy(), nic);
            return () ->
            {
                // First, so that no interrupt reaches a thread that sleeps in epoll.
                worker.wakeUp();
                runner.close();
            };
        }
        final Shared shared = join();
        shared.group.add(worker);
        return () ->
        {
            shared.group.remove(worker);
            leave(shared);
        };
    }

    @Override
    public void close()
    {
        for (final Shared each : groups)
        {
            each.group.wakeUp();
            CloseHelper.quietClose(each.runner);
        }
        groups.clear();
    }

    /** Runs an agent on a thread that tells in its name whose it is. */
    static AgentRunner start(final Agent agent, final IdleStrategy idle, final String owner)
    {
        final AgentRunner runner = new AgentRunner(idle, WorkerPool::failed, null, agent);
        AgentRunner.startOnThread(runner, (work) -> new Thread(work, owner + '/' + agent.roleName()));
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
