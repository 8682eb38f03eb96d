package io.ringtap.yaml;

/** The file cannot be read as a tree; reading ended at this fault. */
public final class YamlException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final transient YamlFault fault;

    public YamlException(final YamlFault fault)
    {
        super(fault.text("file"));
        this.fault = fault;
    }

    public YamlFault fault()
    {
        return fault;
    }
}
