package io.ringtap.command;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** One command as a manual page, in the language of man(7): whatever its help says, in the order of its help. */
final class ManPage
{
    /** The section of commands for everybody. */
    static final String SECTION = "1";

    private final CommandLine command;
    private final CommandSpec spec;
    private final StringBuilder page = new StringBuilder();

    private ManPage(final CommandLine command)
    {
        this.command = command;
        spec = command.getCommandSpec();
    }

    /** The page's text, which ends with a line break. */
    static String of(final CommandLine command)
    {
        return new ManPage(command).text();
    }

    /** What the page is called: the words of the command with dashes in between. */
    static String name(final CommandSpec spec)
    {
        return spec.qualifiedName("-");
    }

    /** Commands below this one that its help shows, in its order. */
    static List<CommandLine> subcommands(final CommandLine command)
    {
        return command.getSubcommands().values().stream().distinct()
            .filter((each) -> !each.getCommandSpec().usageMessage().hidden()).toList();
    }

    private String text()
    {
        final List<String> description = prose(spec.usageMessage().description());
        line(".TH \"" + escape(name(spec).toUpperCase(Locale.ROOT)) + "\" \"" + SECTION + "\" \"\" \"ringtap " +
            escape(Version.number()) + "\" \"Ringtap\"");
        line(".nh");
        line(".ad l");
        section("NAME");
        line(escape(name(spec)) + " \\- " + escape(summary(description)));
        section("SYNOPSIS");
        synopsis();
        section("DESCRIPTION");
        paragraphs(description);
        arguments();
        commands();
        footer(prose(spec.usageMessage().footer()));
        seeAlso();
        return page.toString();
    }

    /** The first sentence; of the root, whose sentence goes on, what stands before the colon. */
    private static String summary(final List<String> description)
    {
        final String all = String.join(" ", description).strip();
        final String[] parts = all.split("(?<=[.:])\\s", 2);
        final String first = parts[0].replaceAll("[.:]$", "");
        return first.isEmpty() ? "part of ringtap" : first;
    }

    private void synopsis()
    {
        final String text = 0 == spec.usageMessage().customSynopsis().length ?
            command.getHelp().synopsis(0) : String.join("\n", spec.usageMessage().customSynopsis());
        line(".nf");
        Ansi.OFF.string(text).lines().filter((each) -> !each.isBlank()).forEach((each) -> line(escape(each)));
        line(".fi");
    }

    private void arguments()
    {
        final Set<ArgSpec> grouped = new HashSet<>();
        spec.argGroups().forEach((group) -> grouped.addAll(group.allOptionsNested()));
        final List<OptionSpec> rest =
            spec.options().stream().filter((option) -> !option.hidden() && !grouped.contains(option)).toList();
        final List<PositionalParamSpec> parameters =
            spec.positionalParameters().stream().filter((each) -> !each.hidden()).toList();
        if (!parameters.isEmpty())
        {
            section("ARGUMENTS");
            parameters.forEach((each) -> item("\\fI" + escape(each.paramLabel()) + "\\fR", each));
        }
        if (!rest.isEmpty() || !spec.argGroups().isEmpty())
        {
            section("OPTIONS");
            for (final ArgGroupSpec group : spec.argGroups())
            {
                if (null != group.heading())
                {
                    line(".SS \"" + escape(Ansi.OFF.string(String.format(group.heading())).strip()) + "\"");
                }
                group.options().stream().filter((option) -> !option.hidden()).forEach(this::option);
            }
            rest.forEach(this::option);
        }
    }

    private void option(final OptionSpec option)
    {
        final List<String> names = new ArrayList<>();
        final boolean takesValue = option.arity().max() > 0;
        for (final String name : option.names())
        {
            final String between = name.startsWith("--") ? "=" : " ";
            names.add("\\fB" + escape(name) + "\\fR" +
                (takesValue ? between + "\\fI" + escape(option.paramLabel()) + "\\fR" : ""));
        }
        item(String.join(", ", names), option);
    }

    private void item(final String head, final ArgSpec argument)
    {
        line(".TP");
        line(head);
        line(escape(String.join(" ", prose(argument.description())).strip()));
    }

    private void commands()
    {
        final List<CommandLine> subcommands = subcommands(command);
        if (!subcommands.isEmpty())
        {
            section("COMMANDS");
        }
        for (final CommandLine each : subcommands)
        {
            line(".TP");
            line(reference(each.getCommandSpec()));
            line(escape(summary(prose(each.getCommandSpec().usageMessage().description()))) + '.');
        }
    }

    /** As it is: it holds examples. */
    private void footer(final List<String> footer)
    {
        if (footer.stream().anyMatch((each) -> !each.isBlank()))
        {
            section("NOTES");
            line(".nf");
            footer.stream().dropWhile(String::isBlank).forEach((each) -> line(escape(each)));
            line(".fi");
        }
    }

    private void seeAlso()
    {
        section("SEE ALSO");
        final List<String> others = new ArrayList<>();
        if (null != spec.parent())
        {
            others.add(reference(spec.parent()));
        }
        subcommands(command).forEach((each) -> others.add(reference(each.getCommandSpec())));
        line(String.join(",\n", others) + (others.isEmpty() ? "" : ",\n") + "the documents in /usr/share/doc/ringtap");
    }

    private static String reference(final CommandSpec spec)
    {
        return "\\fB" + escape(name(spec)) + "\\fR(" + SECTION + ")";
    }

    private void paragraphs(final List<String> lines)
    {
        boolean isFirst = true;
        for (final String each : lines)
        {
            if (!each.isBlank())
            {
                if (!isFirst)
                {
                    line(".PP");
                }
                line(escape(each.strip()));
                isFirst = false;
            }
        }
    }

    /** picocli's texts are formats with markup and variables. */
    private List<String> prose(final String[] texts)
    {
        final List<String> lines = new ArrayList<>();
        for (final String text : texts)
        {
            Ansi.OFF.string(String.format(text)).lines().forEach(lines::add);
            if (text.isEmpty())
            {
                lines.add("");
            }
        }
        return lines;
    }

    private void section(final String title)
    {
        line(".SH " + title);
    }

    private void line(final String text)
    {
        page.append(text).append('\n');
    }

    /** A dash is a minus, so that options can be copied; a line that begins with a dot or a quote is text. */
    private static String escape(final String text)
    {
        final String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
