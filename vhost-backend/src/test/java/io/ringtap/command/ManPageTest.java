package io.ringtap.command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The manual says what the help says. */
class ManPageTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldWriteAPageForEachCommand() throws IOException
    {
        assertEquals(0, Program.run(
            new String[]{"generate-man-pages", folder.resolve("man").toString()}, System.out,
            new PrintStream(System.err, true, StandardCharsets.UTF_8)));

        final Set<String> expected = commands().stream()
            .map((each) -> ManPage.name(each.getCommandSpec()) + ".1").collect(Collectors.toCollection(TreeSet::new));
        try (Stream<Path> files = Files.list(folder.resolve("man")))
        {
            assertEquals(expected, files.map((each) -> each.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new)));
        }
        assertTrue(
            expected.containsAll(Set.of("ringtap.1", "ringtap-stats.1", "ringtap-xdp-load.1")), expected::toString);
        System.out.println(expected.size() + " manual pages");
    }

    @Test
    void shouldNameEveryOptionAndCommand()
    {
        for (final CommandLine command : commands())
        {
            final String page = ManPage.of(command);
            command.getCommandSpec().options().stream().filter((option) -> !option.hidden())
                .forEach((option) -> assertTrue(
                    page.contains(option.longestName().replace("-", "\\-")), () -> option.longestName() + "\n" + page));
            ManPage.subcommands(command).forEach((each) -> assertTrue(
                page.contains(ManPage.name(each.getCommandSpec()).replace("-", "\\-") + "\\fR(1)"), page));
            for (final String section : List.of(".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH SEE ALSO\n"))
            {
                assertTrue(page.contains(section), () -> section + page);
            }
        }
    }

    /** A line that begins with a dot is a request, and those are all known. */
    @Test
    void shouldHoldNoRequestByAccident()
    {
        final Set<String> known = Set.of(".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".nh", ".ad");
        for (final CommandLine command : commands())
        {
            ManPage.of(command).lines().forEach((line) ->
            {
                assertTrue(!line.startsWith(".") || known.contains(line.split(" ")[0]), line);
                assertTrue(!line.startsWith("'"), line);
                assertTrue(!line.contains("@|") && !line.contains("${"), line);
            });
        }
    }

    private static List<CommandLine> commands()
    {
        final List<CommandLine> all = new ArrayList<>();
        collect(CommandTree.create(new PrintWriter(System.out), new PrintWriter(System.err)), all);
        return all;
    }

    private static void collect(final CommandLine command, final List<CommandLine> all)
    {
        all.add(command);
        ManPage.subcommands(command).forEach((each) -> collect(each, all));
    }
}
