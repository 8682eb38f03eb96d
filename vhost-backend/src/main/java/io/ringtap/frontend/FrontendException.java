package io.ringtap.frontend;

/** The back-end did what a front-end cannot live with, or cannot be reached; the message is one line. */
public final class FrontendException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final boolean isAbsent;

    FrontendException(final String message)
    {
        super(message);
        isAbsent = false;
    }

    private FrontendException(final String message, final boolean isAbsent)
    {
        super(message);
        this.isAbsent = isAbsent;
    }

    /** There is nobody, or nobody any more: trying again may help. */
    static FrontendException absent(final String message)
    {
        return new FrontendException(message, true);
    }

    /** Whether trying again may help, because nobody was there. */
    public boolean isAbsent()
    {
        return isAbsent;
    }

    FrontendException(final String message, final Throwable cause)
    {
        super(message, cause);
        isAbsent = false;
    }
}
