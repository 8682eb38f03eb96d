package io.ringtap.vhost.session;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import org.agrona.CloseHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Client mode: connects to the front-end's socket, and again for ever after a loss, ever more slowly. */
public final class FrontendConnector implements FrontendSource
{
    static final long FIRST_DELAY_NS = 50_000_000L;
    static final long MAX_DELAY_NS = 1_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(FrontendConnector.class);

    private final SocketPath path;
    private long backOffNs = FIRST_DELAY_NS;
    private long dueNs;
    private boolean isWaiting;
    private String lastReason = "";
    private int failures;

    private FrontendConnector(final SocketPath path)
    {
        this.path = path;
    }

    /** @throws SocketPathException when the name does not fit into a socket address. */
    public static FrontendConnector connect(final String pathName)
    {
        return new FrontendConnector(SocketPath.of(pathName));
    }

    @Override
    public int pollNumber()
    {
        return NO_DESCRIPTOR;
    }

    @Override
    public long delayNs(final long nowNs)
    {
        return isWaiting ? Math.max(0, dueNs - nowNs) : 0;
    }

    @Override
    public Fd poll(final long nowNs)
    {
        Fd socket = null;
        String reason;
        try
        {
            socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, 0);
            reason = reason(Sockets.connectUnix(socket.number(), path.toString()));
        }
        catch (final SyscallException ex)
        {
            // None of these is final either: whoever owns the path may put it right.
            reason = ex.errnoName();
        }

        if (null != reason)
        {
            onFailure(reason, nowNs);
            CloseHelper.close(socket);
            return null;
        }

        lastReason = "";
        return socket;
    }

    @Override
    public void onDisconnected(final long nowNs, final boolean wasUseful)
    {
        if (wasUseful)
        {
            backOffNs = FIRST_DELAY_NS;
        }

        waitLonger(nowNs);
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

    @Override
    public void close()
    {
        // Between two attempts nothing is open, and the file is the front-end's.
    }

    @Override
    public String toString()
    {
        return path.toString();
    }

    /** @return null when connected, or why not. */
    private static String reason(final int result)
    {
        return switch (-result)
        {
            case 0 -> null;
            case Errno.ECONNREFUSED -> "nobody listens";
            case Errno.ENOENT -> "no such socket";
            default -> "the listener's queue is full";
        };
    }

    /** One line for each reason, not for each attempt. */
    private void onFailure(final String reason, final long nowNs)
    {
        failures++;
        if (!reason.equals(lastReason))
        {
            lastReason = reason;
            LOG.info("cannot connect to {}: {}; trying again", path, reason);
        }

        waitLonger(nowNs);
    }

    private void waitLonger(final long nowNs)
    {
        isWaiting = true;
        dueNs = nowNs + backOffNs;
        backOffNs = Math.min(2 * backOffNs, MAX_DELAY_NS);
    }
}
