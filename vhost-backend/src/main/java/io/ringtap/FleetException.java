package io.ringtap;

import java.util.List;

/** A change of the NICs of a process cannot be; nothing has changed. A line for each reason. Exit code 2. */
public final class FleetException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final transient List<String> lines;

    /** @param lines each names value, limit and remedy. */
    public FleetException(final List<String> lines)
    {
        super(String.join("; ", lines));
        this.lines = List.copyOf(lines);
    }

    public List<String> lines()
    {
        return lines;
    }
}
