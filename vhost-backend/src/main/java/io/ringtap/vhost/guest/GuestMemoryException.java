package io.ringtap.vhost.guest;

/** A region that cannot be had: the message names the value, the limit and the remedy. The front-end's fault. */
public final class GuestMemoryException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public GuestMemoryException(final String message)
    {
        super(message);
    }

    public GuestMemoryException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
