package io.ringtap.vhost.session;

/** A socket cannot be had where it was asked for: one line with the path, the reason and the remedy. */
public final class SocketPathException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public SocketPathException(final String message)
    {
        super(message);
    }

    public SocketPathException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
