package io.ringtap.frontend;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a front-end's connections come from: a path it connects to, a path it listens on, or one ready descriptor. */
final class FrontendSocket implements AutoCloseable
{
    private static final int RETRY_MS = 10;

    private final FrontendConfig config;
    private Fd listener;

    FrontendSocket(final FrontendConfig config)
    {
        this.config = config;
    }

    /** The next connection; waits for it until the timeout. */
    Fd connect()
    {
        if (null != config.socket())
        {
            return config.socket();
        }
        return config.isServer() ? accept() : dial();
    }

    @Override
    public void close()
    {
        if (null != listener)
        {
            listener.close();
            delete();
        }
    }

    private Fd dial()
    {
        final long deadlineNs = System.nanoTime() + config.timeoutMs() * 1_000_000L;
        while (true)
        {
            final Fd socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
            int result = -Errno.ECONNREFUSED;
            try
            {
                result = Sockets.connectUnix(socket.number(), config.socketPath());
            }
            finally
            {
                if (0 != result)
                {
                    socket.close();
                }
            }
            if (0 == result)
            {
                return socket;
            }
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw FrontendException.absent(
                    "no back-end at " + config.socketPath() + " within " + config.timeoutMs() + " ms (" +
                    Errno.nameOf(-result) + ")");
            }
            sleep();
        }
    }

    private Fd accept()
    {
        if (null == listener)
        {
            delete();
            listener = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
            Sockets.bindUnix(listener.number(), config.socketPath());
            Sockets.listen(listener.number(), 1);
        }
        if (0 == Syscalls.poll(listener.number(), Poll.IN, config.timeoutMs()))
        {
            throw FrontendException.absent(
                "no back-end connected to " + config.socketPath() + " within " + config.timeoutMs() + " ms");
        }
        final int accepted = Sockets.accept(listener.number(), 0);
        if (accepted < 0)
        {
            throw FrontendException.absent("back-end went away while it connected to " + config.socketPath());
        }
        return Fd.of(accepted, config.socketPath());
    }

    /** A socket that an earlier process left behind. */
    private void delete()
    {
        try
        {
            Files.deleteIfExists(Path.of(config.socketPath()));
        }
        catch (final IOException failure)
        {
            throw new FrontendException("cannot remove " + config.socketPath() + ": " + failure.getMessage(), failure);
        }
    }

    private static void sleep()
    {
        try
        {
            Thread.sleep(RETRY_MS);
        }
        catch (final InterruptedException interrupt)
        {
            Thread.currentThread().interrupt();
            throw new FrontendException("interrupted while waiting for the back-end", interrupt);
        }
    }
}
