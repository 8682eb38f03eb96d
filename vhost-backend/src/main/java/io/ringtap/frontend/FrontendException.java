package io.ringtap.frontend;

/** The back-end did what a front-end cannot live with, or cannot be reached; the message is one line. */
public final class FrontendException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    FrontendException(final String message)
    {
        super(message);
    }

    FrontendException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
