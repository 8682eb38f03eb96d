package io.ringtap.vhost.session;

import java.io.IOException;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import jnr.unixsocket.UnixServerSocketChannel;
import jnr.unixsocket.UnixSocketAddress;
import org.agrona.CloseHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a UNIX socket: of a path, whose file it makes and removes again, or inherited. */
public final class FrontendListener implements FrontendSource
{
    private static final Logger LOG = LoggerFactory.getLogger(FrontendListener.class);

    /** One front-end is served and one more may wait while the first is taken down. */
    private static final int BACKLOG = 16;

    /** How long to leave the queue alone when the host cannot accept, for want of descriptors: it would spin. */
    private static final long REST_NS = 1_000_000_000L;

    private final AutoCloseable owner;
    private final int number;
    private final SocketPath path;
    private final Object identity;
    private final String name;
    private long restUntilNs;
    private boolean isResting;
    private int failures;
    private boolean isClosed;
    private boolean isHandedOver;

    private FrontendListener(
        final AutoCloseable owner, final int number, final SocketPath path, final Object identity, final String name)
    {
        this.owner = owner;
        this.number = number;
        this.path = path;
        this.identity = identity;
        this.name = name;
    }

    /**
     * Listens on a path, in place of a socket that a killed process left there.
     *
     * @throws SocketPathException when the path cannot be had; nothing is left behind then.
     */
    public static FrontendListener listen(final String pathName, final SocketAccess access)
    {
        final SocketPath path = SocketPath.of(pathName);
        path.vacate();
        UnixServerSocketChannel channel = null;
        boolean isBound = false;
        try
        {
            channel = UnixServerSocketChannel.open();
            closeOnExec(channel.getFD());
            channel.configureBlocking(false);
            channel.socket().bind(new UnixSocketAddress(pathName), BACKLOG);
            isBound = true;
            access.apply(path.path());
            return new FrontendListener(channel, channel.getFD(), path, path.identity(), pathName);
        }
        catch (final IOException | RuntimeException ex)
        {
            CloseHelper.quietClose(channel);
            if (isBound)
            {
                path.unlink();
            }

            throw ex instanceof SocketPathException known ? known :
                new SocketPathException("cannot listen on " + pathName + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * Looks whether the path can be had, before anything is opened for it; removes a dead socket.
     *
     * @throws SocketPathException when it cannot.
     */
    public static void claim(final String pathName)
    {
        SocketPath.of(pathName).vacate();
    }

    /** @param socket inherited, listening, non-blocking and closed on exec; owned from now on. */
    static FrontendListener adopt(final Fd socket)
    {
        return new FrontendListener(socket, socket.number(), null, null, "fd " + socket.number());
    }

    /**
     * Listens on in the place of another process.
     *
     * @param socket   listening on {@code pathName}; owned from now on.
     * @param pathName whose file is removed at the end, as if we had made it.
     */
    public static FrontendListener takeOver(final Fd socket, final String pathName)
    {
        closeOnExec(socket.number());
        Syscalls.setNonBlocking(socket.number());
        final SocketPath path = SocketPath.of(pathName);
        return new FrontendListener(socket, socket.number(), path, path.identity(), pathName);
    }

    /** A descriptor of the socket for a successor; from now on {@link #close()} leaves the socket's file alone. */
    public Fd handOver()
    {
        isHandedOver = true;
        return Syscalls.dup(number);
    }

    /** Neither jnr-unixsocket nor a parent sees to it. */
    static void closeOnExec(final int number)
    {
        Syscalls.fcntl(number, Fcntl.F_SETFD, Fcntl.FD_CLOEXEC);
    }

    @Override
    public int pollNumber()
    {
        return number;
    }

    @Override
    public long delayNs(final long nowNs)
    {
        return isResting ? Math.max(0, restUntilNs - nowNs) : NEVER;
    }

    @Override
    public Fd poll(final long nowNs)
    {
        final int accepted = accept();
        isResting = accepted < 0 && -Errno.EAGAIN != accepted && -Errno.ECONNABORTED != accepted;
        if (isResting)
        {
            restUntilNs = nowNs + REST_NS;
            failures++;
            LOG.warn("cannot accept a front-end on {}: {}", name, Errno.nameOf(-accepted));
        }

        return accepted < 0 ? null : Fd.of(accepted, "front-end");
    }

    @Override
    public void onDisconnected(final long nowNs, final boolean wasUseful)
    {
        // The next one may come at once.
    }

    @Override
    public boolean isExhausted()
    {
        return false;
    }

    @Override
    public int takeFailures()
    {
        final int taken = failures;
        failures = 0;
        return taken;
    }

    /** Removes the socket's file too, unless another process has put its own in the place. */
    @Override
    public void close()
    {
        // Once: after the file is gone, its number may be that of another process's socket.
        if (isClosed)
        {
            return;
        }

        isClosed = true;
        if (isHandedOver)
        {
            // The library shuts a socket down before it closes it, for the successor too. It goes with the process.
            return;
        }

        if (null != path && null != identity && identity.equals(path.identity()))
        {
            remove();
        }

        CloseHelper.close(owner);
    }

    @Override
    public String toString()
    {
        return name;
    }

    /** Whoever gave up rights may have given up this one; the next start replaces the file. */
    private void remove()
    {
        try
        {
            path.unlink();
        }
        catch (final SocketPathException ex)
        {
            LOG.warn("{} is left behind: {}", name, ex.getMessage());
        }
    }

    /** Not the channel's accept: it hides the errno, and leaves a moment without close-on-exec. */
    private int accept()
    {
        try
        {
            return Sockets.accept(number, Sockets.SOCK_NONBLOCK);
        }
        catch (final SyscallException ex)
        {
            return -ex.errno();
        }
    }
}
