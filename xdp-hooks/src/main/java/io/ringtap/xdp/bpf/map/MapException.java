package io.ringtap.xdp.bpf.map;

/** A map cannot be as it is declared; the message is one line with its name, the value and the limit. */
public final class MapException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** @param message one line. */
    public MapException(final String message)
    {
        super(message);
    }
}
