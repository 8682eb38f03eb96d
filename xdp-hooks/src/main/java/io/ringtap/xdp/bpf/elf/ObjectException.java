package io.ringtap.xdp.bpf.elf;

/** An object or one of its programs was refused; the message is one line for the operator. */
public final class ObjectException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** @param message what is wrong, the value, and the limit or the remedy. */
    public ObjectException(final String message)
    {
        super(message);
    }

    private ObjectException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    /** The same complaint with the place in front: {@code filter.o: ...}. */
    ObjectException in(final String place)
    {
        return new ObjectException(place + ": " + getMessage(), this);
    }
}
