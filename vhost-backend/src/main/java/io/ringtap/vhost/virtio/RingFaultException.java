package io.ringtap.vhost.virtio;

/** A ring that cannot be opened: the message names ring, value and limit. The front-end's fault. */
public final class RingFaultException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public RingFaultException(final String message)
    {
        super(message);
    }
}
