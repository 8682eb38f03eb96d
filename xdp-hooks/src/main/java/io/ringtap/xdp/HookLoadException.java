package io.ringtap.xdp;

/** A filter that cannot be made as written on the command line; the message is one line for its author. */
public final class HookLoadException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    HookLoadException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
