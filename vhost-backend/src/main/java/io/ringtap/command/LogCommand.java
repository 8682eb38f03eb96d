package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** {@code ringtap log}: how much the log of a running backend says. */
@Command(name = "log", mixinStandardHelpOptions = true, sortOptions = false, synopsisSubcommandLabel = "COMMAND",
    description = "Look at the level from which on a running backend writes its log, and change it.")
final class LogCommand
{
    @Spec
    private CommandSpec spec;

    /** From here on lines are written. */
    enum LevelName
    {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Show the levels.")
    int show(@Mixin final ControlOptions control)
    {
        return print(control, control.request("log.show"));
    }

    @Command(name = "level", mixinStandardHelpOptions = true,
        description = "Set the level, of all or of the loggers whose names begin in some way.")
    int level(
        @Mixin final ControlOptions control,
        @Option(names = "--name", paramLabel = "PREFIX",
            description = "Such as io.ringtap.vhost.session; without it the level is that of all.") final String name,
        @Parameters(paramLabel = "LEVEL", description = "${COMPLETION-CANDIDATES}.") final LevelName level)
    {
        final Map<String, Object> request = control.request("log.level");
        request.put("level", level.name().toLowerCase(Locale.ROOT));
        if (null != name)
        {
            request.put("name", name);
        }
        return print(control, request);
    }

    private int print(final ControlOptions control, final Map<String, Object> request)
    {
        // The log is the process's, whatever port was named.
        request.remove("port");
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            final TextTable table = new TextTable("NAME", "LEVEL");
            ((Map<?, ?>)answer.get("levels")).forEach((name, level) -> table.row(name, level));
            table.print(out);
        }
        return Program.DONE;
    }
}
