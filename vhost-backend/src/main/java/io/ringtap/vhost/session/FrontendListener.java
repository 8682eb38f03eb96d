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

    private AutoCloseable owner;
    private int number;
    private final SocketPath path;
    private final SocketAccess access;
    /** Of the socket's file; null where there is none, or where somebody else's has taken its place. */
    private volatile Object identity;
    private final String name;
    private volatile boolean isLost;
    private boolean hasToldOfLoss;
    private long restUntilNs;
    private boolean isResting;
    private int failures;
    private SessionBudget budget = new SessionBudget(0, 0);
    private int rests;
    private boolean hasToldOfHaste;
    private boolean isClosed;
    private boolean isHandedOver;

    private FrontendListener(
        final AutoCloseable owner, final int number, final SocketPath path, final SocketAccess access,
        final String name)
    {
        this.owner = owner;
        this.number = number;
        this.path = path;
        this.access = access;
        identity = null == path ? null : path.identity();
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
        final UnixServerSocketChannel channel = bind(path, access);
        return new FrontendListener(channel, channel.getFD(), path, access, pathName);
    }

    private static UnixServerSocketChannel bind(final SocketPath path, final SocketAccess access)
    {
        path.vacate();
        UnixServerSocketChannel channel = null;
        boolean isBound = false;
        try
        {
            channel = UnixServerSocketChannel.open();
            closeOnExec(channel.getFD());
            channel.configureBlocking(false);
            channel.socket().bind(new UnixSocketAddress(path.toString()), BACKLOG);
            isBound = true;
            access.apply(path.path());
            return channel;
        }
        catch (final IOException | RuntimeException ex)
        {
            CloseHelper.quietClose(channel);
            if (isBound)
            {
                path.unlink();
            }

            throw ex instanceof SocketPathException known ? known :
                new SocketPathException("cannot listen on " + path + ": " + ex.getMessage(), ex);
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
        return new FrontendListener(socket, socket.number(), null, SocketAccess.DEFAULT, "fd " + socket.number());
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
        return new FrontendListener(
            socket, socket.number(), SocketPath.of(pathName), SocketAccess.DEFAULT, pathName);
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
        return isResting ? Math.max(0, restUntilNs - nowNs) : isLost ? 0 : NEVER;
    }

    /** A file that somebody deleted: nobody can connect any more, and nothing tells of it. */
    @Override
    public boolean look()
    {
        final Object ours = identity;
        isLost = null != ours && !ours.equals(path.identity());
        return isLost;
    }

    @Override
    public Fd poll(final long nowNs)
    {
        if (isLost)
        {
            renew();
        }
        final int accepted = accept();
        isResting = false;
        if (0 <= accepted)
        {
            final Fd frontend = Fd.of(accepted, "front-end");
            rest(nowNs, budget.spend(nowNs));
            return frontend;
        }
        if (-Errno.EAGAIN != accepted && -Errno.ECONNABORTED != accepted)
        {
            isResting = true;
            restUntilNs = nowNs + REST_NS;
            failures++;
            LOG.warn("cannot accept a front-end on {}: {}", name, Errno.nameOf(-accepted));
        }
        return null;
    }

    private void rest(final long nowNs, final long restNs)
    {
        if (0 == restNs)
        {
            return;
        }
        isResting = true;
        restUntilNs = nowNs + restNs;
        rests++;
        if (!hasToldOfHaste)
        {
            hasToldOfHaste = true;
            LOG.warn("{}: front-ends come and go too fast, so each has to wait; --session-rate is the limit", name);
        }
    }

    @Override
    public void sessionRate(final int perSecond)
    {
        budget = new SessionBudget(perSecond, System.nanoTime());
    }

    @Override
    public int takeRests()
    {
        final int taken = rests;
        rests = 0;
        return taken;
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
        isLost = false;
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

    /** Makes the file again; one that somebody else has put there meanwhile is left alone. */
    private void renew()
    {
        isLost = false;
        if (isClosed || isHandedOver)
        {
            return;
        }
        if (null != path.identity())
        {
            identity = null;
            LOG.error("{}: its file was replaced by another one; no front-end can connect until the port is made anew",
                name);
            return;
        }
        try
        {
            final UnixServerSocketChannel channel = bind(path, access);
            CloseHelper.quietClose(owner);
            owner = channel;
            number = channel.getFD();
            identity = path.identity();
            hasToldOfLoss = false;
            LOG.warn("{}: its file was deleted, and is there again", name);
        }
        catch (final SocketPathException ex)
        {
            // Tried again with the next look.
            if (!hasToldOfLoss)
            {
                hasToldOfLoss = true;
                LOG.error("{}: its file was deleted and no front-end can connect: {}", name, ex.getMessage());
            }
        }
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
