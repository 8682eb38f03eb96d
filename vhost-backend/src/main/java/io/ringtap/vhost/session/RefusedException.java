package io.ringtap.vhost.session;

/** A message is refused and has changed nothing; the session goes on. Says why; where it was thrown does not matter. */
final class RefusedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RefusedException(final String reason)
    {
        super(reason, null, false, false);
    }
}
