package io.ringtap.demo;

/** The demonstration cannot go on; the message is one line that says why and what to do. */
public final class DemoException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public DemoException(final String message)
    {
        super(message);
    }

    DemoException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
