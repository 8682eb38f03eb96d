package io.ringtap.it.rig;

/** The rig itself failed: a command, a boot, a time-out. The message says what was tried and what came out. */
public final class RigException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public RigException(final String message)
    {
        super(message);
    }

    public RigException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
