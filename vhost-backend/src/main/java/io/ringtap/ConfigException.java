package io.ringtap;

/** The configuration cannot be: the message is one line that names the value, the limit and the remedy. Exit code 2. */
public final class ConfigException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String value;
    private final String limit;
    private final String remedy;

    /**
     * @param value  what was given, as the user wrote it.
     * @param limit  why it cannot be.
     * @param remedy what to do instead.
     */
    public ConfigException(final String value, final String limit, final String remedy)
    {
        super(value + ": " + limit + "; " + remedy);
        this.value = value;
        this.limit = limit;
        this.remedy = remedy;
    }

    public String value()
    {
        return value;
    }

    public String limit()
    {
        return limit;
    }

    public String remedy()
    {
        return remedy;
    }
}
