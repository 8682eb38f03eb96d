package io.ringtap.vhost.ops;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The commands of the control socket by their names; registered before the socket is opened. */
public final class ControlCommands
{
    private static final Logger LOG = LoggerFactory.getLogger(ControlCommands.class);

    /** One command. */
    private record Entry(String help, ControlCommand command)
    {
    }

    private final Map<String, Entry> entries = new TreeMap<>();
    private Parcel parcel;

    /** Only {@code help} at first. */
    public ControlCommands()
    {
        register("help", "lists the commands", (request) -> help());
    }

    /**
     * @param name with a dot between subject and verb, such as {@code port.show}.
     * @param help one line: what it does and what arguments it takes.
     */
    public ControlCommands register(final String name, final String help, final ControlCommand command)
    {
        if (null != entries.putIfAbsent(name, new Entry(help, command)))
        {
            throw new IllegalStateException("control command " + name + " is there twice");
        }
        return this;
    }

    /** Carries out the request of one line; whatever it holds, the answer is one line without its end. */
    public String answer(final String line)
    {
        final Map<String, Object> answer = new LinkedHashMap<>();
        try
        {
            final Request request = new Request(Json.object(line));
            if (null != request.id())
            {
                answer.put(Request.ID, request.id());
            }
            answer.put("result", run(request));
        }
        catch (final CommandException ex)
        {
            answer.put("error", error(ex));
        }
        catch (final RuntimeException | LinkageError | StackOverflowError ex)
        {
            // A fault of ours, or of what a command calls: the client is told, the agent goes on.
            LOG.error("a control command failed: {}", ex.toString(), ex);
            answer.put("error", error(new CommandException("the command",
                "it failed: " + Request.shortened(ex.toString()), "the log of the backend has the trace")));
        }
        final String text = Json.text(answer);
        return text.length() <= ControlServer.MAX_ANSWER ? text : tooLong(text.length());
    }

    /** A command's way to send descriptors with its answer. */
    public void attach(final Parcel descriptors)
    {
        parcel = descriptors;
    }

    /** What belongs to the last answer; null for nothing. */
    Parcel takeParcel()
    {
        final Parcel taken = parcel;
        parcel = null;
        return taken;
    }

    private Object run(final Request request)
    {
        final Entry entry = entries.get(request.command());
        if (null == entry)
        {
            throw new CommandException(Request.COMMAND + "=" + Request.shortened(request.command()),
                "no such command", "help lists them");
        }
        final Object result = entry.command.run(request);
        return null == result ? Map.of() : result;
    }

    private Map<String, Object> help()
    {
        final Map<String, Object> help = new LinkedHashMap<>();
        entries.forEach((name, entry) -> help.put(name, entry.help));
        return help;
    }

    private static String tooLong(final int length)
    {
        return refusal(new CommandException("an answer of " + length + " characters",
            "longer than " + ControlServer.MAX_ANSWER, "ask for less at once"));
    }

    /** The answer that says why not. */
    static String refusal(final CommandException why)
    {
        return Json.text(Map.of("error", error(why)));
    }

    private static Map<String, Object> error(final CommandException ex)
    {
        final Map<String, Object> error = new LinkedHashMap<>();
        error.put("value", ex.value());
        error.put("limit", ex.limit());
        error.put("remedy", ex.remedy());
        error.put("text", ex.getMessage());
        return error;
    }
}
