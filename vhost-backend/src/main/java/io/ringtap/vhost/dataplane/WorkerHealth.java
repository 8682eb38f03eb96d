package io.ringtap.vhost.dataplane;

import org.agrona.concurrent.AgentTerminationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How a worker is: whether its cycles go round and whether they succeed. One that fails and fails again has something
 * wrong with it that stopping its rings does not mend, and gives up, so that whoever runs it can begin anew.
 */
final class WorkerHealth
{
    /** Failed cycles in a row after which a worker gives up. */
    static final int MOST_FAILURES = 16;

    private static final Logger LOG = LoggerFactory.getLogger(QueuePairWorker.class);
    private static final VarHandle CYCLES = field();

    private final String name;
    private long cycles;
    private volatile boolean isAsleep;
    private int failures;
    private boolean hasFailed;
    private int failedWaits;

    WorkerHealth(final String name)
    {
        this.name = name;
    }

    /** On the worker: a cycle begins. */
    void begin()
    {
        CYCLES.setRelease(this, cycles + 1);
        hasFailed = false;
    }

    /** On the worker: a cycle is over. */
    void end()
    {
        failures = hasFailed ? failures : 0;
    }

    /** On the worker: it goes to sleep in the kernel, or wakes. */
    void asleep(final boolean on)
    {
        isAsleep = on;
    }

    /**
     * On the worker: a cycle failed.
     *
     * @throws AgentTerminationException when nothing else has happened for a while.
     */
    void failed(final Throwable cause)
    {
        hasFailed = true;
        failures++;
        if (1 == failures && cause instanceof InternalError)
        {
            LOG.error("{} stands still until the guest starts it again: its memory was taken away (SIGBUS)", name);
        }
        else if (1 == failures)
        {
            LOG.error("{} failed and stands still until the guest starts it again", name, cause);
        }
        if (MOST_FAILURES == failures)
        {
            LOG.error("{} failed {} times in a row and gives up", name, failures, cause);
            throw new AgentTerminationException(name + " failed " + failures + " times in a row: " + cause);
        }
    }

    /** On the worker: it could wait, however long. */
    void waited()
    {
        failedWaits = 0;
    }

    /**
     * On the worker: it could not wait, and spins.
     *
     * @throws AgentTerminationException when it never can: whoever runs it begins anew with another thread.
     */
    void waitFailed(final Throwable cause)
    {
        failedWaits++;
        if (MOST_FAILURES == failedWaits)
        {
            LOG.error("{} could not wait {} times in a row and gives up", name, failedWaits, cause);
            throw new AgentTerminationException(name + " cannot wait: " + cause.getMessage());
        }
    }

    /** On the worker, at its end: closes all of it, whatever is thrown on the way. */
    void close(final AutoCloseable... parts)
    {
        for (final AutoCloseable each : parts)
        {
            try
            {
                each.close();
            }
            catch (final Throwable ex)
            {
                LOG.warn("{}: not everything could be closed: {}", name, ex.toString());
            }
        }
    }

    /** Any thread: changes with every cycle. */
    long cycles()
    {
        return (long)CYCLES.getAcquire(this);
    }

    /** Any thread: it waits for work, so it need not move. */
    boolean isAsleep()
    {
        return isAsleep;
    }

    private static VarHandle field()
    {
        try
        {
            return MethodHandles.lookup().findVarHandle(WorkerHealth.class, "cycles", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }
}
