package io.ringtap.vhost.virtio;

/** A ring that cannot be opened: the message names ring, value and limit. The front-end's fault. */
public final class RingFaultException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public RingFaultException(final String message)
    {
        super(message);
    }

    static RingFaultException of(final RingSetup setup, final String what)
    {
        return new RingFaultException("ring " + setup.index() + ": " + what);
    }

    static RingFaultException unmapped(
        final RingSetup setup, final String part, final long at, final long length, final int alignment)
    {
        return of(setup, part + " at 0x" + Long.toHexString(at) + ", 0x" + Long.toHexString(length) +
            " bytes, is not in one region of the shared memory or not aligned to " + alignment);
    }
}
