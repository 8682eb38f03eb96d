package io.ringtap.xdp.trial;

/** A capture file cannot be read; the message is one line for the user. */
public final class CaptureException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** @param message what is wrong, and where in the file. */
    public CaptureException(final String message)
    {
        super(message);
    }
}
