package io.ringtap.command;

import io.ringtap.ConfigException;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** All commands under one roof, as picocli sees them: for help, completion, subcommands and saying what is wrong. */
final class CommandTree
{
    private CommandTree()
    {
    }

    /** The tree with every command, errors reported in one line. */
    static CommandLine create(final PrintWriter out, final PrintWriter err)
    {
        final CommandLine commands = new CommandLine(root())
            .addSubcommand(new CommandLine(new DemoCommand()))
            .addSubcommand(new CommandLine(new GuestCommand()))
            .addSubcommand(new CommandLine(new BenchCommand()))
            .addSubcommand(new CommandLine(new StatsCommand()))
            .addSubcommand(new CommandLine(new TopCommand()))
            .addSubcommand(new CommandLine(new CaptureCommand()))
            .addSubcommand(new CommandLine(new TraceCommand()))
            .addSubcommand(new CommandLine(new PortCommand()).addSubcommand(PortAddCommand.create()))
            .addSubcommand(new CommandLine(new XdpCommand()))
            .addSubcommand(new CommandLine(new LogCommand()))
            .addSubcommand(new CommandLine(new GenerateCompletion()))
            .addSubcommand(new CommandLine(new ManPagesCommand()));
        return commands
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpAutoWidth(true)
            .setUsageHelpLongOptionsMaxWidth(30)
            .setOut(out)
            .setErr(err)
            .setParameterExceptionHandler((failure, words) ->
                Failures.report(failure, failure.getCommandLine(), Arrays.asList(words)))
            .setExecutionExceptionHandler((failure, command, result) ->
                Failures.report(failure, command, result.originalArgs()));
    }

    private static CommandSpec root()
    {
        final CommandSpec[] self = new CommandSpec[1];
        final Callable<Integer> serve = () -> ServeCommand.run(given(self[0].commandLine().getParseResult()));
        final CommandSpec root = CommandSpec.wrapWithoutInspection(serve)
            .name("ringtap")
            .versionProvider(new Version());
        self[0] = root;
        for (final ServeOption.Group group : ServeOption.Group.values())
        {
            root.addArgGroup(argGroup(group));
        }
        root.usageMessage()
            .customSynopsis(RootHelp.SYNOPSIS)
            .description(RootHelp.DESCRIPTION)
            .footer(RootHelp.FOOTER)
            .commandListHeading("%nCommands%n")
            .sortOptions(false);
        return root;
    }

    private static ArgGroupSpec argGroup(final ServeOption.Group group)
    {
        final ArgGroupSpec.Builder options = ArgGroupSpec.builder()
            .validate(false)
            .order(group.ordinal())
            .heading("%n" + group.heading() + "%n");
        int order = 0;
        for (final ServeOption each : ServeOption.values())
        {
            if (group == each.group())
            {
                options.addArg(option(each).order(order++).build());
            }
        }
        if (ServeOption.Group.PROGRAM == group)
        {
            options
                .addArg(OptionSpec.builder(Program.PRINT_CAPABILITIES).order(order++).description(
                    "Print what this backend can do as JSON and exit, whatever else is given: how management " +
                    "software asks.").build())
                .addArg(OptionSpec.builder("-h", "--help").order(order++).usageHelp(true)
                    .description("Show this help and exit.").build())
                .addArg(OptionSpec.builder("-V", "--version").order(order).versionHelp(true)
                    .description("Show the version and exit.").build());
        }
        return options.build();
    }

    static OptionSpec.Builder option(final ServeOption option)
    {
        final OptionSpec.Builder spec = OptionSpec.builder(option.word()).description(option.description());
        if (option.isRepeatable())
        {
            return spec.arity("1").type(List.class).auxiliaryTypes(String.class).paramLabel(option.label());
        }
        return option.takesValue() ?
            spec.arity("1").type(String.class).paramLabel(option.label()) :
            spec.arity("0").type(boolean.class);
    }

    static Map<ServeOption, String> given(final ParseResult result)
    {
        final Map<ServeOption, String> given = new EnumMap<>(ServeOption.class);
        for (final ServeOption option : ServeOption.values())
        {
            if (result.hasMatchedOption(option.word()))
            {
                requireOnce(option, result.originalArgs());
                given.put(option, String.join(
                    ServeOption.REPEATED, result.matchedOption(option.word()).originalStringValues()));
            }
        }
        return given;
    }

    /** An option of a group may come twice as far as picocli is concerned; the later one would win in silence. */
    private static void requireOnce(final ServeOption option, final List<String> words)
    {
        final long count = words.stream()
            .filter((word) -> word.equals(option.word()) || word.startsWith(option.word() + "="))
            .count();
        if (count > 1 && !option.isRepeatable())
        {
            throw new ConfigException(option.word(), "given " + count + " times", "give it once");
        }
    }
}
