package io.ringtap.command;

import io.ringtap.log.LogFactory;
import io.ringtap.vhost.ops.CommandException;
import io.ringtap.vhost.ops.ControlCommands;
import io.ringtap.vhost.ops.Request;
import org.slf4j.event.Level;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How much the log says, through the control socket: {@code log.show}, {@code log.level}. */
final class LogCommands
{
    private static final List<String> LEVELS = List.of("trace", "debug", "info", "warn", "error");
    private static final String NAME_FORM = "[A-Za-z0-9_.$]{0,200}";
    /** Stands for all names. */
    private static final String ALL = "all";

    private LogCommands()
    {
    }

    static void register(final ControlCommands commands)
    {
        commands.register("log.show", "shows from which level on the log is written", (request) ->
        {
            request.refuseRest();
            return show(factory());
        });
        commands.register("log.level", "sets it; level=" + String.join("|", LEVELS) +
            ", name=PREFIX of logger names such as io.ringtap.vhost.session, all without it", LogCommands::level);
    }

    private static Object level(final Request request)
    {
        final String name = request.text("name", "");
        final String level = request.choice("level", null, LEVELS);
        request.refuseRest();
        if (!name.matches(NAME_FORM))
        {
            throw new CommandException("the name", "not the beginning of a logger's name",
                "give for example io.ringtap.vhost.session");
        }
        final LogFactory factory = factory();
        if (!factory.level(name, Level.valueOf(level.toUpperCase(Locale.ROOT))))
        {
            throw new CommandException("name=" + name, LogFactory.MAX_NAMES + " names have levels of their own",
                "set the level of all, which takes them away");
        }
        return show(factory);
    }

    private static LogFactory factory()
    {
        final LogFactory factory = LogFactory.inUse();
        if (null == factory)
        {
            throw new CommandException("the log", "another one was put on the class path", "set its levels there");
        }
        return factory;
    }

    private static Map<String, Object> show(final LogFactory factory)
    {
        final Map<String, Object> levels = new LinkedHashMap<>();
        factory.levels().forEach((name, level) ->
            levels.put(name.isEmpty() ? ALL : name, level.name().toLowerCase(Locale.ROOT)));
        return Map.of("levels", levels);
    }
}
