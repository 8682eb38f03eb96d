package io.ringtap.vhost.ops;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a client sent in one line: a command and its arguments, each judged when it is read. */
public final class Request
{
    /** The key of the command's name. */
    public static final String COMMAND = "command";
    /** The key of what the answer repeats. */
    public static final String ID = "id";

    private final Map<String, Object> fields;
    private final Set<String> read = new LinkedHashSet<>(List.of(COMMAND, ID));

    Request(final Map<String, Object> fields)
    {
        this.fields = fields;
    }

    /** Name of the command. */
    public String command()
    {
        return text(COMMAND);
    }

    /** What the answer has to repeat; null for nothing. */
    Object id()
    {
        final Object id = fields.get(ID);
        return id instanceof String || id instanceof Number ? id : null;
    }

    public boolean has(final String name)
    {
        read.add(name);
        return null != fields.get(name);
    }

    /** A text that must be there. */
    public String text(final String name)
    {
        final String text = text(name, null);
        if (null == text)
        {
            throw new CommandException("no " + name, "the command needs it", "give \"" + name + "\" as a string");
        }
        return text;
    }

    public String text(final String name, final String otherwise)
    {
        final Object value = field(name);
        if (null == value)
        {
            return otherwise;
        }
        if (value instanceof String text)
        {
            return text;
        }
        throw wrong(name, value, "a string");
    }

    /** A whole number. */
    public int number(final String name, final int least, final int most, final int otherwise)
    {
        final Object value = field(name);
        if (null == value)
        {
            return otherwise;
        }
        if (value instanceof Long number && number >= least && number <= most)
        {
            return (int)(long)number;
        }
        throw wrong(name, value, "a number from " + least + " to " + most);
    }

    /** A whole number of 64 bits, from 0 up. */
    public long count(final String name, final long otherwise)
    {
        final Object value = field(name);
        if (null == value)
        {
            return otherwise;
        }
        if (value instanceof Long number && number >= 0)
        {
            return number;
        }
        throw wrong(name, value, "a number from 0 up");
    }

    public boolean flag(final String name)
    {
        final Object value = field(name);
        if (null == value)
        {
            return false;
        }
        if (value instanceof Boolean flag)
        {
            return flag;
        }
        throw wrong(name, value, "true or false");
    }

    /** A value of any kind; null when it is not there. */
    public Object any(final String name)
    {
        return field(name);
    }

    /** One of a few words. */
    public String choice(final String name, final String otherwise, final List<String> words)
    {
        final String word = text(name, otherwise);
        if (null == word || !words.contains(word.toLowerCase(Locale.ROOT)))
        {
            throw wrong(name, word, "one of " + String.join(", ", words));
        }
        return word.toLowerCase(Locale.ROOT);
    }

    /** Refuses arguments that the command did not ask for: a misspelt one must not be taken for one left out. */
    public void refuseRest()
    {
        for (final String name : fields.keySet())
        {
            if (!read.contains(name))
            {
                throw new CommandException("\"" + shortened(name) + "\"", "no argument of " + command(),
                    "leave it out, or see help");
            }
        }
    }

    private Object field(final String name)
    {
        read.add(name);
        return fields.get(name);
    }

    private static CommandException wrong(final String name, final Object value, final String wanted)
    {
        return new CommandException(name + "=" + shortened(String.valueOf(value)), "not " + wanted, "give " + wanted);
    }

    /** Something a client wrote, as it may stand in a message. */
    static String shortened(final String text)
    {
        final String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= 100 ? line : line.substring(0, 100) + "...";
    }
}
