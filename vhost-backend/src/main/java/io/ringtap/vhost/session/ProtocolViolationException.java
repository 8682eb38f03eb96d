package io.ringtap.vhost.session;

/** The byte stream can no longer be trusted: the session is closed. The message names the rule. */
public final class ProtocolViolationException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public ProtocolViolationException(final String rule)
    {
        super(rule);
    }
}
