package io.ringtap.vhost.session;

import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;

/** A socket inherited from our parent that is connected already: one front-end, and no other after it. */
public final class AdoptedFrontend implements FrontendSource
{
    /** asm-generic/socket.h. */
    private static final int SO_TYPE = 3;
    private static final int SO_ACCEPTCONN = 30;
    private static final int SO_DOMAIN = 39;

    private final String name;
    private Fd socket;

    private AdoptedFrontend(final Fd socket)
    {
        name = "fd " + socket.number();
        this.socket = socket;
    }

    /**
     * Takes over an inherited descriptor, connected or listening.
     *
     * @param number of the descriptor; owned from now on, and closed when it is refused.
     * @throws SocketPathException when it is no UNIX stream socket.
     */
    public static FrontendSource adopt(final int number)
    {
        final Fd socket = Fd.of(number, "inherited socket");
        try
        {
            if (Sockets.AF_UNIX != Sockets.option(number, Sockets.SOL_SOCKET, SO_DOMAIN) ||
                Sockets.SOCK_STREAM != Sockets.option(number, Sockets.SOL_SOCKET, SO_TYPE))
            {
                throw new SocketPathException("fd " + number + " is not a UNIX stream socket");
            }

            FrontendListener.closeOnExec(number);
            Syscalls.setNonBlocking(number);
            return 0 != Sockets.option(number, Sockets.SOL_SOCKET, SO_ACCEPTCONN) ?
                FrontendListener.adopt(socket) : new AdoptedFrontend(socket);
        }
        catch (final SyscallException ex)
        {
            closeQuietly(socket);
            throw new SocketPathException("fd " + number + " is not an open socket: " + ex.errnoName(), ex);
        }
        catch (final SocketPathException ex)
        {
            socket.close();
            throw ex;
        }
    }

    @Override
    public int pollNumber()
    {
        return NO_DESCRIPTOR;
    }

    @Override
    public long delayNs(final long nowNs)
    {
        return null == socket ? NEVER : 0;
    }

    @Override
    public Fd poll(final long nowNs)
    {
        final Fd given = socket;
        socket = null;
        return given;
    }

    @Override
    public void onDisconnected(final long nowNs, final boolean wasUseful)
    {
        // There is no other one to wait for.
    }

    @Override
    public boolean isExhausted()
    {
        return null == socket;
    }

    @Override
    public int takeFailures()
    {
        return 0;
    }

    @Override
    public void close()
    {
        if (null != socket)
        {
            socket.close();
            socket = null;
        }
    }

    @Override
    public String toString()
    {
        return name;
    }

    /** The number may never have been open, and closing says so. */
    private static void closeQuietly(final Fd socket)
    {
        try
        {
            socket.close();
        }
        catch (final SyscallException ignored)
        {
            // It was not open: there is nothing to close.
        }
    }
}
