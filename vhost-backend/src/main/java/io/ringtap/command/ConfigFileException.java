package io.ringtap.command;

import java.util.List;

/** A configuration file cannot be: a line for each fault, in the order of the file. Exit code 2. */
final class ConfigFileException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final transient List<String> lines;

    ConfigFileException(final List<String> lines)
    {
        super(String.join(System.lineSeparator(), lines));
        this.lines = List.copyOf(lines);
    }

    List<String> lines()
    {
        return lines;
    }
}
