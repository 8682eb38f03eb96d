package io.ringtap;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent and its idle strategy that no error ends: it is told, less and less often, and the next cycle comes. Agrona
 * goes on after exceptions only, and what memory of a guest's may cause is an error. Only an agent that gives up ends.
 */
final class Sturdy implements Agent, IdleStrategy
{
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

    private final Agent agent;
    private final IdleStrategy idle;
    private long errors;

    Sturdy(final Agent agent, final IdleStrategy idle)
    {
        this.agent = agent;
        this.idle = idle;
    }

    @Override
    public void onStart()
    {
        agent.onStart();
    }

    @Override
    public int doWork() throws Exception
    {
        try
        {
            return agent.doWork();
        }
        catch (final AgentTerminationException ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            note(ex);
            return 1;
        }
    }

    @Override
    public void onClose()
    {
        agent.onClose();
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }

    @Override
    public void idle(final int workCount)
    {
        try
        {
            idle.idle(workCount);
        }
        catch (final AgentTerminationException ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            note(ex);
        }
    }

    @Override
    public void idle()
    {
        idle.idle();
    }

    @Override
    public void reset()
    {
        idle.reset();
    }

    /** The first, the second, the fourth and so on. */
    private void note(final Throwable error)
    {
        errors++;
        if (1 == Long.bitCount(errors))
        {
            LOG.error("{} failed, {} times so far: {}", agent.roleName(), errors, error.toString(), error);
        }
    }
}
