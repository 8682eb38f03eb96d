package io.ringtap.port;

/** A port cannot be had: the message is one line that names the object, what is wrong and the remedy. */
public final class PortException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param object  the device or option, as the user wrote it.
     * @param problem what is wrong with it.
     * @param remedy  what to do instead.
     * @param cause   the refused system call; null when there was none.
     */
    public PortException(final String object, final String problem, final String remedy, final Throwable cause)
    {
        super(object + ": " + problem + "; " + remedy, cause);
    }
}
