package io.ringtap.vhost.metrics;

/** The address for metrics cannot be had: which, why, and what to do instead, in one line. */
public final class MetricsException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    MetricsException(final String value, final String limit, final String remedy, final Throwable cause)
    {
        super(value + ": " + limit + "; " + remedy, cause);
    }
}
