package io.ringtap.command;

import io.ringtap.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;

/** {@code ringtap port add}: one more NIC from options, or some from a file, in a process that runs. */
@Command(name = "add", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Start a port made of options, which are those of ringtap itself, or those of a file. What the " +
        "file says about the process does not count. Descriptors cannot be handed over.")
final class PortAddCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;
    @Mixin
    private ControlOptions control;
    @Parameters(paramLabel = "FILE", arity = "0..1",
        description = "Configuration file; without one, give --port=NAME and the port's options.")
    private String file;

    /** With the options of serving, from their one table. */
    static CommandLine create()
    {
        final CommandLine command = new CommandLine(new PortAddCommand());
        for (final ServeOption option : ServeOption.values())
        {
            if (option.isKey() && !option.isOfProcess())
            {
                command.getCommandSpec().addOption(CommandTree.option(option).build());
            }
        }
        return command;
    }

    @Override
    public Integer call() throws IOException
    {
        final Map<ServeOption, String> given =
            CommandTree.given(spec.commandLine().getParseResult());
        // The way to the process has an option that is also one of serving.
        given.keySet().removeIf(ServeOption::isOfProcess);
        final Map<String, Object> request = control.request("port.add");
        if (null == file)
        {
            if (!request.containsKey("port"))
            {
                throw new ConfigException("no FILE and no --port", "the port needs a name", "give --port=NAME");
            }
            // Checked here as well, so that what is wrong with them is said in the words of the command line.
            ServeWords.conclude(given);
            request.put("words", words(given));
        }
        else
        {
            if (!given.isEmpty() || request.containsKey("port"))
            {
                throw new ConfigException(file + " and options", "the file says what the ports are",
                    "give the one or the others");
            }
            ConfigFile.read(file, Map.of());
            request.put("file", file);
            request.put("yaml", Files.readString(Path.of(file)));
        }
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            ((List<?>)answer.get("added")).forEach((name) -> out.println("added " + name));
        }
        return Program.DONE;
    }

    private static String words(final Map<ServeOption, String> given)
    {
        final StringJoiner words = new StringJoiner("\n");
        given.forEach((option, text) ->
        {
            for (final String each : option.isRepeatable() ? text.split(ServeOption.REPEATED) : new String[]{text})
            {
                words.add(option.takesValue() ? option.word() + '=' + each : option.word());
            }
        });
        return words.toString();
    }
}
