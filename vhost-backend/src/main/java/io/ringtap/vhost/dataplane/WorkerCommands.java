package io.ringtap.vhost.dataplane;

import io.ringtap.sys.EventFd;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Calls that another thread makes on a worker: run between two of its cycles, acknowledged when done. This is how a
 * ring or a memory map changes hands without a lock.
 */
final class WorkerCommands implements AutoCloseable
{
    private static final int CAPACITY = 64;
    private static final long POLL_MS = 100;

    private final ManyToOneConcurrentArrayQueue<Command> queue = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    private final EventFd wake = EventFd.create();
    private final BooleanSupplier isWorkerAlive;
    private final Runnable afterEach;

    /** @param afterEach on the worker after each call; what it throws counts as thrown by the call. */
    WorkerCommands(final BooleanSupplier isWorkerAlive, final Runnable afterEach)
    {
        this.isWorkerAlive = isWorkerAlive;
        this.afterEach = afterEach;
    }

    /** Readable when a command waits. */
    EventFd wake()
    {
        return wake;
    }

    /**
     * Runs the action on the worker and returns when it is done; what it throws is thrown here.
     *
     * @throws IllegalStateException when the worker has ended.
     */
    void call(final Runnable action)
    {
        final Command command = new Command(action);
        while (!queue.offer(command))
        {
            if (!isWorkerAlive.getAsBoolean())
            {
                throw ended();
            }
            Thread.onSpinWait();
        }
        wake.signal();
        command.await(isWorkerAlive);
    }

    /** On the worker: runs what waits. */
    int run()
    {
        int done = 0;
        for (Command command = queue.poll(); command != null; command = queue.poll())
        {
            command.run(afterEach);
            done++;
        }
        return done;
    }

    @Override
    public void close()
    {
        wake.close();
    }

    private static IllegalStateException ended()
    {
        return new IllegalStateException("the worker has ended; its rings stand still");
    }

    /** One action and its acknowledgement. */
    private static final class Command
    {
        private final Runnable action;
        private final CountDownLatch done = new CountDownLatch(1);
        private Throwable failure;

        Command(final Runnable action)
        {
            this.action = action;
        }

        void run(final Runnable after)
        {
            try
            {
                action.run();
                after.run();
            }
            catch (final Throwable ex)
            {
                // An InternalError too (memory that its owner truncated): whoever called must know.
                failure = ex;
            }
            finally
            {
                done.countDown();
            }
        }

        void await(final BooleanSupplier isWorkerAlive)
        {
            boolean interrupted = false;
            while (true)
            {
                try
                {
                    if (done.await(POLL_MS, TimeUnit.MILLISECONDS))
                    {
                        break;
                    }
                    if (!isWorkerAlive.getAsBoolean() && done.getCount() != 0)
                    {
                        throw ended();
                    }
                }
                catch (final InterruptedException ex)
                {
                    interrupted = true;
                }
            }
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
            if (failure instanceof Error error)
            {
                throw error;
            }
            if (failure != null)
            {
                throw (RuntimeException)failure;
            }
        }
    }
}
