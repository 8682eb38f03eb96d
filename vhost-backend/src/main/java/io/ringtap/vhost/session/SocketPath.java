package io.ringtap.vhost.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;

/** The file of a UNIX socket: whether its name fits, whether somebody listens on it, and whose it is. */
final class SocketPath
{
    /** sockaddr_un has 108 bytes, the last of them zero. */
    static final int MAX_LENGTH = 107;

    private static final int FILE_TYPE_MASK = 0170000;
    private static final int FILE_TYPE_SOCKET = 0140000;

    private final Path path;

    private SocketPath(final Path path)
    {
        this.path = path;
    }

    /** @throws SocketPathException when the name does not fit into a socket address. */
    static SocketPath of(final String name)
    {
        final int length = name.getBytes(UTF_8).length;
        if (0 == length)
        {
            throw new SocketPathException("socket path is empty");
        }

        if (length > MAX_LENGTH)
        {
            throw new SocketPathException("socket path has " + length + " bytes, limit is " + MAX_LENGTH +
                ", use a shorter directory or a symbolic link to it: " + name);
        }

        return new SocketPath(Path.of(name));
    }

    /**
     * Makes room for a socket of ours: what a killed process left behind is removed, what lives is not.
     *
     * @throws SocketPathException when something is there that must stay.
     */
    void vacate()
    {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS))
        {
            return;
        }

        if (!isSocket())
        {
            throw new SocketPathException(path + " exists and is not a socket: remove it or choose another path");
        }

        if (isLive())
        {
            throw new SocketPathException(
                "somebody listens on " + path + " already: stop that process or choose another path");
        }

        unlink();
    }

    /** What tells the file from another one that took its name; null when it is gone. */
    Object identity()
    {
        try
        {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    void unlink()
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new SocketPathException("cannot remove the old socket " + path + ": " + ex, ex);
        }
    }

    Path path()
    {
        return path;
    }

    @Override
    public String toString()
    {
        return path.toString();
    }

    /** A FIFO would answer a connect like a dead socket, so the type is asked for. */
    private boolean isSocket()
    {
        try
        {
            final int mode = (Integer)Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return FILE_TYPE_SOCKET == (mode & FILE_TYPE_MASK);
        }
        catch (final IOException ex)
        {
            throw new SocketPathException("cannot look at " + path + ": " + ex, ex);
        }
    }

    /** Only a refused connection proves that nobody listens; a queue that is full has an owner. */
    private boolean isLive()
    {
        try (Fd probe = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, 0))
        {
            final int result = Sockets.connectUnix(probe.number(), path.toString());
            return -Errno.ECONNREFUSED != result && -Errno.ENOENT != result;
        }
        catch (final SyscallException ex)
        {
            throw new SocketPathException("cannot tell whether somebody listens on " + path + ": " + ex.errnoName() +
                ", so it is left alone: remove it or choose another path", ex);
        }
    }
}
