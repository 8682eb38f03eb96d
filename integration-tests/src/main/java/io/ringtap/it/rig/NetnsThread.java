package io.ringtap.it.rig;

import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sched;
import io.ringtap.sys.Syscalls;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Runs code inside a namespace without leaving the process: a thread of its own goes there, and the sockets, devices
 * and threads that it makes stay there when it ends.
 */
public final class NetnsThread
{
    private NetnsThread()
    {
    }

    /** What the action returns; what it throws is thrown here. */
    public static <T> T call(final Netns netns, final Callable<T> action)
    {
        final CompletableFuture<T> result = new CompletableFuture<>();
        final Thread thread = new Thread(() ->
        {
            try (Fd namespace = Syscalls.open("/run/netns/" + netns.name(), Fcntl.O_RDONLY))
            {
                Syscalls.setns(namespace.number(), Sched.CLONE_NEWNET);
                result.complete(action.call());
            }
            catch (final Exception ex)
            {
                result.completeExceptionally(ex);
            }
        }, "in-" + netns.name());
        thread.start();
        try
        {
            return result.get();
        }
        catch (final ExecutionException ex)
        {
            throw new RigException("inside " + netns.name() + ": " + ex.getCause(), ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted inside " + netns.name(), ex);
        }
    }
}
